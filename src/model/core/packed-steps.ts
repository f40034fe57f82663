/** What a step did to series, packed: the entries that it created, those that it changed as they were before, and runs of those that came as they were stored. */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type EntriesBefore, type EntryChanges, keyAt, sourceOfKey, timeOfKey } from '../../store/packed-changes.ts'
import { bytesOf, type Layout, wordsOf } from '../../store/packed-months.ts'
import { newWords } from '../../store/word-slabs.ts'

/** By owner. */
export interface EntryStep {
  readonly before: Map<number, EntriesBefore>
  /** Three words a run, as `Runs` makes them. */
  readonly claimed: Map<number, Uint32Array>
}

/** The owners and times that a step is about. */
export interface StepRange {
  readonly owners: readonly [first: number, last: number]
  readonly times: readonly [first: number, last: number]
}

const headWords = 4
const runHeadWords = 3
const runWords = 3
const keyWords = 2

/** The number of words of what changed, these words, and the runs, which are deflated, because they are much alike. */
export function packChanges(all: ReadonlyMap<number, EntryChanges>, layout: Layout): Buffer {
  const changed = newWords(1 + [...all.values()].reduce((sum, changes) => sum + wordsOfChanges(changes, layout), 0))
  const runs: number[] = []
  let to = 1
  for (const [owner, { created, updated, claimed }] of all) {
    if (created.length + updated.length > 0) {
      changed.set([...ownerWords(owner), created.length / layout.words, updated.length / layout.words / 2], to)
      to += headWords
      const [fresh, pairs] = [created.words(), updated.words()]
      for (let at = 0; at < fresh.length; at += layout.words, to += keyWords) {
        changed[to] = fresh[at] as number
        changed[to + 1] = (fresh[at + 1] as number) & 0xffff_0000
      }
      for (let at = layout.words; at < pairs.length; at += 2 * layout.words, to += layout.words)
        for (let k = 0; k < layout.words; k++) changed[to + k] = pairs[at + k] as number
    }
    if (claimed.words.length > 0) runs.push(...ownerWords(owner), claimed.words.length / runWords, ...claimed.words)
  }
  return packed(changed, runs)
}

function wordsOfChanges({ created, updated }: EntryChanges, layout: Layout): number {
  if (created.length + updated.length === 0) return 0
  return headWords + (created.length / layout.words) * keyWords + updated.length / 2
}

export function packStep({ before, claimed }: EntryStep): Buffer {
  const changed = [0]
  const runs: number[] = []
  for (const [owner, entries] of before) {
    const old = [...entries.values()].filter((one) => one !== null)
    changed.push(...ownerWords(owner), entries.size - old.length, old.length)
    for (const [key, one] of entries) if (one === null) changed.push(timeOfKey(key), (sourceOfKey(key) << 16) >>> 0)
    for (const one of old) changed.push(...one)
  }
  for (const [owner, words] of claimed) runs.push(...ownerWords(owner), words.length / runWords, ...words)
  return packed(Uint32Array.from(changed), runs)
}

export function unpackStep(data: Uint8Array, layout: Layout): EntryStep {
  const words = wordsOf(data.subarray(0, data.byteLength - (data.byteLength % 4)))
  const end = 1 + (words[0] ?? 0)
  const runs = data.byteLength > 4 * end ? wordsOf(inflateRawSync(data.subarray(4 * end))) : new Uint32Array()
  const step: EntryStep = { before: new Map(), claimed: new Map() }
  for (let at = 1; at < end; ) {
    const [low = 0, high = 0, created = 0, changed = 0] = words.subarray(at, at + headWords)
    const entries: EntriesBefore = new Map()
    at += headWords
    for (let i = 0; i < created; i++, at += keyWords) entries.set(keyAt(words, at), null)
    for (let i = 0; i < changed; i++, at += layout.words) entries.set(keyAt(words, at), words.slice(at, at + layout.words))
    step.before.set(high * 2 ** 32 + low, entries)
  }
  for (let at = 0; at < runs.length; ) {
    const [low = 0, high = 0, many = 0] = runs.subarray(at, at + runHeadWords)
    const next = at + runHeadWords + many * runWords
    step.claimed.set(high * 2 ** 32 + low, runs.subarray(at + runHeadWords, next))
    at = next
  }
  return step
}

/** Whether one of the runs is over an entry. */
export function isClaimed(runs: Uint32Array | undefined, key: number): boolean {
  if (runs === undefined) return false
  const [time, source] = [timeOfKey(key), sourceOfKey(key)]
  for (let at = 0; at < runs.length; at += runWords)
    if ((runs[at] as number) <= time && time <= (runs[at + 1] as number) && runs[at + 2] === source) return true
  return false
}

/** Undefined where nothing changed and nothing was claimed. Entries stand in the order of their times, so that only the first and the last are read. */
export function rangeOfChanges(all: ReadonlyMap<number, EntryChanges>, layout: Layout): StepRange | undefined {
  let [firstOwner, lastOwner, firstTime, lastTime] = [Number.MAX_SAFE_INTEGER, -1, 2 ** 32, -1]
  const take = (first: number, last: number) => {
    if (first < firstTime) firstTime = first
    if (last > lastTime) lastTime = last
  }
  for (const [owner, { created, updated, claimed }] of all) {
    const runs = claimed.words
    if (created.length + updated.length + runs.length === 0) continue
    if (owner < firstOwner) firstOwner = owner
    if (owner > lastOwner) lastOwner = owner
    if (created.length > 0) take(created.wordAt(0), created.wordAt(created.length - layout.words))
    if (updated.length > 0) take(updated.wordAt(0), updated.wordAt(updated.length - layout.words))
    for (let at = 0; at < runs.length; at += runWords) take(runs[at] as number, runs[at + 1] as number)
  }
  return lastOwner < 0 ? undefined : { owners: [firstOwner, lastOwner], times: [firstTime, lastTime] }
}

function ownerWords(owner: number): [number, number] {
  return [owner % 2 ** 32, Math.floor(owner / 2 ** 32)]
}

/** The first word is kept free for the number of those that follow it. */
function packed(changed: Uint32Array, runs: readonly number[]): Buffer {
  changed[0] = changed.length - 1
  const whole = bytesOf(changed)
  if (runs.length === 0) return whole
  return Buffer.concat([whole, deflateRawSync(bytesOf(Uint32Array.from(runs)), { level: 1 })])
}
