/** Memory of what was made before, bounded: the least recently used goes first (LRU). */

export interface MemoBounds {
  readonly most: number
  /** Texts longer than this are not remembered. */
  readonly longest: number
}

/** What was made of a text; clients send the same ones again and again. */
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

/** What was made of a short key, such as a day; begins anew when it is full. Far cheaper to ask than an LRU, where the same few hundred are asked for thousands of times. */
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

/** What was made of an object, for as long as the object lives. */
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

/** A map of at most so many values. */
export class Lru<K, V> {
  readonly #most: number
  /** In the order of their last use. */
  readonly #values = new Map<K, V>()
  /** Goes on from where it was: a new iterator would pass by everything that was removed before it, once for each value. */
  #oldest = this.#values.keys()
  #newest: K | undefined

  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    const value = this.#values.get(key)
    // Many ask for the same value again and again: then nothing need be moved.
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
