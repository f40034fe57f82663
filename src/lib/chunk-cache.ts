/** Finished bytes by key, bounded in all: what was not asked for longest goes first, and what is being gathered counts too. */

import { discard, type PageSource } from './chunks.ts'

const maxMissed = 1_000

export class ByteCache {
  readonly #maxBytes: number
  readonly #entries = new Map<string, Buffer>()
  /** How often each was looked for in vain. */
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

  /** Keeping costs as much as making: only what has been looked for twice is worth it. */
  isWorthKeeping(key: string): boolean {
    return (this.#missed.get(key) ?? 0) > 1
  }

  /** It proved to be too much. */
  giveUp(key: string): void {
    this.#missed.set(key, Number.NEGATIVE_INFINITY)
  }

  set(key: string, bytes: Buffer): void {
    this.#drop(key)
    this.#entries.set(key, bytes)
    this.#bytes += bytes.length
  }

  /** Room for more, which is taken from what was not asked for longest; false when there is none to take. */
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

/** Passes pages on and keeps them under the key if they come to a good end and are not too many. */
export class Gathering implements PageSource {
  readonly #source: PageSource
  readonly #cache: ByteCache
  readonly #key: string
  readonly #maxBytes: number
  #pages: Uint8Array[] | null = []
  /** Those of the pages that nobody else needs any more. */
  #sent: Uint8Array[] = []
  #bytes = 0

  constructor(source: PageSource, cache: ByteCache, key: string, maxBytes: number) {
    this.#source = source
    this.#cache = cache
    this.#key = key
    this.#maxBytes = maxBytes
  }

  async next(): Promise<Uint8Array | null> {
    const page = await this.#source.next()
    if (page === null) this.#finish()
    else if (this.#pages !== null && !this.#gather(page)) this.#refuse()
    return page
  }

  /** A page that is gathered is not given back. */
  taken(page: Uint8Array | null): void {
    const isGathered = this.#pages !== null && page !== null
    if (isGathered) this.#sent.push(page)
    this.#source.taken(isGathered ? null : page)
  }

  stop(): void {
    this.#giveUp()
    this.#source.stop()
  }

  #gather(page: Uint8Array): boolean {
    if (this.#pages === null || this.#bytes + page.length > this.#maxBytes || !this.#cache.reserve(page.length)) return false
    this.#bytes += page.length
    return this.#pages.push(page) > 0
  }

  #refuse(): void {
    this.#cache.giveUp(this.#key)
    this.#giveUp()
  }

  #finish(): void {
    const whole = this.#pages === null ? null : Buffer.concat(this.#pages)
    this.#giveUp()
    if (whole !== null && this.#cache.reserve(whole.length)) {
      this.#cache.release(whole.length)
      this.#cache.set(this.#key, whole)
    }
  }

  #giveUp(): void {
    this.#cache.release(this.#bytes)
    for (const page of this.#sent) discard(page)
    this.#bytes = 0
    this.#sent = []
    this.#pages = null
  }
}
