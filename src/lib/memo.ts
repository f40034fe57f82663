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

/**
 * An LRU cache in two generations: it holds at most a given number of values, and at least the half that was used last. A value is copied to the young
 * generation when it is used; once that is full, it becomes the old one, and what was left in the old one is evicted. Nothing is ever deleted from a map:
 * a map in which each use deletes and adds a key is rehashed so often that a use took 18 microseconds instead of 1.
 */
export class Lru<K, V> {
  readonly #mostYoung: number
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  constructor(most: number) {
    this.#mostYoung = Math.ceil(most / 2)
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    return old === undefined ? undefined : this.set(key, old)
  }

  set(key: K, value: V): V {
    if (this.#young.size >= this.#mostYoung && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
    return value
  }
}
