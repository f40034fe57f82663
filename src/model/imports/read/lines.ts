/** Splits a byte stream into numbered lines, in blocks, so that memory does not grow with the stream. */

import { isUtf8 } from 'node:buffer'

export interface LineBlock {
  /** The number of the first line, counted from 1. */
  readonly first: number
  /** Undefined for a line that is not valid UTF-8, null for one that is too long. */
  readonly lines: readonly (string | null | undefined)[]
}

export const maxLineBytes = 1 << 20
// Small, because objects that survive a minor collection stay until the next major one, and one block is all that does.
const blockBytes = 1 << 15

export async function* lineBlocks(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<LineBlock> {
  let first = 1
  let pending: Uint8Array[] = []
  let size = 0
  let hasEnd = false
  let isSkipping = false
  const take = (bytes: Buffer): LineBlock => {
    const lines = bytes.length > maxLineBytes ? linesOf(bytes).map(bounded) : linesOf(bytes)
    if (isSkipping) lines[0] = null
    isSkipping = false
    first += lines.length
    return { first: first - lines.length, lines }
  }
  for await (const chunk of stream) {
    pending.push(chunk)
    size += chunk.length
    hasEnd ||= chunk.includes(10)
    // A long line is put together once, when its end has come: with every chunk it would be copied again and again.
    if (hasEnd ? size < blockBytes : size <= maxLineBytes) continue
    const bytes = Buffer.concat(pending)
    const end = bytes.lastIndexOf(10)
    const rest = bytes.subarray(end + 1)
    if (end >= 0) yield take(bytes.subarray(0, end))
    const isTooLong = rest.length > maxLineBytes
    isSkipping = isSkipping || isTooLong
    pending = isTooLong ? [] : [rest]
    size = isTooLong ? 0 : rest.length
    hasEnd = false
  }
  if (size > 0 || isSkipping) yield take(Buffer.concat(pending))
}

function bounded(line: string | null | undefined): string | null | undefined {
  return line && line.length > maxLineBytes ? null : line
}

function linesOf(bytes: Buffer): (string | null | undefined)[] {
  return isUtf8(bytes)
    ? bytes.toString('utf8').split('\n')
    : [...eachLine(bytes)].map((line) => (isUtf8(line) ? line.toString('utf8') : undefined))
}

function* eachLine(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start <= bytes.length; ) {
    const end = bytes.indexOf(10, start)
    yield bytes.subarray(start, end < 0 ? bytes.length : end)
    start = end < 0 ? bytes.length + 1 : end + 1
  }
}
