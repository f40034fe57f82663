/**
 * Time series packed by the month: pack, unpack, merge and the date cut of rankings, the pages that rank, clicks and review counts.
 *
 * A series (a keyword's rankings, a page's review counts) is kept as chunks, at least one for each month it has entries in.
 * A chunk is a row { starts_at, data }; `data` holds its entries as little-endian 32-bit words, without any header:
 *
 *   ranking       2 words   time, source << 16 | rank (0 = looked and not found)
 *   ranked page   3 words   time, source << 16, the subject's code for the address (0 = none)
 *   click count   4 words   time (midnight of its date), source << 16, clicks, impressions
 *   review count  5 words   time (midnight of its date), source << 16, count, rating sum, created_at
 *
 * Times are seconds since 1970 in UTC; `source` is the account's code for (engine, locale). Entries stand in the order in which
 * reports print them: by time, then by the source's name. Chunks read by `starts_at` are in that order as a whole.
 * `starts_at` is the first second of the month, or, where a month was split, the time of the chunk's first entry.
 *
 * A series between two days is read `where starts_at >= monthOf(from) and starts_at <= to order by starts_at`, and from `firstFrom` to `firstAfter` of each row.
 * No other file knows how a word is laid out (docs/decisions/2026-11-15-packed-months.md).
 */

export interface Layout {
  /** The number of words of one entry. */
  readonly words: number
  /** How many of them hold the figures; the words after them are creation times, of which the earlier one is kept. */
  readonly compared: number
}

export interface Chunk {
  readonly starts_at: number
  readonly data: Uint8Array
}

/** The position of each source code in the order of names: `order[code]`. Names never change, so the order of two of them never changes. */
export type SourceOrder = Uint16Array

export const rankingLayout: Layout = { words: 2, compared: 2 }
export const rankedUrlLayout: Layout = { words: 3, compared: 3 }
export const clickCountLayout: Layout = { words: 4, compared: 4 }
export const reviewCountLayout: Layout = { words: 5, compared: 4 }

export const maxRank = 0xffff

/** A month with more words than this (500 rankings, 200 review counts) is split into several chunks, because rewriting one must stay cheap. */
const chunkWords = 1000

export function wordsOf(data: Uint8Array): Uint32Array {
  const aligned = data.byteOffset % 4 === 0 ? data : data.slice()
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >>> 2)
}

export function bytesOf(words: Uint32Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength)
}

export function timeAt(words: Uint32Array, index: number): number {
  return at(words, index)
}

export function sourceAt(words: Uint32Array, index: number): number {
  return at(words, index + 1) >>> 16
}

/** The rank, or 0 where the phrase was looked for and not found. */
export function rankAt(words: Uint32Array, index: number): number {
  return at(words, index + 1) & maxRank
}

/** A rank of null means that the phrase was looked for and not found. */
export function decodeRanking(words: Uint32Array, index: number) {
  return { time: timeAt(words, index), source: sourceAt(words, index), rank: rankAt(words, index) || null }
}

/** Which page was ranked; a code of 0 means none. */
export function decodeRankedUrl(words: Uint32Array, index: number) {
  return { time: timeAt(words, index), source: sourceAt(words, index), code: at(words, index + 2) }
}

export function decodeClickCount(words: Uint32Array, index: number) {
  return { time: timeAt(words, index), source: sourceAt(words, index), clicks: at(words, index + 2), impressions: at(words, index + 3) }
}

export function decodeReviewCount(words: Uint32Array, index: number) {
  const [count, ratingSum, createdAt] = [at(words, index + 2), at(words, index + 3), at(words, index + 4)]
  return { time: timeAt(words, index), source: sourceAt(words, index), count, ratingSum, createdAt }
}

/** The index of the first word of the first entry at or after `time`. */
export function firstFrom(words: Uint32Array, layout: Layout, time: number): number {
  let low = 0
  let high = words.length / layout.words
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(words, middle * layout.words) < time) low = middle + 1
    else high = middle
  }
  return low * layout.words
}

/** The index after the last word of the last entry at or before `time`. */
export function firstAfter(words: Uint32Array, layout: Layout, time: number): number {
  return firstFrom(words, layout, time + 1)
}

/** The first second of the month that contains `time`. */
export function monthOf(time: number): number {
  const date = new Date(time * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
}

export function nextMonth(month: number): number {
  const date = new Date(month * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000
}

/** Splits sorted entries into months. */
export function byMonth(words: Uint32Array, layout: Layout): { month: number; words: Uint32Array }[] {
  const months: { month: number; words: Uint32Array }[] = []
  for (let start = 0; start < words.length; ) {
    const month = monthOf(at(words, start))
    const end = firstFrom(words, layout, nextMonth(month))
    months.push({ month, words: words.subarray(start, end) })
    start = end
  }
  return months
}

export function at(words: Uint32Array, index: number): number {
  return words[index] as number
}

export function compare(a: Uint32Array, i: number, b: Uint32Array, j: number, order: SourceOrder): number {
  return at(a, i) - at(b, j) || (order[at(a, i + 1) >>> 16] as number) - (order[at(b, j + 1) >>> 16] as number)
}

/** Stands for an unknown creation time. It is later than every time, so that any known one is earlier. */
export const untold = 0xffff_ffff

/**
 * Full chunks are cut from the front, so that entries added at the end of a month rewrite only its last chunk. The first chunk keeps the start of the chunk
 * it replaces, or begins the month.
 */
export function split(words: Uint32Array, layout: Layout, first?: number, size = chunkWords): Chunk[] {
  const chunks: Chunk[] = []
  for (let start = 0; start < words.length; ) {
    const end = endOfChunk(words, start, layout, size)
    const starts_at = start === 0 ? (first ?? monthOf(at(words, 0))) : at(words, start)
    chunks.push({ starts_at, data: bytesOf(words.subarray(start, end)) })
    start = end
  }
  return chunks
}

/** For a chunk in the middle of its month: chunks of about the same size leave room for later insertions. */
export function splitEvenly(words: Uint32Array, layout: Layout, first?: number): Chunk[] {
  const count = Math.ceil(words.length / chunkWords)
  return split(words, layout, first, Math.ceil(words.length / count / layout.words) * layout.words)
}

/** A chunk never ends within entries of the same time, because `starts_at` could not tell it from the next one. */
function endOfChunk(words: Uint32Array, start: number, layout: Layout, size: number): number {
  const full = start + size - (size % layout.words)
  if (words.length <= full) return words.length
  const end = firstFrom(words, layout, at(words, full))
  return end > start ? end : firstAfter(words, layout, at(words, full))
}
