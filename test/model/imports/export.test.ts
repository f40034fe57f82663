/** What comes out goes in again: import(export(x)) = x, whatever x is. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { exportObservations } from '../../../src/model/imports/export.ts'
import { importLines, makeWorld, type World } from '../../support/data.ts'
import { type EngineName, engineNames, freshPlace } from '../../support/engines.ts'

const text = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .filter((value) => value.isWellFormed() && !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(value))
const label = text.map((value) => value.trim()).filter((value) => value !== '' && [...value].length <= 50)
const day = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2105-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const time = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2105-12-30'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`)
const figure = fc.integer({ min: 0, max: 2_147_483_647 })
const percent = fc.integer({ min: 0, max: 100 })
const url = fc.constantFrom('https://a.example/', 'http://b.example/?a=1&b=<>', 'https://c.example/ü')
const few = <T>(...values: T[]) => fc.constantFrom(...values)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const place = { account: few(2, 3), site: fc.constant('shared.example'), competitor: maybe(few('one.example', 'two.example')) }
const page = { page_url: url, page_source: maybe(label), source: label }

const record = fc.oneof(
  fc.record({
    type: fc.constant('location'),
    account: place.account,
    site: place.site,
    twitter_page: maybe(fc.option(text)),
    facebook_page: maybe(fc.option(text)),
    created_at: maybe(time),
  }),
  fc.record({
    type: fc.constant('keyword'),
    ...place,
    phrase: fc.oneof(label, few('one', 'two')),
    search_volume: maybe(fc.option(figure)),
    tags: maybe(fc.option(fc.array(label, { maxLength: 4 }).map((tags) => tags.join(', ')))),
  }),
  fc.record({
    type: fc.constant('snapshot'),
    ...place,
    day,
    download_time: maybe(fc.double({ min: 0, max: 1000, noNaN: true })),
    domain_authority: maybe(fc.option(percent)),
    backlink_count: maybe(figure),
    domain_age: maybe(figure),
  }),
  fc.record({
    type: fc.constant('backlink'),
    ...place,
    found_on: day,
    link_strength: figure,
    source_url: url,
    domain_authority: percent,
    anchor_text: maybe(text),
  }),
  fc.record({
    type: fc.constant('ranking'),
    ...place,
    phrase: few('one', 'two'),
    search_engine: label,
    locale: label,
    ranked_at: time,
    rank: fc.option(fc.integer({ min: 1, max: 65_535 })),
    url: maybe(fc.option(url)),
  }),
  fc.record({
    type: fc.constant('click_count'),
    ...place,
    phrase: few('one', 'two'),
    search_engine: label,
    date: day,
    clicks: figure,
    impressions: figure,
  }),
  fc.record({
    type: fc.constant('page'),
    ...place,
    source: label,
    page_url: url,
    match_confidence: maybe(percent),
    last_updated: maybe(day),
    created_at: maybe(time),
  }),
  fc.record({
    type: fc.constant('review'),
    ...place,
    ...page,
    ref: maybe(label),
    rating: fc.integer({ min: 1, max: 5 }),
    date: day,
    business_name: maybe(text),
    sentiment_score: maybe(fc.integer({ min: -100, max: 100 })),
    total: maybe(figure),
    header: maybe(text),
    detail: maybe(text),
    user: maybe(text),
  }),
  fc.record({
    type: fc.constant('review_count'),
    ...place,
    ...page,
    date: day,
    count: figure,
    rating_sum: figure,
    created_at: maybe(time),
  }),
)

describe('export and import', () => {
  for (const engine of engineNames) {
    test(`any data comes back the same from its own export, on ${engine}`, async () => {
      const runs = engine === 'sqlite' ? 10 : 4
      await fc.assert(
        fc.asyncProperty(fc.array(record, { maxLength: 90, size: 'max' }), async (lines) => {
          const first = await exportOf(engine, lines)
          assert.deepEqual(await exportOf(engine, first), first)
        }),
        { numRuns: runs, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
      )
    })
  }

  test('one account and the kinds that are wanted can be exported alone', async () => {
    const lines = [
      { type: 'keyword', account: 2, site: 'shared.example', phrase: 'bread' },
      { type: 'keyword', account: 3, site: 'shared.example', phrase: 'rolls' },
    ]
    const world = await freshWorld('sqlite')
    await importLines(world, lines)
    assert.deepEqual(await exported(world, { accountId: 3, kinds: ['keyword'] }), [
      { type: 'keyword', site: 'shared.example', phrase: 'rolls' },
    ])
  })
})

const worlds: (() => Promise<void>)[] = []
after(async () => {
  for (const remove of worlds) await remove()
})

async function freshWorld(engine: EngineName): Promise<World> {
  const at = await freshPlace(engine)
  const world = await makeWorld(at.env)
  worlds.push(async () => {
    await world.app.close()
    await at.remove()
  })
  return world
}

async function exportOf(engine: EngineName, lines: readonly object[]): Promise<object[]> {
  const world = await freshWorld(engine)
  const { faults } = await importLines(world, lines, { createMissing: true })
  assert.deepEqual(faults, [])
  return exported(world)
}

async function exported(world: World, options = {}): Promise<object[]> {
  let text = ''
  await exportObservations(world.operator, options, async (piece) => {
    text += piece
  })
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
