/** Text that is made piece by piece, as chunks that are sent as they come, compressed where that was asked for. */

import { pipeline, Readable } from 'node:stream'
import { setImmediate as otherWork } from 'node:timers/promises'
import type { ChunkSource } from './chunks.ts'
import { type Coding, compressors } from './content-coding.ts'

const sliceMilliseconds = 8
const chunkCharacters = 65_536

export function textSource(texts: AsyncIterable<string>, coding: Coding): ChunkSource {
  const plain = Readable.from(inSlices(texts), { objectMode: true, highWaterMark: 1 })
  // Whoever reads is told of a failure; the callback only keeps it from being thrown twice.
  const stream = coding === 'identity' ? plain : pipeline(plain, compressors[coding](), () => {})
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  return {
    async next() {
      const { value, done } = await chunks.next()
      return done ? null : value
    },
    taken: () => {},
    stop: () => void stream.destroy(),
  }
}

/** Pieces together until they make a chunk; others may work after a few milliseconds. */
async function* inSlices(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let [gathered, sliceEnds] = ['', performance.now() + sliceMilliseconds]
  for await (const text of texts) {
    gathered += text
    if (gathered.length >= chunkCharacters) {
      yield Buffer.from(gathered)
      gathered = ''
    }
    if (performance.now() < sliceEnds) continue
    await otherWork()
    sliceEnds = performance.now() + sliceMilliseconds
  }
  if (gathered !== '') yield Buffer.from(gathered)
}
