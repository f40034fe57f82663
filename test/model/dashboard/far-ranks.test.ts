/** Ranks beyond the thousandth place: reported as they came, and on pages counted as not found. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { PersonCaller } from '../../../src/model/core/caller.ts'
import { keywordHistory } from '../../../src/model/dashboard/keyword-history.ts'
import { searchFigures } from '../../../src/model/dashboard/search.ts'
import { openSite } from '../../../src/model/people/visible-sites.ts'
import { decodeRanking, wordsOf } from '../../../src/store/packed-months.ts'
import { importLines } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

const ranks = [1000, 1001, 65_535]
const period = { from: '2026-11-05', to: '2026-11-14', before: null }

onEachEngine('ranks beyond the thousandth', (place) => {
  const world = doorWorldAt(place)
  let dana: PersonCaller
  before(async () => {
    const lines = ranks.map((rank, n) => ({
      type: 'ranking',
      site: 'chicago.harbor.example',
      phrase: 'dentist',
      search_engine: 'Google',
      locale: 'en-us',
      ranked_at: `2026-11-1${n} 04:00:00`,
      rank,
    }))
    await importLines({ ...world, target: { partnerId: world.partnerId }, siteId: 0, otherAccountId: 0 }, lines, { createMissing: true })
    dana = (await world.enter('dana-owner')).person
  })

  test('are stored as given', async () => {
    const { data } = await world.app.store.db.selectFrom('ranking_months').select('data').executeTakeFirstOrThrow()
    const words = wordsOf(data)
    assert.deepEqual(
      [0, 2, 4].map((index) => decodeRanking(words, index).rank),
      ranks,
    )
  })

  test('are not found on pages', async () => {
    const site = await openSite(dana, world.chicago)
    const question = { period, engine: null, locale: null, device: null, location: null, isSplit: false, zone: 'UTC' }
    const { own } = await searchFigures(dana, site, question)
    assert.deepEqual(
      own.days().map((one) => [one.day, one.average, one.found, one.missing]),
      [
        ['2026-11-10', 1000, 1, 0],
        ['2026-11-11', null, 0, 1],
        ['2026-11-12', null, 0, 1],
      ],
    )
    const { id } = await world.app.store.db.selectFrom('keywords').select('id').executeTakeFirstOrThrow()
    const history = await keywordHistory(dana, site, { ...question, keywordId: id })
    assert.deepEqual(
      history.own[0]?.ranks.map(({ rank }) => rank),
      [1000, 0, 0],
    )
  })
})
