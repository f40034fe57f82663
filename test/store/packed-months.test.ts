/** Packed months hold what a plain list would hold, in whatever order entries arrive. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { merge, noChanges, revert } from '../../src/store/packed-changes.ts'
import type { Chunk, Layout } from '../../src/store/packed-months.ts'
import {
  byMonth,
  firstAfter,
  firstFrom,
  monthOf,
  nextMonth,
  rankingLayout,
  reviewCountLayout,
  wordsOf,
} from '../../src/store/packed-months.ts'
import { inOrder } from '../../src/store/packed-order.ts'
import { fc } from '../support/properties.ts'

type Entry = readonly number[]

const year = 1_760_000_000
const sources = 6
const order = Uint16Array.of(3, 0, 5, 1, 4, 2)

function entries(layout: Layout, spanSeconds: number) {
  const values = Array.from({ length: layout.words - 1 }, () => fc.integer({ min: 0, max: 3 }))
  return fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: spanSeconds }), fc.integer({ min: 0, max: sources - 1 }), ...values)
      .map(([time, source, low, ...rest]) => [year + time, source * 65_536 + (layout.words === 2 ? (low ?? 0) : 0), ...rest]),
    { maxLength: 700, size: 'max' },
  )
}

/** The plain list: a map by key, as rows in a table with a unique key would be. */
function apply(list: Map<string, Entry>, batch: readonly Entry[], layout: Layout) {
  const last = new Map<string, Entry>()
  for (const entry of batch) last.set(keyOf(entry), over(last.get(keyOf(entry)), entry, layout))
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const [key, entry] of last) {
    const known = list.get(key)
    const next = over(known, entry, layout)
    counts[known ? (`${known}` === `${next}` ? 'unchanged' : 'updated') : 'created']++
    list.set(key, next)
  }
  return counts
}

function over(known: Entry | undefined, entry: Entry, layout: Layout): Entry {
  return known ? entry.map((word, i) => (i < layout.compared ? word : Math.min(word, known[i] as number))) : entry
}

function keyOf(entry: Entry) {
  return `${entry[0]} ${(entry[1] as number) >>> 16}`
}

function inPrintedOrder(list: Map<string, Entry>) {
  const place = (entry: Entry) => order[(entry[1] as number) >>> 16] as number
  return [...list.values()].sort((a, b) => (a[0] as number) - (b[0] as number) || place(a) - place(b))
}

function store(chunks: Map<number, Chunk>, batch: readonly Entry[], layout: Layout) {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const { month, words } of byMonth(inOrder(Uint32Array.from(batch.flat()), layout, order), layout)) {
    const old = within(chunks, month, nextMonth(month) - 1)
    const merged = merge(old, words, layout, order)
    for (const chunk of old) chunks.delete(chunk.starts_at)
    for (const chunk of merged.chunks) chunks.set(chunk.starts_at, chunk)
    for (const name of ['created', 'updated', 'unchanged'] as const) counts[name] += merged[name]
  }
  return counts
}

function within(chunks: Map<number, Chunk>, from: number, to: number) {
  return [...chunks.values()].filter((chunk) => chunk.starts_at >= from && chunk.starts_at <= to).sort((a, b) => a.starts_at - b.starts_at)
}

function read(chunks: Map<number, Chunk>, from: number, to: number, layout: Layout): Entry[] {
  return within(chunks, monthOf(from), to).flatMap(({ data }) => {
    const words = wordsOf(data)
    const found: Entry[] = []
    const end = firstAfter(words, layout, to)
    for (let i = firstFrom(words, layout, from); i < end; i += layout.words) found.push([...words.subarray(i, i + layout.words)])
    return found
  })
}

const cases = [
  ['rankings over a year', rankingLayout, 31_536_000],
  ['rankings crowded into minutes', rankingLayout, 600],
  ['review counts over a quarter', reviewCountLayout, 7_776_000],
] as const

describe('packed months', () => {
  for (const [what, layout, span] of cases) {
    test(`${what} read like a plain list after any sequence of batches, and count what changed`, () => {
      const batches = fc.array(entries(layout, span), { maxLength: 6 })
      const cuts = fc.tuple(fc.integer({ min: -10, max: span + 10 }), fc.integer({ min: -10, max: span + 10 }))
      fc.assert(
        fc.property(batches, cuts, (arrivals, [from, to]) => {
          const list = new Map<string, Entry>()
          const chunks = new Map<number, Chunk>()
          for (const batch of arrivals) assert.deepEqual(store(chunks, batch, layout), apply(list, batch, layout))
          assert.deepEqual(read(chunks, 0, 2 ** 32 - 1, layout), inPrintedOrder(list))
          const cut = inPrintedOrder(list).filter(([time]) => (time as number) >= year + from && (time as number) <= year + to)
          assert.deepEqual(read(chunks, year + from, year + to, layout), cut)
        }),
        { numRuns: 60 },
      )
    })
  }

  test('a month of hourly rankings is kept in chunks of at most 500, and a late one finds its place', () => {
    const chunks = new Map<number, Chunk>()
    const month = monthOf(year)
    const hourly = Array.from({ length: 2232 }, (_, n) => [month + Math.floor(n / 3) * 3600, (n % 3) * 65_536 + 1])
    store(chunks, hourly, rankingLayout)
    assert.ok([...chunks.values()].every((chunk) => chunk.data.byteLength <= 4000))
    assert.deepEqual(store(chunks, [[month + 1, 65_536]], rankingLayout), { created: 1, updated: 0, unchanged: 0 })
    assert.deepEqual(read(chunks, month + 1, month + 1, rankingLayout), [[month + 1, 65_536]])
    assert.equal(read(chunks, 0, 2 ** 32 - 1, rankingLayout).length, 2233)
  })

  test('thousands of entries are put in order as few are, and of two with one key the later one stays', () => {
    const entries = Array.from({ length: 6_000 }, (_, i) => [year + ((i * 7_919) % 5_000) * 40_000, ((i * 31) % sources) * 65_536 + i])
    const list = new Map<string, Entry>()
    apply(list, entries, rankingLayout)
    const words = inOrder(Uint32Array.from(entries.flat()), rankingLayout, order)
    assert.deepEqual(
      Array.from({ length: words.length / 2 }, (_, i) => [...words.subarray(2 * i, 2 * i + 2)]),
      inPrintedOrder(list),
    )
  })

  test('an entry in the middle of a long month rewrites the chunk it falls into, and parts it in the middle', () => {
    const month = monthOf(year)
    const all = Array.from({ length: 5_000 }, (_, n) => [month + 2 * n, 65_536 + 1]).flat()
    const before = merge([], Uint32Array.from(all), rankingLayout, order).chunks
    const { chunks } = merge(before, Uint32Array.of(month + 3_001, 65_536 + 2), rankingLayout, order)
    assert.deepEqual([before.length, chunks.length], [10, 11])
    assert.equal(chunks.filter((chunk) => before.includes(chunk)).length, 9)
    assert.deepEqual(
      chunks.slice(2, 6).map(({ data }) => data.byteLength / 8),
      [500, 251, 250, 500],
    )
  })

  test('what a merge created and changed can be taken back, and what was changed again is left alone', () => {
    const month = monthOf(year)
    const words = (...list: Entry[]) => Uint32Array.from(list.flat())
    const first = merge([], words([month, 65_536 + 1], [month + 5, 65_536 + 2]), rankingLayout, order).chunks
    const changes = noChanges()
    const second = merge(
      first,
      words([month, 65_536 + 9], [month + 7, 65_536 + 3], [month + 8, 65_536 + 4]),
      rankingLayout,
      order,
      0,
      changes,
    )
    assert.deepEqual([second.created, second.updated], [2, 1])
    const third = merge(second.chunks, words([month + 8, 65_536 + 7], [month + 9, 65_536 + 5]), rankingLayout, order).chunks
    const back = revert(third, changes.created.words(), changes.updated.words(), rankingLayout)
    assert.equal(back.reverted, 2)
    assert.deepEqual(
      back.left.map((entry) => [...entry]),
      [[month + 8, 65_536 + 4]],
    )
    const left = back.chunks.flatMap(({ data }) => [...wordsOf(data)])
    assert.deepEqual(left, [month, 65_537, month + 5, 65_538, month + 8, 65_543, month + 9, 65_541])
  })

  test('words are read from bytes at an odd place in their buffer', () => {
    const shifted = new Uint8Array(9)
    shifted.set(new Uint8Array(Uint32Array.of(7, 8).buffer), 1)
    assert.deepEqual([...wordsOf(shifted.subarray(1))], [7, 8])
  })
})
