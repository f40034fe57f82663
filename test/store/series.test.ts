/** The table of series says of each where it lies and how its entries are laid out, and everything that knows all series knows each. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dependents } from '../../src/model/partners/dependents.ts'
import { observations } from '../../src/resources/observation.ts'
import { clickCountLayout, rankedUrlLayout, rankingLayout, reviewCountLayout } from '../../src/store/packed-months.ts'
import { placement } from '../../src/store/placement.ts'
import { allSeries, series, seriesOf } from '../../src/store/series.ts'

describe('packed series', () => {
  test('their figures add up to the layouts that reports read by', () => {
    const { ranking, ranked_url, click_count, review_count } = series
    const layouts = [ranking, ranked_url, click_count, review_count].map(({ layout }) => layout)
    assert.deepEqual(layouts, [rankingLayout, rankedUrlLayout, clickCountLayout, reviewCountLayout])
  })

  test('each is known by the fields of its record, which together with the owner are its key', () => {
    for (const { record, source, locale, time, figures } of allSeries) {
      const { fields, key } = observations[record] as { fields: object; key: readonly string[] }
      for (const field of [...source, time, ...Object.keys(figures)]) assert.ok(Object.hasOwn(fields, field), `${record} ${field}`)
      for (const field of [...source, time, ...(locale === undefined ? [] : [locale])]) assert.ok(key.includes(field), `${record} ${field}`)
    }
  })

  test('each lies with its account, and goes with its owner', () => {
    for (const { table, owner } of allSeries) {
      assert.equal(placement[table], 'measured')
      assert.ok(dependents.some((one) => one.table === table && one.column === owner && one.rows === 'go' && one.holds))
    }
  })

  test('the series that a record always has comes first', () => {
    for (const { record } of allSeries) assert.equal(seriesOf(record)[0].name, record)
  })
})
