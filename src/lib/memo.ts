/** Bounded caches; most evict the least recently used value (LRU). */

export interface MemoBounds {
  readonly most: number
  /** Results for longer texts are not cached. */
  readonly longest: number
}

/** Caches what `make` returns for a text. */
export function memo<T>({ most, longest }: MemoBounds, make: (text: string) => T): (text: string) => T {
  const made = new Lru<string, T>(most)
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    const fresh = make(text)
    if (text.length <= longest) made.set(text, fresh)
    return fresh
  }
}

/** Calls `make` when its result is first needed, and keeps the result. */
export function memoOnce<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Caches what `make` returns for a short key, such as a day, and is emptied when it is full. A lookup is much cheaper than in an LRU. */
export function memoUntilFull<K, T>(most: number, make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    if (made.size >= most) made.clear()
    const fresh = make(key)
    made.set(key, fresh)
    return fresh
  }
}

/** Caches what `make` returns for an object, as long as the object lives. */
export function memoByObject<O extends object, T>(make: (object: O) => T): (object: O) => T {
  const made = new WeakMap<O, T>()
  return (object) => {
    const known = made.get(object)
    if (known !== undefined) return known
    const fresh = make(object)
    made.set(object, fresh)
    return fresh
  }
}

/** An LRU cache: a map that holds at most a given number of values. */
export class Lru<K, V> {
  readonly #most: number
  /** The values in the order of their last use. */
  readonly #values = new Map<K, V>()
  /** The iterator is kept: a new one would walk over all entries removed before, for each eviction. */
  #oldest = this.#values.keys()
  #newest: K | undefined

  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    const value = this.#values.get(key)
    // The same key is often asked for repeatedly; the newest entry need not be moved.
    if (value === undefined || key === this.#newest) return value
    this.#values.delete(key)
    return this.set(key, value)
  }

  set(key: K, value: V): V {
    if (this.#values.size >= this.#most && !this.#values.has(key)) this.#removeOldest()
    this.#values.set(key, value)
    this.#newest = key
    return value
  }

  #removeOldest(): void {
    let oldest = this.#oldest.next()
    if (oldest.done) {
      this.#oldest = this.#values.keys()
      oldest = this.#oldest.next()
    }
    this.#values.delete(oldest.value as K)
  }
}
