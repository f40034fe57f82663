/** What an import says that it did: every record is counted once, in a dry run as in a real one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportSummary } from '../../../src/model/imports/summary.ts'
import { importLines, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const at = { site: 'example.com', phrase: 'bread' }
const ranking = { type: 'ranking', ...at, search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-14 04:05:06', rank: 3 }
const keyword = { type: 'keyword', ...at, search_volume: 1900 }
const page = { type: 'page', site: 'example.com', source: 'google', page_url: 'https://maps.example/1', match_confidence: 90 }
const review = {
  type: 'review',
  site: 'example.com',
  source: 'google',
  page_url: 'https://maps.example/1',
  ref: 'r1',
  rating: 4,
  date: '2026-11-01',
}
const snapshot = { type: 'snapshot', site: 'example.com', day: '2026-11-14', backlink_count: 3 }
const competitor = { type: 'competitor', site: 'example.com', competitor: 'rival.example' }
const url = 'https://example.com/bread'

/** What comes in one after the other, each time with how many of its records are created, updated and unchanged. */
// biome-ignore format: a table reads by its columns
const deliveries: readonly (readonly [told: string, lines: readonly object[], counted: readonly [number, number, number]])[] = [
  ['a keyword with its facts', [keyword, ranking], [2, 0, 0]],
  ['the same again', [keyword, ranking], [0, 0, 2]],
  ['no address where there is none', [{ ...ranking, url: null }], [0, 0, 1]],
  ['an address', [{ ...ranking, url }], [0, 1, 0]],
  ['no address any more', [{ ...ranking, url: null }], [0, 1, 0]],
  ['no address again', [{ ...ranking, url: null }], [0, 0, 1]],
  ['an unknown day without address', [{ ...ranking, ranked_at: '2026-11-15 04:05:06', url: null }], [1, 0, 0]],
  ['a keyword twice, with other facts', [{ ...keyword, search_volume: 5 }, { ...keyword, search_volume: 6 }], [0, 2, 0]],
  ['a new keyword, then its volume', [{ type: 'keyword', site: 'example.com', phrase: 'rolls' }, { ...keyword, phrase: 'rolls' }], [1, 1, 0]],
  ['a new keyword twice, alike', [{ ...keyword, phrase: 'buns' }, { ...keyword, phrase: 'buns' }], [1, 0, 1]],
  ['a keyword by its ranking, then its volume', [{ ...ranking, phrase: 'cake' }, { ...keyword, phrase: 'cake' }], [2, 0, 0]],
  ['a new ranking twice, otherwise', [{ ...ranking, phrase: 'tart', rank: 1 }, { ...ranking, phrase: 'tart', rank: 2 }], [1, 1, 0]],
  ['a new ranking twice, alike', [{ ...ranking, phrase: 'pie' }, { ...ranking, phrase: 'pie' }], [1, 0, 1]],
  ['pages and reviews twice', [page, { ...page, match_confidence: 80 }, review, { ...review, rating: 5 }, review], [2, 3, 0]],
  ['a day in two parts', [snapshot, { type: 'snapshot', site: 'example.com', day: '2026-11-14', domain_age: 7 }], [1, 1, 0]],
  ['a competitor twice', [{ ...competitor, created_at: '2026-01-01 00:00:00' }, { ...competitor, created_at: '2026-01-01 00:00:00' }], [1, 0, 1]],
  ['a known page by its review, and a location', [{ ...review, ref: 'r2' }, { type: 'location', site: 'example.com' }], [1, 0, 1]],
]

onEachEngine('counts', (place) => {
  const world = worldAt(place)
  for (const [told, lines, counted] of deliveries)
    test(told, async () => {
      const dry = await importLines(world, lines, { createMissing: true, isDryRun: true })
      const real = await importLines(world, lines, { createMissing: true })
      assert.deepEqual(dry.kinds, real.kinds)
      assert.deepEqual(sumOf(real), counted)
    })
})

/** Without what was created besides. */
function sumOf({ kinds }: ImportSummary): number[] {
  const all = Object.values(kinds)
  return (['created', 'updated', 'unchanged'] as const).map((name) =>
    all.reduce((sum, { accepted, ...counts }) => sum + (name === 'created' ? Math.min(accepted, counts.created) : counts[name]), 0),
  )
}
