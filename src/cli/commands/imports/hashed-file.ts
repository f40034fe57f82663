/** Reads an imported file or standard input, and hashes the bytes on the way. */

import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export async function* hashedFile(file: string, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 16 })) {
    hash.update(chunk)
    yield chunk
  }
}
