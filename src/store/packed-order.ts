/** Sorts the entries of packed months into the stored order. */

import { at, compare, type Layout, type SourceOrder } from './packed-months.ts'

/** Sorts entries and removes duplicates: of two with the same time and source, the later one in `words` is kept, with the earlier creation time. */
export function inOrder(words: Uint32Array, layout: Layout, order: SourceOrder, doubled?: Doubled): Uint32Array {
  return isInOrder(words, layout, order) ? words : sorted(words, layout, order, doubled)
}

/** How many of the duplicates had other figures than the one before. */
export interface Doubled {
  updated: number
}

function isInOrder(words: Uint32Array, layout: Layout, order: SourceOrder): boolean {
  for (let i = layout.words; i < words.length; i += layout.words) {
    if (compare(words, i - layout.words, words, i, order) >= 0) return false
  }
  return true
}

function sorted(words: Uint32Array, layout: Layout, order: SourceOrder, doubled: Doubled | undefined): Uint32Array {
  const starts = sortedStarts(words, layout, order)
  const out = new Uint32Array(words.length)
  let length = 0
  for (let i = 0; i < starts.length; i++) {
    const start = at(starts, i)
    const isAgain = length > 0 && compare(out, length - layout.words, words, start, order) === 0
    if (isAgain) length -= layout.words
    if (isAgain && doubled && isOther(out, length, words, start, layout)) doubled.updated++
    for (let k = 0; k < layout.words; k++) {
      const word = at(words, start + k)
      out[length + k] = isAgain && k >= layout.compared ? Math.min(at(out, length + k), word) : word
    }
    length += layout.words
  }
  return out.subarray(0, length)
}

function isOther(a: Uint32Array, i: number, b: Uint32Array, j: number, layout: Layout): boolean {
  for (let k = 0; k < layout.compared; k++) if (a[i + k] !== b[j + k]) return true
  return false
}

/** From this many entries on, a radix sort is faster than comparisons, and its time does not depend on their order. */
const manyEntries = 2_000

function sortedStarts(words: Uint32Array, layout: Layout, order: SourceOrder): Uint32Array {
  let starts = new Uint32Array(words.length / layout.words)
  for (let i = 0; i < starts.length; i++) starts[i] = i * layout.words
  if (starts.length < manyEntries) return starts.sort((a, b) => compare(words, a, words, b, order) || a - b)
  const digits = new Uint16Array(starts.length)
  for (let i = 0; i < starts.length; i++) digits[i] = order[at(words, at(starts, i) + 1) >>> 16] as number
  starts = distributed(starts, digits)
  for (let i = 0; i < starts.length; i++) digits[i] = at(words, at(starts, i))
  starts = distributed(starts, digits)
  for (let i = 0; i < starts.length; i++) digits[i] = at(words, at(starts, i)) >>> 16
  return distributed(starts, digits)
}

/** One pass of a radix sort: a stable counting sort by 16-bit digits. */
function distributed(starts: Uint32Array, digits: Uint16Array): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(65_537)
  for (let i = 0; i < digits.length; i++) places[(digits[i] as number) + 1] = at(places, (digits[i] as number) + 1) + 1
  for (let i = 1; i < places.length; i++) places[i] = at(places, i) + at(places, i - 1)
  const out = new Uint32Array(starts.length)
  for (let i = 0; i < starts.length; i++) {
    const place = at(places, digits[i] as number)
    out[place] = at(starts, i)
    places[digits[i] as number] = place + 1
  }
  return out
}
