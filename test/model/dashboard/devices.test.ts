/** The figures of keywords that are measured on several devices and from several places: one series counts, clicks add up to no more than there were. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { PersonCaller } from '../../../src/model/core/caller.ts'
import { keywordHistory } from '../../../src/model/dashboard/keyword-history.ts'
import { searchFigures } from '../../../src/model/dashboard/search.ts'
import { openSite, type ShownSite } from '../../../src/model/people/visible-sites.ts'
import { importLines } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

const site = 'chicago.harbor.example'
const period = { from: '2026-11-05', to: '2026-11-14', before: null }

/** `dentist Google/mobile/Chicago 14 9`: phrase, engine with device and location, day, rank. */
function rankingOf(text: string, competitor?: string): object {
  const [phrase, place = '', day, rank] = text.split(' ')
  const [search_engine, device = '', location = ''] = place.split('/')
  const url = `https://${site}/${device}${location}`
  const at = { search_engine, device, location, url, locale: 'en-us', ranked_at: `2026-11-${day} 04:00:00` }
  return { type: 'ranking', site, competitor, phrase, ...at, rank: Number(rank) }
}

/** `dentist Google/mobile 14 9`: the same with clicks; after a blank the locale. */
function clicksOf(text: string): object {
  const [phrase, place = '', day, clicks, locale = ''] = text.split(' ')
  const [search_engine, device = '', location = ''] = place.split('/')
  return {
    type: 'click_count',
    site,
    phrase,
    search_engine,
    device,
    location,
    locale,
    date: `2026-11-${day}`,
    clicks: Number(clicks),
    impressions: 100,
  }
}

const lines = [
  ...[
    'dentist Google 14 4',
    'dentist Google/mobile 14 40',
    'dental Google/mobile 14 9',
    'dental Google/desktop 14 6',
    'dental Google//Chicago 14 90',
    'teeth Google/tablet 14 30',
    'teeth Google/mobile 14 20',
  ].map((text) => rankingOf(text)),
  ...['dentist Google 14 2', 'dental Google/mobile 14 1', 'dental Google/desktop 14 8'].map((text) => rankingOf(text, 'rival.example')),
  ...[
    'dentist Google 13 20',
    'dentist Google/mobile 13 9',
    'dentist Google/desktop 13 5',
    'dentist Google/mobile 14 9',
    'dentist Google/desktop 14 5',
    'dentist Google//Chicago 14 14',
  ].map(clicksOf),
  ...[
    'dental Google//Chicago 14 3',
    'dental Google//Boston 14 4',
    'dental Google/mobile/Boston 14 2',
    'teeth Google/mobile/Chicago 14 1',
    'teeth Google/tablet/Boston 14 2',
    'teeth Google/mobile 14 7 de-ch',
    'teeth Bing 14 1',
  ].map(clicksOf),
]

onEachEngine('figures of devices and locations', (place) => {
  const world = doorWorldAt(place)
  let [dana, chicago] = [{} as PersonCaller, {} as ShownSite]
  before(async () => {
    await importLines({ ...world, target: { partnerId: world.partnerId }, siteId: 0, otherAccountId: 0 }, lines, { createMissing: true })
    dana = (await world.enter('dana-owner')).person
    chicago = await openSite(dana, world.chicago)
  })

  const any = { period, engine: null, locale: null, device: null, location: null, zone: 'UTC' }
  const figures = (changes: object = {}) => searchFigures(dana, chicago, { ...any, isSplit: false, ...changes })
  const nameOf = ({ device, location }: { device: string; location: string }) => `${device}/${location}`
  const listed = async (changes: object = {}) => {
    const { keywords } = await figures(changes)
    return keywords.map(({ phrase, source, now }) => `${phrase} ${nameOf(source)} ${now}`).toSorted()
  }

  test('count one series of each keyword, engine and locale, and say which', async () => {
    const { standings, pairs, standing } = await figures()
    assert.deepEqual([pairs, standings.now.pairs, standings.now.average], [3, 3, (4 + 6 + 20) / 3])
    assert.deepEqual(standing.map(nameOf).toSorted(), ['desktop/', 'mobile/'])
    assert.deepEqual(await listed(), ['dental desktop/ 6', 'dentist / 4', 'teeth mobile/ 20'])
  })

  test('list each device and location where that is asked for, and count the same', async () => {
    assert.equal((await listed({ isSplit: true })).length, 7)
    const [one, all] = [await figures(), await figures({ isSplit: true })]
    assert.deepEqual([all.standings, all.pairs, all.own.days()], [one.standings, one.pairs, one.own.days()])
  })

  test('are of one device or location where one is chosen', async () => {
    assert.deepEqual(await listed({ device: 'mobile' }), ['dental mobile/ 9', 'dentist mobile/ 40', 'teeth mobile/ 20'])
    assert.deepEqual(await listed({ location: 'Chicago' }), ['dental /Chicago 90'])
  })

  test('name the page that ranks on that series', async () => {
    const pagesOf = async (changes: object = {}) =>
      (await figures(changes)).keywords.map(({ facts }) => facts.page?.split('/').at(-1)).toSorted()
    assert.deepEqual(await pagesOf(), ['', 'desktop', 'mobile'])
    assert.deepEqual(await pagesOf({ device: 'mobile' }), ['mobile', 'mobile', 'mobile'])
  })

  test('compare competitors on the same device', async () => {
    const { rivals } = await figures()
    assert.deepEqual(
      rivals.map(({ compared, ahead }) => [compared, ahead]).find(([compared]) => compared),
      [2, 1],
    )
    const mobile = await figures({ device: 'mobile' })
    assert.deepEqual(
      mobile.rivals.map(({ compared, ahead }) => [compared, ahead]).find(([compared]) => compared),
      [1, 1],
    )
  })

  test('sum clicks over devices only on days without a total, and say so', async () => {
    const factsOf = async (changes: object = {}) =>
      new Map((await figures(changes)).keywords.map(({ phrase, facts }) => [phrase, [facts.clicks, facts.isSummed]]))
    const facts = await factsOf()
    assert.deepEqual(facts.get('dentist'), [20 + 14, true])
    assert.deepEqual(facts.get('dental'), [3 + 4, true])
    assert.deepEqual(facts.get('teeth'), [1 + 2 + 1, true])
    assert.deepEqual((await factsOf({ device: 'mobile' })).get('dentist'), [9 + 9, true])
  })

  test('of a keyword show every series, and the clicks of each device', async () => {
    const { db } = world.app.store
    const { id } = await db
      .selectFrom('keywords')
      .innerJoin('subjects', 'subjects.id', 'keywords.subject_id')
      .select('keywords.id')
      .where('phrase', '=', 'dentist')
      .where('domain', '=', '')
      .executeTakeFirstOrThrow()
    const history = await keywordHistory(dana, chicago, { ...any, keywordId: id })
    assert.deepEqual(history.sources.map(nameOf), ['/', 'mobile/'])
    assert.deepEqual(
      history.facts.clickDays.map(({ clicks, devices }) => [clicks, devices]),
      [
        [20, { desktop: 5, mobile: 9 }],
        [14, { desktop: 5, mobile: 9 }],
      ],
    )
    const plain = await keywordHistory(dana, chicago, { ...any, keywordId: id, engine: 'Google', locale: 'en-us' })
    assert.deepEqual([plain.source && nameOf(plain.source), plain.rivals.length], ['/', 1])
    const mobile = await keywordHistory(dana, chicago, { ...any, keywordId: id, engine: 'Google', locale: 'en-us', device: 'mobile' })
    assert.deepEqual([mobile.source && nameOf(mobile.source), mobile.own.length], ['mobile/', 1])
  })
})
