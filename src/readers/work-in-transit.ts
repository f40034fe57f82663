/**
 * One piece of work that a reader thread does, seen from the main thread: what was asked, the chunks that arrived, who waits for them, and the place it
 * occupies until it ends.
 */

import type { ChunkSource } from '../lib/streams/chunks.ts'
import { tooLong } from '../lib/work/deadline.ts'
import type { AskedWork, ToThread } from './messages.ts'

export type Post = (message: ToThread, transfer?: ArrayBuffer[]) => void

/** What a thread does with it, whatever its head. */
export type AnyWork = Pick<WorkInTransit<unknown>, 'askOf' | 'hasBegun' | 'isComing' | 'left' | 'setHead' | 'add' | 'end' | 'fail'>

export class WorkInTransit<Head> implements ChunkSource {
  readonly #asked: AskedWork
  readonly #chunks: Uint8Array[] = []
  readonly #begun = Promise.withResolvers<Head>()
  readonly #left = Promise.withResolvers<void>()
  #id = 0
  #post: Post | null = null
  #head: unknown
  #hasBegun = false
  #state: 'coming' | 'ended' | 'failed' | 'stopped' = 'coming'
  #error: unknown
  #wake = () => {}

  /** `free` is called once, when no thread works on this any more. */
  constructor(asked: AskedWork, free: () => void) {
    this.#asked = asked
    void this.#left.promise.then(free)
    this.#begun.promise.catch(() => {})
  }

  /** Asks a thread for the work; may be called again only while nothing of it has arrived. */
  askOf(post: Post, id: number): void {
    this.#post = post
    this.#id = id
    post({ kind: 'ask', id, ...this.#asked })
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get isComing(): boolean {
    return this.#state === 'coming'
  }

  /** Resolves when no thread works on this any more. */
  get left(): Promise<void> {
    return this.#left.promise
  }

  /** Resolves with the head once the first part has arrived; until then a failure can still become an error answer. */
  begun(): Promise<Head> {
    return this.#begun.promise
  }

  async next(): Promise<Uint8Array | null> {
    while (this.#chunks.length === 0 && this.#state === 'coming') await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#chunks.length === 0 && this.#state !== 'ended') throw this.#error
    return this.#chunks.shift() ?? null
  }

  taken(chunk: Uint8Array | null): void {
    const buffer = chunk === null ? null : (chunk.buffer as ArrayBuffer)
    this.#post?.({ kind: 'taken', id: this.#id, chunk: buffer }, buffer === null ? [] : [buffer])
  }

  /** The thread ends the work between two statements, and only then its place is free. */
  stop(): void {
    if (this.#state !== 'coming') return
    this.#post?.({ kind: 'stop', id: this.#id })
    this.#settle('stopped', tooLong())
    if (this.#post === null) this.#left.resolve()
  }

  setHead(head: unknown): void {
    this.#head = head
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#begin()
    this.#wake()
  }

  end(): void {
    this.#begin()
    this.#settle('ended')
    this.#left.resolve()
  }

  fail(error: unknown): void {
    this.#settle('failed', error)
    this.#left.resolve()
  }

  #begin(): void {
    this.#hasBegun = true
    this.#begun.resolve(this.#head as Head)
  }

  #settle(state: 'ended' | 'failed' | 'stopped', error?: unknown): void {
    if (this.#state !== 'coming') return
    this.#state = state
    this.#error = error
    this.#begun.reject(error)
    this.#wake()
  }
}
