/** Long lists worked on in time slices: visited, mapped, filtered and sorted without holding the event loop, however long they are. */

import { endOfSlice } from './slices.ts'

/** So many small steps are done before the clock is read. */
const stepsAtOnce = 32
const sortedAtOnce = 500

/** Counted across lists, because very many short lists take as long as a long one. */
let steps = 0

export async function eachInSlices<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  for (const item of items) {
    visit(item)
    steps += 1
    if (steps % stepsAtOnce === 0) await endOfSlice()
  }
}

export async function mapInSlices<T, R>(items: Iterable<T>, make: (item: T) => R): Promise<R[]> {
  const made: R[] = []
  await eachInSlices(items, (item) => made.push(make(item)))
  return made
}

export async function filterInSlices<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Promise<T[]> {
  const wanted: T[] = []
  await eachInSlices(items, (item) => {
    if (isWanted(item)) wanted.push(item)
  })
  return wanted
}

export function* batchesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** For a list that is short by construction: whoever calls it with a longer one made a mistake. */
export function atMost<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length > most) throw new Error(`There are ${items.length} where there can be ${most}.`)
  return items
}

/** The results of all batches, one batch after the other. */
export async function inBatches<T, R>(
  items: readonly T[],
  size: number,
  work: (batch: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = []
  for (const batch of batchesOf(items, size)) results.push(...(await work(batch)))
  return results
}

/** Items that compare as equal keep their order. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += sortedAtOnce) {
    runs.push(items.slice(start, start + sortedAtOnce).sort(compare))
    await endOfSlice()
  }
  while (runs.length > 1) runs = await mergedPairs(runs, compare)
  return runs[0] ?? []
}

async function mergedPairs<T>(runs: readonly T[][], compare: (a: T, b: T) => number): Promise<T[][]> {
  const merged: T[][] = []
  for (let index = 0; index < runs.length; index += 2) merged.push(await mergedRun(runs[index] ?? [], runs[index + 1] ?? [], compare))
  return merged
}

async function mergedRun<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const merged: T[] = []
  let [atLeft, atRight] = [0, 0]
  while (atLeft < left.length || atRight < right.length) {
    const isLeft = atRight === right.length || (atLeft < left.length && compare(left[atLeft] as T, right[atRight] as T) <= 0)
    merged.push((isLeft ? left[atLeft++] : right[atRight++]) as T)
    if (merged.length % sortedAtOnce === 0) await endOfSlice()
  }
  return merged
}
