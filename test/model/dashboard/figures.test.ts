import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dayNumber, dayText } from '../../../src/lib/days.ts'
import type { PersonCaller } from '../../../src/model/core/caller.ts'
import { homeFigures } from '../../../src/model/dashboard/home.ts'
import { keywordHistory } from '../../../src/model/dashboard/keyword-history.ts'
import type { Period } from '../../../src/model/dashboard/positions.ts'
import { reputationFigures } from '../../../src/model/dashboard/reputation.ts'
import { ratingOf } from '../../../src/model/dashboard/review-counts.ts'
import { listReviews } from '../../../src/model/dashboard/review-list.ts'
import { searchFigures } from '../../../src/model/dashboard/search.ts'
import { siteFigures } from '../../../src/model/dashboard/site.ts'
import { openSite } from '../../../src/model/people/visible-sites.ts'
import { importLines } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

const today = '2026-11-14'
const day = (ago: number) => dayText(dayNumber(today) - ago)
const period: Period = { from: day(9), to: today, before: { from: day(19), to: day(10) } }
const site = 'chicago.harbor.example'
const rival = 'rival.example'

/** One keyword on two engines: better in the period than before, once not found, not measured on two days; a rival beside it. */
const lines = [
  ...[20, 18].map((rank, index) => ({
    type: 'ranking',
    site,
    phrase: 'dentist',
    search_engine: 'Google',
    locale: 'en-us',
    ranked_at: `${day(15 - index)} 04:00:00`,
    rank,
  })),
  ...[10, 8, null, 6].map((rank, index) => ({
    type: 'ranking',
    site,
    phrase: 'dentist',
    search_engine: 'Google',
    locale: 'en-us',
    ranked_at: `${day([8, 7, 4, 2][index] ?? 0)} 04:00:00`,
    rank,
  })),
  { type: 'ranking', site, phrase: 'dentist', search_engine: 'Google', locale: 'en-us', ranked_at: `${day(2)} 23:00:00`, rank: 5 },
  { type: 'ranking', site, phrase: 'dentist', search_engine: 'Bing', locale: 'en-us', ranked_at: `${day(2)} 04:00:00`, rank: null },
  { type: 'ranking', site, phrase: 'dentist', search_engine: 'Google', locale: 'en-us', ranked_at: `${day(400)} 04:00:00`, rank: 1 },
  {
    type: 'ranking',
    site,
    competitor: rival,
    phrase: 'dentist',
    search_engine: 'Google',
    locale: 'en-us',
    ranked_at: `${day(1)} 04:00:00`,
    rank: 3,
  },
  {
    type: 'ranking',
    site,
    competitor: rival,
    phrase: 'dentist',
    search_engine: 'Bing',
    locale: 'en-us',
    ranked_at: `${day(1)} 04:00:00`,
    rank: 90,
  },
  { type: 'snapshot', site, day: day(12), backlink_count: 100, download_time: 0.5 },
  { type: 'snapshot', site, day: day(3), backlink_count: 120 },
  { type: 'backlink', site, source_url: 'https://a.example/1', found_on: day(12), link_strength: 5, domain_authority: 3 },
  { type: 'backlink', site, source_url: 'https://a.example/2', found_on: day(1), link_strength: 5, domain_authority: 3 },
  { type: 'page', site, source: 'google', page_url: 'https://maps.example/1' },
  { type: 'review_count', site, source: 'google', page_url: 'https://maps.example/1', date: day(300), count: 8, rating_sum: 40 },
  { type: 'review_count', site, source: 'google', page_url: 'https://maps.example/1', date: day(2), count: 2, rating_sum: 2 },
  {
    type: 'review',
    site,
    source: 'google',
    page_url: 'https://maps.example/1',
    rating: 1,
    date: day(2),
    user: 'Ümit',
    detail: 'ÄRGERLICH',
    ref: 'a',
  },
  {
    type: 'review',
    site,
    source: 'google',
    page_url: 'https://maps.example/1',
    rating: 5,
    date: day(2),
    user: 'Ann',
    detail: 'fine',
    ref: 'b',
  },
  {
    type: 'review',
    site,
    source: 'google',
    page_url: 'https://maps.example/1',
    rating: 4,
    date: day(11),
    user: 'Ann',
    detail: 'earlier',
    ref: 'c',
  },
]

onEachEngine('the figures of a site', (place) => {
  const world = doorWorldAt(place)
  let dana: PersonCaller
  before(async () => {
    await importLines({ ...world, target: { partnerId: world.partnerId }, siteId: 0, otherAccountId: 0 }, lines, { createMissing: true })
    dana = (await world.enter('dana-owner')).person
  })
  const chicago = () => openSite(dana, world.chicago)
  const question = { period, engine: null, locale: null }

  test('the average is of found positions, the last of each day, and never of days without measurement', async () => {
    const { own } = await searchFigures(dana, await chicago(), question)
    assert.deepEqual([own.average(), own.averageBefore()], [(10 + 8 + 5) / 3, 19])
    assert.deepEqual(
      own.days().map((one) => [one.day, one.average, one.found, one.missing]),
      [
        [day(8), 10, 1, 0],
        [day(7), 8, 1, 0],
        [day(4), null, 0, 1],
        [day(2), 5, 1, 1],
      ],
    )
  })

  test('a keyword stands where it was last measured, is compared with the period before, and knows its best day', async () => {
    const { keywords } = await searchFigures(dana, await chicago(), question)
    const google = keywords.find(({ engine }) => engine === 'Google')
    const bing = keywords.find(({ engine }) => engine === 'Bing')
    assert.deepEqual([google?.now, google?.before, google?.best, google?.bestOn, google?.measuredOn], [5, 18, 5, day(2), day(2)])
    assert.deepEqual([bing?.now, bing?.before, bing?.best], [0, null, null], 'looked for and not found is not the same as not measured')
  })

  test('bands count each keyword once a week, at its last measurement', async () => {
    const { weeks } = await searchFigures(dana, await chicago(), question)
    const total = weeks.map(({ amounts }) => amounts)
    assert.deepEqual(
      total.flat().reduce((sum, one) => sum + one, 0),
      3,
    )
    assert.equal(total.at(-1)?.[2], 1, 'position 5 stands between 4 and 10')
    assert.equal(total.at(-1)?.[6], 1, 'not found stands apart')
  })

  test('one engine can be asked for alone', async () => {
    const { keywords, own } = await searchFigures(dana, await chicago(), { ...question, engine: 'Bing' })
    assert.deepEqual([keywords.length, own.average()], [1, null])
  })

  test('a competitor is ahead where it stands before the site or the site is not found', async () => {
    const { rivals } = await searchFigures(dana, await chicago(), question)
    assert.deepEqual(
      rivals.map(({ domain, ahead, compared }) => [domain, ahead, compared]),
      [[rival, 2, 2]],
    )
  })

  test('each figure is the latest known one, and links are those found in the period', async () => {
    const figures = await siteFigures(dana, await chicago(), period)
    assert.deepEqual(
      [figures.now.backlink_count, figures.before.backlink_count, figures.now.download_time, figures.now.domain_age],
      [120, 100, 0.5, null],
    )
    assert.deepEqual([figures.backlinks.map(({ source_url }) => source_url), figures.backlinksBefore], [['https://a.example/2'], 1])
  })

  test('the history of a keyword has a place for each measured day and none for the others', async () => {
    const { keywords } = await searchFigures(dana, await chicago(), question)
    const keywordId = keywords[0]?.keywordId ?? 0
    const history = await keywordHistory(dana, await chicago(), { keywordId, engine: 'Google', locale: 'en-us' }, period)
    assert.deepEqual(history.own, [
      { day: day(8), rank: 10 },
      { day: day(7), rank: 8 },
      { day: day(4), rank: 0 },
      { day: day(2), rank: 5 },
    ])
    assert.deepEqual(history.rivals, [{ domain: rival, places: [{ day: day(1), rank: 3 }] }])
    await assert.rejects(
      openSite(dana, world.evanston).then((other) => keywordHistory(dana, other, { keywordId, engine: 'Google', locale: 'en-us' }, period)),
    )
  })

  test('the rating is of all reviews so far; new ones and stars are of the period', async () => {
    const figures = await reputationFigures(dana, await chicago(), period)
    assert.equal(ratingOf(figures.own.total(period.to)), 42 / 10)
    assert.equal(ratingOf(figures.own.total(period.before.to)), 5)
    assert.equal(figures.own.total(period.to, period.from).count, 2)
    assert.deepEqual(figures.stars, { now: [1, 0, 0, 0, 1], before: [0, 0, 0, 1, 0] })
    assert.equal(
      figures.own.weeks(period.from, period.to).reduce((sum, week) => sum + week.count, 0),
      2,
    )
    assert.equal(figures.own.weeks(period.from, period.to).at(-1)?.rating, 4.2)
  })

  test('reviews are found by stars, source and words in any letters', async () => {
    const { pages } = await reputationFigures(dana, await chicago(), period)
    const all = { from: period.from, to: period.to, stars: null, source: null, words: '' }
    const found = async (change: object) =>
      (await listReviews(dana, await chicago(), pages, { ...all, ...change }, { skip: 0, most: 10 })).reviews.map(({ user }) => user)
    assert.deepEqual(await found({}), ['Ann', 'Ümit'])
    assert.deepEqual(await found({ stars: 1 }), ['Ümit'])
    assert.deepEqual(await found({ source: 'bing' }), [])
    assert.deepEqual(await found({ source: 'goo\0gle' }), [])
    assert.deepEqual(await found({ words: 'ärgerlich ümit' }), ['Ümit'])
    assert.deepEqual((await listReviews(dana, await chicago(), pages, all, { skip: 1, most: 1 })).total, 2)
  })

  test('the list of sites says the same, also after new data has come', async () => {
    const line = async () => (await homeFigures(dana, period)).find(({ site: { id } }) => id === world.chicago)
    const before = await line()
    assert.deepEqual(
      [before?.average, before?.averageBefore, before?.top10, before?.rating, before?.newReviews, before?.measuredOn],
      [(10 + 8 + 5) / 3, 19, 1, 4.2, 2, day(2)],
    )
    const more = [
      { type: 'ranking', site, phrase: 'dentist', search_engine: 'Google', locale: 'en-us', ranked_at: `${today} 04:00:00`, rank: 1 },
    ]
    await importLines({ ...world, target: { partnerId: world.partnerId }, siteId: 0, otherAccountId: 0 }, more)
    assert.deepEqual([(await line())?.average, (await line())?.measuredOn], [(10 + 8 + 5 + 1) / 4, today])
  })

  test("of a deactivated business's site only the owner learns figures", async () => {
    await importLines(
      { ...world, target: { partnerId: world.partnerId }, siteId: 0, otherAccountId: 0 },
      [{ ...lines[3], site: 'oldtown.harbor.example' }],
      { createMissing: true },
    )
    const average = async (login: string) =>
      (await homeFigures((await world.enter(login)).person, period)).find(({ site: { id } }) => id === world.closed)?.average
    assert.deepEqual([await average('dana-owner'), await average('rosa-account')], [8, null])
  })
})
