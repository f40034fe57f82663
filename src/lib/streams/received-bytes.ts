/** Bytes that were received as a whole, described by plain data: any thread of the process can read them while they are kept. */

import { read } from 'node:fs'
import { promisify } from 'node:util'

export interface ReceivedBytes {
  /** The number of an open file that holds the beginning; null if there is none. */
  readonly file: number | null
  readonly inFile: number
  readonly rest: Uint8Array
}

const chunkBytes = 1 << 15
const readAt = promisify(read)

export function lengthOf({ inFile, rest }: ReceivedBytes): number {
  return inFile + rest.length
}

/** Reads from the beginning each time, in chunks of at most 32 KiB. */
export async function* chunksOf({ file, inFile, rest }: ReceivedBytes): AsyncGenerator<Buffer> {
  for (let at = 0; file !== null && at < inFile; at += chunkBytes) {
    const bytes = Buffer.allocUnsafe(Math.min(chunkBytes, inFile - at))
    await readAt(file, bytes, 0, bytes.length, at)
    yield bytes
  }
  const last = Buffer.from(rest.buffer, rest.byteOffset, rest.length)
  for (let at = 0; at < last.length; at += chunkBytes) yield last.subarray(at, at + chunkBytes)
}
