/** Opens a zip archive that comes as a stream: it is set aside in a nameless file, because the list of its files stands at its end. */

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { openNamelessFile } from '../streams/nameless-file.ts'

export interface ZipArchive {
  readonly names: readonly string[]
  has(name: string): boolean
  /** The unpacked bytes of a file; undefined if there is none of that name. All files together may unfold to `maxBytes`. */
  read(name: string): AsyncIterable<Uint8Array> | undefined
  close(): Promise<void>
}

export type ZipFaultCode = 'archive' | 'unfolds_too_much' | 'packed_files' | 'locked' | 'unsafe_name'

/** What is wrong with an archive, as a code. */
export class ZipFault extends Error {
  readonly code: ZipFaultCode

  constructor(code: ZipFaultCode) {
    super(code)
    this.code = code
  }
}

const mostFiles = 2_000

export async function openZip(stream: AsyncIterable<Uint8Array>, maxBytes = Number.POSITIVE_INFINITY): Promise<ZipArchive> {
  const file = await openNamelessFile()
  try {
    await pipeline(Readable.from(stream), createWriteStream('', { fd: file.fd, autoClose: false }))
    const zip = await fromFdPromise(file.fd, { autoClose: false }).catch(faultOf)
    const entries = await entriesOf(zip)
    let left = maxBytes
    const mayTake = (bytes: number) => {
      left -= bytes
      return left >= 0
    }
    return {
      names: [...entries.keys()],
      has: (name) => entries.has(name),
      read: (name) => {
        const entry = entries.get(name)
        return entry && unpacked(zip, entry, mayTake)
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Folders are left out, and so is what a Mac adds to an archive. */
async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= mostFiles) throw new ZipFault('packed_files')
      if (!/\/$|^__MACOSX\/|(?:^|\/)\._|(?:^|\/)\.DS_Store$/.test(entry.fileName)) entries.set(entry.fileName, entry)
    }
  } catch (error) {
    faultOf(error)
  }
  return entries
}

async function* unpacked(zip: ZipFile, entry: Entry, mayTake: (bytes: number) => boolean): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw new ZipFault('locked')
  const bytes = await zip.openReadStreamPromise(entry).catch(faultOf)
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      if (!mayTake(chunk.length)) throw new ZipFault('unfolds_too_much')
      yield chunk
    }
  } catch (error) {
    faultOf(error)
  } finally {
    bytes.destroy()
  }
}

/** Errors of the disk and of this program are thrown as they are. */
function faultOf(error: unknown): never {
  if (error instanceof ZipFault || (error as NodeJS.ErrnoException).syscall !== undefined) throw error
  throw new ZipFault(
    /relative path|absolute path|invalid characters in fileName/i.test((error as Error).message) ? 'unsafe_name' : 'archive',
  )
}
