/** Uploaded files on the disk of the host that received them: synced to disk before the upload is acknowledged, and deleted after use. */

import { createHash, type Hash, randomBytes, randomUUID } from 'node:crypto'
import { createReadStream, existsSync, type ReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../../config.ts'
import { refuse } from '../../lib/failures.ts'
import { makeFolder } from '../../lib/folders.ts'

type Place = Pick<Settings, 'dataDir'>

/** Where files lie, and how large they may be. */
export type UploadPlace = Pick<Settings, 'dataDir' | 'maxUpload'>

/** A file that was received completely. */
export interface StoredFile {
  readonly name: string
  readonly host: string
  readonly bytes: number
  readonly sha256: string
}

/** Free space reserved for the database, which may be on the same disk. */
const leastFreeBytes = 256 * 1024 * 1024
/** How often the free disk space is checked while a file arrives. */
const bytesBetweenLooks = 16 * 1024 * 1024
const largeBytes = 8 * 1024 * 1024
const smallBytes = 1024 * 1024
const mostUnfolded = 10
const maxRatio = 100
const leastUnfoldedBytes = 1 << 20
/** So much of a file is looked at before it is stored. */
export const headBytes = 64 * 1024
/** The list of an archive is at its end, so that all of it is read to look into it; a larger one is read only where it is stored. */
export const largestArchiveRead = 8 << 20
/** A file that is still arriving is written to constantly, but others of its form may come after it for hours; one that was not changed for this long is abandoned. */
const abandonedMilliseconds = 12 * 60 * 60_000

/** Identifies the disk rather than the process: any process that finds this id in its folder can read the files. */
export function hostOf(place: Place): string | null {
  const path = join(folderOf(place), 'host')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null
}

export async function createUploadFile(place: Place): Promise<UploadFile> {
  const folder = folderOf(place)
  makeFolder(folder)
  if (hostOf(place) === null) writeFileSync(join(folder, 'host'), `${randomUUID()}\n`, { mode: 0o600, flush: true })
  const name = randomBytes(16).toString('hex')
  await refuseWhenFull(folder)
  return new UploadFile(folder, name, hostOf(place) as string, await open(join(folder, name), 'wx', 0o600))
}

/** A file that is being received. */
export class UploadFile {
  readonly name: string
  readonly host: string
  bytes = 0
  readonly #folder: string
  readonly #file: FileHandle
  readonly #hash: Hash = createHash('sha256')
  #lookAgainAt = bytesBetweenLooks

  constructor(folder: string, name: string, host: string, file: FileHandle) {
    this.#folder = folder
    this.#file = file
    this.name = name
    this.host = host
  }

  async append(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk)
    for (let done = 0; done < chunk.length; ) done += (await this.#file.write(chunk, done)).bytesWritten
    this.bytes += chunk.length
    if (this.bytes < this.#lookAgainAt) return
    this.#lookAgainAt += bytesBetweenLooks
    await refuseWhenFull(this.#folder)
  }

  /** After this the file survives a power failure. */
  async finish(): Promise<StoredFile> {
    await this.#file.sync()
    await this.#file.close()
    const folder = await open(this.#folder, 'r')
    await folder.sync().finally(() => folder.close())
    return { name: this.name, host: this.host, bytes: this.bytes, sha256: this.#hash.digest('hex') }
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => {})
    await rm(join(this.#folder, this.name), { force: true })
  }
}

/** Whether the file is still there. */
export function hasUpload(place: Place, name: string): boolean {
  return name !== '' && existsSync(join(folderOf(place), name))
}

export function readUpload(place: Place, name: string, most = Number.POSITIVE_INFINITY): ReadStream {
  return createReadStream(join(folderOf(place), name), { highWaterMark: 1 << 16, end: most - 1 })
}

/** Whether it is a zip archive, as a workbook is too. */
export async function beginsAsArchive(place: Place, name: string): Promise<boolean> {
  for await (const chunk of readUpload(place, name, 4)) return (chunk as Buffer).toString('latin1') === 'PK\u0003\u0004'
  return false
}

export async function removeUpload(place: Place, name: string): Promise<void> {
  await rm(join(folderOf(place), name), { force: true })
}

/** The most bytes of what is packed in a file of so many bytes. */
export function maxUnfolded({ maxUpload }: Pick<Settings, 'maxUpload'>, bytes: number): number {
  return Math.min(maxUpload * mostUnfolded, Math.max(bytes * maxRatio, leastUnfoldedBytes))
}

/** Whether it is stored so soon, and in so little memory, even if it is compressed, that it need not wait for large ones. */
export function isSmall(place: Place, name: string): boolean {
  const bytes = bytesOf(place, name)
  return bytes !== undefined && bytes <= smallBytes
}

/** Whether one of these files is so large, even if compressed, that its import needs much memory. */
export function isAnyLarge(place: Place, names: readonly string[]): boolean {
  return names.some((name) => (bytesOf(place, name) ?? 0) > largeBytes)
}

function bytesOf(place: Place, name: string): number | undefined {
  return statSync(join(folderOf(place), name), { throwIfNoEntry: false })?.size
}

/** Deletes files left behind by a crash: those that no task names and nobody writes to. */
export async function removeAbandoned(place: Place, named: ReadonlySet<string>): Promise<void> {
  const folder = folderOf(place)
  if (!existsSync(folder)) return
  const isOld = (name: string) =>
    Date.now() - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > abandonedMilliseconds
  const abandoned = readdirSync(folder).filter((name) => name !== 'host' && !named.has(name) && isOld(name))
  for (const name of abandoned) await removeUpload(place, name)
}

function folderOf({ dataDir }: Place): string {
  return join(dataDir, 'uploads')
}

async function refuseWhenFull(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < leastFreeBytes) refuse('unavailable', 'There is no room for uploads now; try again later', { 'retry-after': '600' })
}
