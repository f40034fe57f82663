/** A cache of complete answers, limited in bytes, that evicts the least recently used (LRU). Answers that are still being collected count towards the limit. */

import { type ChunkSource, discard } from './chunks.ts'

const maxMissed = 1_000

export class ChunkCache {
  readonly #maxBytes: number
  readonly #entries = new Map<string, Buffer>()
  /** How often each key was requested and not found. */
  readonly #missed = new Map<string, number>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Buffer | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return this.#miss(key)
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  /** Storing an answer costs as much as making it, so only what was requested twice is stored. */
  isWorthKeeping(key: string): boolean {
    return (this.#missed.get(key) ?? 0) > 1
  }

  /** Remembers that the answer is too large for the cache. */
  giveUp(key: string): void {
    this.#missed.set(key, Number.NEGATIVE_INFINITY)
  }

  set(key: string, bytes: Buffer): void {
    this.#drop(key)
    this.#entries.set(key, bytes)
    this.#bytes += bytes.length
  }

  /** Makes room by evicting the least recently used entries; returns false when that is not enough. */
  reserve(bytes: number): boolean {
    while (this.#bytes + bytes > this.#maxBytes && this.#entries.size > 0) this.#drop(this.#entries.keys().next().value as string)
    if (this.#bytes + bytes > this.#maxBytes) return false
    this.#bytes += bytes
    return true
  }

  release(bytes: number): void {
    this.#bytes -= bytes
  }

  #miss(key: string): undefined {
    const times = this.#missed.get(key) ?? 0
    if (this.#missed.size >= maxMissed) this.#missed.delete(this.#missed.keys().next().value as string)
    this.#missed.delete(key)
    this.#missed.set(key, times + 1)
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.length ?? 0
    this.#entries.delete(key)
  }
}

/** Passes chunks on, and caches the whole answer under the key if it is complete and not too large. */
export class CachingSource implements ChunkSource {
  readonly #source: ChunkSource
  readonly #cache: ChunkCache
  readonly #key: string
  readonly #maxBytes: number
  #chunks: Uint8Array[] | null = []
  /** The chunks that were already sent. Their memory is freed when the answer turns out not to be cached. */
  #sent: Uint8Array[] = []
  #bytes = 0

  constructor(source: ChunkSource, cache: ChunkCache, key: string, maxBytes: number) {
    this.#source = source
    this.#cache = cache
    this.#key = key
    this.#maxBytes = maxBytes
  }

  async next(): Promise<Uint8Array | null> {
    const chunk = await this.#source.next()
    if (chunk === null) this.#finish()
    else if (this.#chunks !== null && !this.#gather(chunk)) this.#refuse()
    return chunk
  }

  /** A chunk that is kept for the cache is not returned to its pool. */
  taken(chunk: Uint8Array | null): void {
    const isGathered = this.#chunks !== null && chunk !== null
    if (isGathered) this.#sent.push(chunk)
    this.#source.taken(isGathered ? null : chunk)
  }

  stop(): void {
    this.#giveUp()
    this.#source.stop()
  }

  #gather(chunk: Uint8Array): boolean {
    if (this.#chunks === null || this.#bytes + chunk.length > this.#maxBytes || !this.#cache.reserve(chunk.length)) return false
    this.#bytes += chunk.length
    return this.#chunks.push(chunk) > 0
  }

  #refuse(): void {
    this.#cache.giveUp(this.#key)
    this.#giveUp()
  }

  #finish(): void {
    const whole = this.#chunks === null ? null : Buffer.concat(this.#chunks)
    this.#giveUp()
    if (whole !== null && this.#cache.reserve(whole.length)) {
      this.#cache.release(whole.length)
      this.#cache.set(this.#key, whole)
    }
  }

  #giveUp(): void {
    this.#cache.release(this.#bytes)
    for (const chunk of this.#sent) discard(chunk)
    this.#bytes = 0
    this.#sent = []
    this.#chunks = null
  }
}
