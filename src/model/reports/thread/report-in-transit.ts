/**
 * One report that a report thread is producing, seen from the main thread: what was asked, the chunks that arrived, who waits for them, and the place it
 * occupies until it ends.
 */

import type { ChunkSource } from '../../../lib/streams/chunks.ts'
import type { Asked, ReportSource, ToThread } from './messages.ts'

export type Post = (message: ToThread, transfer?: ArrayBuffer[]) => void

export class ReportInTransit implements ChunkSource {
  readonly asked: Asked
  /** Where the data is read from, once that is known. */
  source: ReportSource = 'database'
  readonly #chunks: Uint8Array[] = []
  readonly #begun = Promise.withResolvers<void>()
  readonly #settled = Promise.withResolvers<void>()
  readonly #free: () => void
  #id = 0
  #post: Post = () => {}
  #version = ''
  #hasBegun = false
  #state: 'coming' | 'ended' | 'failed' | 'stopped' = 'coming'
  #error: unknown
  #wake = () => {}

  /** `free` is called once, when no thread works on this report any more. */
  constructor(asked: Asked, free: () => void) {
    this.asked = asked
    this.#free = free
    this.#begun.promise.catch(() => {})
  }

  /** Asks a thread for the report; may be called again only while nothing of it has arrived. */
  askOf(post: Post, id: number): void {
    this.#post = post
    this.#id = id
    post({ kind: 'ask', id, ...this.asked })
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get isComing(): boolean {
    return this.#state === 'coming'
  }

  /** Resolves when no thread works on this report any more. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  /** Resolves with the version once the first part has arrived; until then a failure can still become an error answer. */
  async begun(): Promise<string> {
    await this.#begun.promise
    return this.#version
  }

  async next(): Promise<Uint8Array | null> {
    while (this.#chunks.length === 0 && this.#state === 'coming') await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#chunks.length === 0 && this.#state !== 'ended') throw this.#error
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

  setVersion(version: string, source: ReportSource): void {
    this.source = source
    this.#version = version
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#begin()
    this.#wake()
  }

  end(): void {
    this.#begin()
    this.#settle('ended')
  }

  fail(error: unknown): void {
    this.#settle('failed', error)
  }

  #begin(): void {
    this.#hasBegun = true
    this.#begun.resolve()
  }

  #settle(state: 'ended' | 'failed' | 'stopped', error?: unknown): void {
    if (this.#state !== 'coming') return
    this.#state = state
    this.#error = error
    this.#begun.reject(error)
    this.#settled.resolve()
    this.#free()
    this.#wake()
  }
}
