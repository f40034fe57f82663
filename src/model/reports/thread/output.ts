/** The output of the report thread: turns text into chunks, compressed on request, no faster than they are received (back-pressure). */

import type { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Pause } from '../../../fields/code-builder.ts'
import { type BufferPool, ChunkWriter } from '../../../lib/streams/chunks.ts'
import { type Coding, compressors } from '../../../lib/streams/content-coding.ts'

/** Thrown at the next pause of a report that was cancelled. */
export class Stopped extends Error {}

const maxOnTheWay = 4
const maxBeingCompressed = 2

export class ReportOutput {
  readonly chunks: ChunkWriter
  /** The pause of the writer: waits until chunks were received, and lets other partners go first. */
  readonly pause: Pause
  /** The pause of the reader after each statement: lets other partners go first. */
  readonly pauseReading: Pause
  readonly #pool: BufferPool
  readonly #share: Pause
  readonly #compressor: Transform | null
  readonly #compressed: ChunkWriter | null
  #onTheWay = 0
  #beingCompressed = 0
  #isStopped = false
  #wake = () => {}

  constructor(coding: Coding, send: (chunk: Uint8Array) => void, pool: BufferPool, share: Pause) {
    this.#pool = pool
    this.#share = share
    const emit = (chunk: Uint8Array) => {
      this.#onTheWay++
      send(chunk)
    }
    this.#compressor = coding === 'identity' ? null : compressors[coding]()
    this.#compressed = coding === 'identity' ? null : new ChunkWriter(emit, pool)
    this.#compressor?.on('data', (bytes: Uint8Array) => this.#compressed?.addBytes(bytes))
    this.chunks = new ChunkWriter(this.#compressor === null ? emit : (chunk) => this.#compress(chunk), pool)
    this.pause = () => (this.#isBehind ? this.#wait() : share())
    this.pauseReading = () => (this.#isStopped ? this.#wait() : share())
  }

  async end(): Promise<void> {
    this.chunks.flush()
    if (this.#compressor === null) return
    this.#compressor.end()
    await finished(this.#compressor)
    this.#compressed?.flush()
  }

  taken(): void {
    this.#onTheWay--
    this.#wake()
  }

  stop(): void {
    this.#isStopped = true
    this.#compressor?.destroy()
    this.#wake()
  }

  get #isBehind(): boolean {
    return this.#isStopped || this.#onTheWay >= maxOnTheWay || this.#beingCompressed >= maxBeingCompressed
  }

  async #wait(): Promise<void> {
    while (this.#isBehind && !this.#isStopped) await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#isStopped) throw new Stopped()
    await this.#share()
  }

  #compress(chunk: Uint8Array): void {
    this.#beingCompressed++
    this.#compressor?.write(chunk, (error) => {
      this.#beingCompressed--
      // After an error, the compressor may still be reading the buffer.
      if (!error) this.#pool.giveBack(chunk.buffer as ArrayBuffer)
      this.#wake()
    })
  }
}
