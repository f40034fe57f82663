/** Merges entries into the chunks of packed months, and reverts such a merge. */

import { at, type Chunk, compare, firstFrom, type Layout, type SourceOrder, split, splitEvenly, untold, wordsOf } from './packed-months.ts'
import { newWords } from './word-slabs.ts'

const noWords = newWords(0)

/** A growing list of 32-bit words. */
export class WordList {
  #words = noWords
  length = 0

  add(from: Uint32Array, start: number, count: number): void {
    if (this.length + count > this.#words.length) this.#grow(count)
    for (let k = 0; k < count; k++) this.#words[this.length + k] = from[start + k] as number
    this.length += count
  }

  wordAt(index: number): number {
    return at(this.#words, index)
  }

  words(): Uint32Array {
    return this.#words.subarray(0, this.length)
  }

  #grow(count: number): void {
    const longer = newWords(Math.max(2 * this.#words.length, this.length + count))
    longer.set(this.#words)
    this.#words = longer
  }
}

/** Entries that came as they were stored: for each run its first time, its last time and the source, of which it has every entry in between. */
export class Runs {
  readonly words: number[] = []
  /** The place of the run of each source that goes on. */
  #open: Map<number, number> | undefined

  claim(from: Uint32Array, place: number): void {
    const [time, source] = [at(from, place), at(from, place + 1) >>> 16]
    this.#open ??= new Map()
    const run = this.#open.get(source)
    if (run === undefined) this.#open.set(source, this.words.push(time, time, source) - 3)
    else this.words[run + 1] = time
  }

  /** An entry that did not come. */
  pass(from: Uint32Array, place: number): void {
    this.#open?.delete(at(from, place + 1) >>> 16)
  }

  end(): void {
    this.#open = undefined
  }
}

export interface EntryChanges {
  /** Entries as they were written. */
  readonly created: WordList
  /** Pairs of an entry as written and the entry it replaced. */
  readonly updated: WordList
  readonly claimed: Runs
}

export function noChanges(): EntryChanges {
  return { created: new WordList(), updated: new WordList(), claimed: new Runs() }
}

export interface Merged {
  /** Chunks that did not change are the same objects as before. */
  readonly chunks: Chunk[]
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

/**
 * Merges sorted entries into the chunks of their month and counts the changes. A new entry without a creation time gets `now`. Only chunks that receive
 * entries are rewritten, so that one entry costs the same in a month of ten as in a month of a million. The chunks given are all of the month, or, where
 * `isEnd` is false, some that are followed by others.
 */
export function merge(
  existing: readonly Chunk[],
  incoming: Uint32Array,
  layout: Layout,
  order: SourceOrder,
  now = untold,
  changes?: EntryChanges,
  isEnd = true,
): Merged {
  if (existing.length === 0) return mergeChunk(undefined, incoming, layout, order, now, changes, isEnd)
  const sum = { chunks: [] as Chunk[], created: 0, updated: 0, unchanged: 0 }
  let start = 0
  for (const [index, chunk] of existing.entries()) {
    const next = existing[index + 1]
    const end = next === undefined ? incoming.length : firstFrom(incoming, layout, next.starts_at)
    const some = incoming.subarray(start, end)
    start = end
    if (some.length === 0) sum.chunks.push(chunk)
    else add(sum, mergeChunk(chunk, some, layout, order, now, changes, isEnd && next === undefined))
  }
  return sum
}

function add(sum: { chunks: Chunk[]; created: number; updated: number; unchanged: number }, one: Merged): void {
  for (const chunk of one.chunks) sum.chunks.push(chunk)
  sum.created += one.created
  sum.updated += one.updated
  sum.unchanged += one.unchanged
}

function mergeChunk(
  chunk: Chunk | undefined,
  incoming: Uint32Array,
  layout: Layout,
  order: SourceOrder,
  now: number,
  changes: EntryChanges | undefined,
  isLast: boolean,
): Merged {
  const old = chunk === undefined ? noWords : wordsOf(chunk.data)
  const out = newWords(old.length + incoming.length)
  let length = 0
  let [created, updated, unchanged] = [0, 0, 0]
  let [i, j] = [0, 0]
  const take = (from: Uint32Array, index: number, count: number) => {
    for (let k = 0; k < count; k++) out[length + k] = at(from, index + k)
  }
  while (i < old.length || j < incoming.length) {
    const before = i === old.length ? 1 : j === incoming.length ? -1 : compare(old, i, incoming, j, order)
    if (before < 0) {
      changes?.claimed.pass(old, i)
      take(old, i, layout.words)
      i += layout.words
    } else if (before > 0) {
      take(incoming, j, layout.words)
      for (let k = layout.compared; k < layout.words; k++) if (out[length + k] === untold) out[length + k] = now
      changes?.created.add(out, length, layout.words)
      j += layout.words
      created++
    } else {
      const isUpdate = isNews(old, i, incoming, j, layout)
      take(old, i, layout.words)
      take(incoming, j, layout.compared)
      for (let k = layout.compared; k < layout.words; k++) out[length + k] = Math.min(at(old, i + k), at(incoming, j + k))
      if (isUpdate) {
        changes?.updated.add(out, length, layout.words)
        changes?.updated.add(old, i, layout.words)
        updated++
      } else {
        changes?.claimed.claim(old, i)
        unchanged++
      }
      i += layout.words
      j += layout.words
    }
    length += layout.words
  }
  changes?.claimed.end()
  if (chunk !== undefined && created + updated === 0) return { chunks: [chunk], created, updated, unchanged }
  const cut = isLast ? split : splitEvenly
  return { chunks: cut(out.subarray(0, length), layout, chunk?.starts_at), created, updated, unchanged }
}

function isNews(old: Uint32Array, i: number, incoming: Uint32Array, j: number, layout: Layout): boolean {
  for (let k = 0; k < layout.compared; k++) if (old[i + k] !== incoming[j + k]) return true
  for (let k = layout.compared; k < layout.words; k++) if (at(incoming, j + k) < at(old, i + k)) return true
  return false
}

export interface Reverted {
  readonly chunks: Chunk[]
  readonly reverted: number
  /** Entries that were changed again later or are gone; they are left as they are. */
  readonly left: Uint32Array[]
}

/** Removes created entries from the chunks of one month, and restores the replaced ones. */
export function revert(existing: readonly Chunk[], created: Uint32Array, updated: Uint32Array, layout: Layout): Reverted {
  const words = Uint32Array.from(existing.flatMap(({ data }) => [...wordsOf(data)]))
  const places = new Map<number, number>()
  for (let at = 0; at < words.length; at += layout.words) places.set(keyAt(words, at), at)
  const gone = new Set<number>()
  const left: Uint32Array[] = []
  const undo = (from: Uint32Array, at: number, back: (place: number) => void) => {
    const place = places.get(keyAt(from, at))
    if (place !== undefined && isSame(words, place, from, at, layout)) back(place)
    else left.push(from.slice(at, at + layout.words))
  }
  for (let at = 0; at < created.length; at += layout.words) undo(created, at, (place) => gone.add(place))
  for (let at = 0; at < updated.length; at += 2 * layout.words)
    undo(updated, at, (place) => words.set(updated.subarray(at + layout.words, at + 2 * layout.words), place))
  const all = created.length / layout.words + updated.length / (2 * layout.words)
  return { chunks: split(without(words, gone, layout), layout), reverted: all - left.length, left }
}

/** Entries without those that go, and with those that come back in the place of what is stored; what is gone by now stays gone. */
export function withoutChanges(
  existing: readonly Chunk[],
  before: EntriesBefore,
  layout: Layout,
  each: (key: number, old: Uint32Array | null) => void = () => {},
): Pick<Reverted, 'chunks' | 'reverted'> {
  const kept = new WordList()
  let reverted = 0
  for (const { data } of existing) {
    const words = wordsOf(data)
    for (let at = 0; at < words.length; at += layout.words) {
      const old = before.get(keyAt(words, at))
      if (old !== undefined) {
        reverted++
        each(keyAt(words, at), old)
      }
      if (old === undefined) kept.add(words, at, layout.words)
      else if (old !== null) kept.add(old, 0, layout.words)
    }
  }
  return { chunks: split(kept.words(), layout), reverted }
}

/** What entries were before, by their keys; null where there was none. */
export type EntriesBefore = Map<number, Uint32Array | null>

export function timeOfKey(key: number): number {
  return Math.floor(key / 65_536)
}

export function sourceOfKey(key: number): number {
  return key % 65_536
}

/** Time and source as one number; both fit into its 53 bits. */
export function keyAt(words: Uint32Array, at: number): number {
  return (words[at] as number) * 65_536 + ((words[at + 1] as number) >>> 16)
}

function isSame(a: Uint32Array, i: number, b: Uint32Array, j: number, layout: Layout): boolean {
  for (let k = 0; k < layout.words; k++) if (a[i + k] !== b[j + k]) return false
  return true
}

function without(words: Uint32Array, gone: ReadonlySet<number>, layout: Layout): Uint32Array {
  const kept = new WordList()
  for (let at = 0; at < words.length; at += layout.words) if (!gone.has(at)) kept.add(words, at, layout.words)
  return kept.words()
}
