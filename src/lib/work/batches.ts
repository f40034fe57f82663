/** Long lists in batches: so many rows a statement, and others go first between two of them. */

import { endOfSlice } from './slices.ts'

export function* batchesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** For a list that is short by construction: whoever calls it with a longer one made a mistake. */
export function atMost<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length > most) throw new Error(`There are ${items.length} where there can be ${most}.`)
  return items
}

/** The results of all batches, one batch after the other; a slice that is used up ends after a batch. */
export async function inBatches<T, R>(
  items: readonly T[],
  size: number,
  work: (batch: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = []
  for (const batch of batchesOf(items, size)) {
    results.push(...(await work(batch)))
    await endOfSlice()
  }
  return results
}
