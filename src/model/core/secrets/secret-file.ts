/** The file of server secrets: one per line, the newest last; only its owner may read it. */

import { randomBytes } from 'node:crypto'
import { chownSync, closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SettingError, type Settings } from '../../../config.ts'
import { refuse } from '../../../lib/failures.ts'
import { makeFolder } from '../../../lib/folders.ts'

const minLength = 32

/** Beside the embedded database by default; with a database server the path must be set. */
export function secretPath(settings: Settings): string {
  if (settings.secretFile !== undefined) return settings.secretFile
  if (settings.databaseUrl === undefined) return join(settings.dataDir, 'secret')
  throw new SettingError('MARQUEE_SECRET_FILE must be set when DATABASE_URL is: it names the file of the server secret.')
}

/** The secrets in the file; undefined if there is no file. */
export function readSecretFile(path: string): readonly Uint8Array[] | undefined {
  const text = read(path)
  return text === undefined ? undefined : secretsIn(text, path)
}

export function secretsIn(text: string, path: string): readonly Uint8Array[] {
  const lines = text.split('\n').map((line) => line.trim())
  const secrets = lines.filter((line) => line !== '')
  if (secrets.length === 0 || secrets.some((line) => line.length < minLength))
    refuse('unavailable', `The server secret in ${path} is too short: it needs at least ${minLength} characters.`)
  return secrets.map((line) => Buffer.from(line))
}

/** Writes a temporary file and links it into place, so that two processes starting at once agree on one complete file. */
export function makeSecretFile(path: string): readonly Uint8Array[] {
  makeFolder(dirname(path))
  const draft = writeDraft(path, [newSecret()], 0o600)
  try {
    giveToOwnerOfFolder(draft)
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  return readSecretFile(path) ?? refuse('unavailable', `There is no server secret in ${path}.`)
}

/** Beside a database server root stays root, and the service must be able to read what root makes. */
function giveToOwnerOfFolder(path: string): void {
  const { uid, gid } = statSync(dirname(path))
  if (process.geteuid?.() === 0) chownSync(path, uid, gid)
}

/** Adds a new secret; the file is replaced atomically and keeps its owner and mode. */
export function addSecret(path: string, known: readonly Uint8Array[]): Uint8Array {
  const fresh = newSecret()
  const { mode, uid, gid } = statSync(path)
  try {
    const draft = writeDraft(path, [...known, fresh], mode & 0o777)
    chownSync(draft, uid, gid)
    renameSync(draft, path)
    syncFolder(dirname(path))
  } catch {
    refuse('conflict', `The file ${path} cannot be replaced: add a line of at least 32 random characters to it, then run this again.`)
  }
  return fresh
}

function newSecret(): Uint8Array {
  return Buffer.from(randomBytes(32).toString('hex'))
}

function writeDraft(path: string, secrets: readonly Uint8Array[], mode: number): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = openSync(draft, 'wx', mode)
  for (const secret of secrets) writeSync(file, `${Buffer.from(secret).toString()}\n`)
  fsyncSync(file)
  closeSync(file)
  return draft
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    return refuse('unavailable', `The server secret in ${path} cannot be read.`)
  }
}
