/** Turns text that is produced piece by piece into a source of chunks, compressed on request. */

import { pipeline, Readable } from 'node:stream'
import { setImmediate as otherWork } from 'node:timers/promises'
import type { ChunkSource } from './chunks.ts'
import { type Coding, compressors } from './content-coding.ts'

const sliceMilliseconds = 8
const chunkCharacters = 65_536

export function textSource(texts: AsyncIterable<string>, coding: Coding): ChunkSource {
  const plain = Readable.from(inSlices(texts), { objectMode: true, highWaterMark: 1 })
  // The reader receives the error; this callback only keeps it from being thrown a second time.
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

/** Joins pieces into chunks, and yields to the event loop every few milliseconds. */
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
