/** Splits lists into parts of few different sizes, because every size is a separate statement that the database prepares and caches. */

const sizes = [200, 50, 10, 1]

/** Parts of 200, then of 50, 10 and 1, in order. */
export function* parts<T>(items: readonly T[]): Generator<readonly T[]> {
  let at = 0
  for (const size of sizes) {
    for (; items.length - at >= size; at += size) yield items.slice(at, at + size)
  }
}

/** For `in (...)`: repeats the last item up to the next power of two. */
export function padded<T>(items: readonly T[]): T[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, items.length)))
  return [...items, ...Array(size - items.length).fill(items.at(-1))]
}
