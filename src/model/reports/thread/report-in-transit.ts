/** One report on its way from the report thread: what has come, who waits for it, and what it holds until it is done, freed once. */

import type { ChunkSource } from '../../../lib/chunks.ts'
import type { ToThread } from './thread.ts'

export class ReportInTransit implements ChunkSource {
  readonly #id: number
  readonly #post: (message: ToThread, transfer?: ArrayBuffer[]) => void
  readonly #chunks: Uint8Array[] = []
  readonly #version = Promise.withResolvers<string>()
  #free: (() => void) | null
  #state: 'coming' | 'ended' | 'failed' | 'stopped' = 'coming'
  #error: unknown
  #wake = () => {}

  /** `free` is called once, when the thread does no more for this report. */
  constructor(id: number, post: (message: ToThread, transfer?: ArrayBuffer[]) => void, free: () => void) {
    this.#id = id
    this.#post = post
    this.#free = free
    this.#version.promise.catch(() => {})
  }

  /** The version, once something of the report is there: until then a failure can still be answered as one. */
  async begun(): Promise<string> {
    const version = await this.#version.promise
    await this.#something()
    return version
  }

  async next(): Promise<Uint8Array | null> {
    await this.#something()
    return this.#chunks.shift() ?? null
  }

  taken(chunk: Uint8Array | null): void {
    const buffer = chunk === null ? null : (chunk.buffer as ArrayBuffer)
    this.#post({ kind: 'taken', id: this.#id, chunk: buffer }, buffer === null ? [] : [buffer])
  }

  stop(): void {
    if (this.#state === 'coming') this.#post({ kind: 'stop', id: this.#id })
    this.#settle('stopped', new Error('the report was stopped'))
  }

  begin(version: string): void {
    this.#version.resolve(version)
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#wake()
  }

  end(): void {
    this.#settle('ended')
  }

  fail(error: unknown): void {
    this.#settle('failed', error)
  }

  #settle(state: 'ended' | 'failed' | 'stopped', error?: unknown): void {
    if (this.#state !== 'coming') return
    this.#state = state
    this.#error = error
    this.#version.reject(error)
    this.#free?.()
    this.#free = null
    this.#wake()
  }

  /** A chunk, the end, or the failure. */
  async #something(): Promise<void> {
    while (this.#chunks.length === 0 && this.#state === 'coming') await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#chunks.length === 0 && this.#state !== 'ended') throw this.#error
  }
}
