/** Reads an imported file or standard input, hashes the bytes on the way, and names the files of an import. */

import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { mostFileNameCharacters } from '../../../resources/intake.ts'
import { printable } from '../../print.ts'

export async function* hashedFile(file: string, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 16 })) {
    hash.update(chunk)
    yield chunk
  }
}

/** Of the names of files, on a line as long as that of an upload. */
export function fileNameOf(files: readonly string[]): string {
  const line = printable(files.map((file) => basename(file)).join(', '))
  return [...line].slice(0, mostFileNameCharacters).join('')
}
