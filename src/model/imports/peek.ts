/** The opening of a stream, looked at without being lost; compressed streams are opened on the way. */

import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export interface Opened {
  readonly opening: Buffer
  readonly stream: AsyncIterable<Uint8Array>
}

const openingBytes = 4096

export async function open(stream: AsyncIterable<Uint8Array>): Promise<Opened> {
  const opened = await look(stream)
  const isGzip = opened.opening[0] === 0x1f && opened.opening[1] === 0x8b
  return isGzip ? look(Readable.from(opened.stream).compose(createGunzip()) as AsyncIterable<Uint8Array>) : opened
}

async function look(stream: AsyncIterable<Uint8Array>): Promise<Opened> {
  const iterator = stream[Symbol.asyncIterator]()
  const seen: Uint8Array[] = []
  let size = 0
  let isDone = false
  while (size < openingBytes && !isDone) {
    const next = await iterator.next()
    isDone = next.done ?? false
    if (!next.done) size += seen[seen.push(next.value) - 1]?.length ?? 0
  }
  return { opening: Buffer.concat(seen).subarray(0, openingBytes), stream: rejoined(seen, iterator) }
}

async function* rejoined(seen: readonly Uint8Array[], iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* seen
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
}
