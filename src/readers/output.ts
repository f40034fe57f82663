/** The output of a reader thread: turns text into chunks, compressed on request, no faster than they are received (back-pressure). */

import type { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Pause } from '../fields/code-builder.ts'
import { type BufferPool, ChunkWriter } from '../lib/streams/chunks.ts'
import { type Coding, compressors } from '../lib/streams/content-coding.ts'

/** Thrown at the next pause of work that was cancelled. */
export class Stopped extends Error {}

/** The pauses of one piece of work: after each of its statements others go first, and there it ends once it was cancelled. */
export class Pauses {
  readonly #share: Pause
  #isStopped = false
  #onStop = () => {}

  constructor(share: Pause) {
    this.#share = share
  }

  readonly pause: Pause = () => {
    if (this.#isStopped) throw new Stopped()
    return this.#share()
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
    this.#onStop()
  }

  onStop(told: () => void): void {
    this.#onStop = told
  }
}

const maxOnTheWay = 4
const maxBeingCompressed = 2

export class WorkOutput {
  readonly chunks: ChunkWriter
  /** The pause of the writer: waits until chunks were received, and lets other parties go first. */
  readonly pause: Pause
  readonly #pool: BufferPool
  readonly #pauses: Pauses
  readonly #compressor: Transform | null
  readonly #compressed: ChunkWriter | null
  #onTheWay = 0
  #beingCompressed = 0
  #wake = () => {}

  constructor(coding: Coding, send: (chunk: Uint8Array) => void, pool: BufferPool, pauses: Pauses) {
    this.#pool = pool
    this.#pauses = pauses
    pauses.onStop(() => this.#stop())
    const emit = (chunk: Uint8Array) => {
      this.#onTheWay++
      send(chunk)
    }
    this.#compressor = coding === 'identity' ? null : compressors[coding]()
    this.#compressed = coding === 'identity' ? null : new ChunkWriter(emit, pool)
    this.#compressor?.on('data', (bytes: Uint8Array) => this.#compressed?.addBytes(bytes))
    this.chunks = new ChunkWriter(this.#compressor === null ? emit : (chunk) => this.#compress(chunk), pool)
    this.pause = () => (this.#isBehind ? this.#wait() : pauses.pause())
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

  #stop(): void {
    this.#compressor?.destroy()
    this.#wake()
  }

  get #isBehind(): boolean {
    return this.#onTheWay >= maxOnTheWay || this.#beingCompressed >= maxBeingCompressed
  }

  async #wait(): Promise<void> {
    while (this.#isBehind && !this.#pauses.isStopped) await new Promise<void>((resolve) => (this.#wake = resolve))
    await this.#pauses.pause()
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
