import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { refuse } from '../../../src/lib/failures.ts'
import { dayNumber, dayText, weekOf } from '../../../src/lib/time/days.ts'
import type { PersonCaller } from '../../../src/model/core/caller.ts'
import { type NewBacklink, readLinks } from '../../../src/model/dashboard/backlinks.ts'
import { homeFigures } from '../../../src/model/dashboard/home.ts'
import { keywordHistory } from '../../../src/model/dashboard/keyword-history.ts'
import type { Period } from '../../../src/model/dashboard/positions.ts'
import { reputationFigures } from '../../../src/model/dashboard/reputation/reputation.ts'
import { ratingOf } from '../../../src/model/dashboard/reputation/review-counts.ts'
import { listReviews } from '../../../src/model/dashboard/reputation/review-list.ts'
import { searchFigures } from '../../../src/model/dashboard/search.ts'
import { siteFigures } from '../../../src/model/dashboard/site.ts'
import { visibilityOf } from '../../../src/model/dashboard/standing.ts'
import { openSite } from '../../../src/model/people/visible-sites.ts'
import { pausing } from '../../../src/store/pausing.ts'
import { importLines } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { doorWorldAt } from '../../support/visitors.ts'

const today = '2026-11-14'
const day = (ago: number) => dayText(dayNumber(today) - ago)
const earlier = { from: day(19), to: day(10) }
const period: Period = { from: day(9), to: today, before: earlier }
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
  const question = { period, engine: null, locale: null, device: null, location: null, isSplit: false, zone: 'UTC' }

  test('the average of a day is of all that was found that day, and days without a measurement have none', async () => {
    const { own } = await searchFigures(dana, await chicago(), question)
    assert.deepEqual(
      own.days().map((one) => [one.day, one.average, one.found, one.missing]),
      [
        [day(8), 10, 1, 0],
        [day(7), 8, 1, 0],
        [day(4), null, 0, 1],
        [day(2), (6 + 5) / 2, 2, 1],
      ],
    )
  })

  test('now is the latest measurement of each keyword, compared where it was measured at both ends', async () => {
    const { standings } = await searchFigures(dana, await chicago(), question)
    const visibility = visibilityOf(5) / 2
    assert.deepEqual(
      [standings.now.pairs, standings.now.found, standings.now.average, standings.now.visibility],
      [2, 1, 5, visibility],
      'Bing was looked at and did not find it, which counts as nothing',
    )
    assert.deepEqual(
      [standings.compared?.now.visibility, standings.compared?.before.visibility, standings.compared?.entered],
      [visibilityOf(5), visibilityOf(18), 1],
      'Bing was not measured before, so it says nothing about the change',
    )
  })

  test('a keyword stands where it was last measured, is compared with the period before, and knows its best day', async () => {
    const { keywords } = await searchFigures(dana, await chicago(), question)
    const google = keywords.find(({ source }) => source.engine === 'Google')
    const bing = keywords.find(({ source }) => source.engine === 'Bing')
    assert.deepEqual([google?.now, google?.before, google?.best, google?.bestOn, google?.measuredOn], [5, 18, 5, day(2), day(2)])
    assert.deepEqual(
      [bing?.now, bing?.before, bing?.best, bing?.lostSince],
      [0, null, null, day(2)],
      'not found is not the same as not measured',
    )
  })

  test('bands count each keyword once a week, at its last measurement', async () => {
    const { weeks } = await searchFigures(dana, await chicago(), question)
    const total = weeks.map(({ amounts }) => amounts)
    assert.deepEqual(
      total.flat().reduce((sum, one) => sum + one, 0),
      3,
    )
    assert.equal(total.at(-1)?.[2], 1, 'position 5 stands between 4 and 10')
    assert.equal(total.at(-1)?.[7], 1, 'not found stands apart')
  })

  test('one engine can be asked for alone', async () => {
    const { keywords, standings, sources } = await searchFigures(dana, await chicago(), { ...question, engine: 'Bing' })
    assert.deepEqual([keywords.length, standings.now.average, standings.now.visibility, sources.length], [1, null, 0, 2])
  })

  test('a competitor is ahead where it stands before the site or the site is not found', async () => {
    const { rivals } = await searchFigures(dana, await chicago(), question)
    assert.deepEqual(
      rivals.map(({ domain, ahead, compared, average, ownAverage }) => [domain, ahead, compared, average, ownAverage]),
      [[rival, 2, 2, 3, 5]],
      'averages are over what both are found for',
    )
  })

  test('each figure is the latest known one, and links are those found in the period', async () => {
    const figures = await siteFigures(dana, await chicago(), period)
    assert.deepEqual(
      [figures.now.backlink_count, figures.before.backlink_count, figures.now.download_time, figures.now.domain_age],
      [120, 100, 0.5, null],
    )
    const { ids, byWeek, byStrength } = figures.backlinks
    const list = await readLinks(dana, await chicago(), ids)
    assert.deepEqual([list.map(({ source_url }) => source_url), figures.backlinksBefore], [['https://a.example/2'], 1])
    const [{ found_on, link_strength }] = list as [NewBacklink]
    assert.deepEqual([...byWeek], [[weekOf(dayNumber(found_on)), 1]])
    assert.deepEqual(
      byStrength,
      Array.from({ length: 10 }, (_, index) => (index === Math.floor(link_strength / 10) ? 1 : 0)),
    )
  })

  test('reads end at the next statement once nobody waits for them', async () => {
    const open = await chicago()
    let asked = 0
    const after = (most: number) => pausing(dana.app.store.db, () => (++asked > most ? refuse('overloaded') : undefined))
    const goneAfter = (most: number) => ({ ...dana, app: { ...dana.app, store: { ...dana.app.store, db: after(most) } } })
    const gone = goneAfter(2)
    const filter = { from: period.from, to: period.to, stars: null, source: null, words: '' }
    const { pages, own } = await reputationFigures(dana, open, period)
    assert.ok(own.total(period.to).count > 0)
    for (const read of [
      () => searchFigures(gone, open, question),
      () => siteFigures(gone, open, period),
      () => reputationFigures(gone, open, period),
      () => homeFigures(gone, { ...period, from: day(8) }),
      () => listReviews(goneAfter(0), open, pages, filter, { skip: 0, most: 10 }),
    ]) {
      asked = 0
      await assert.rejects(read, { code: 'overloaded' })
      assert.ok(asked <= 3, `${asked} statements`)
    }
  })

  test('the history of a keyword has a place for each measured day and none for the others', async () => {
    const { keywords } = await searchFigures(dana, await chicago(), question)
    const keywordId = keywords[0]?.keywordId ?? 0
    const asked = { keywordId, engine: 'Google', locale: 'en-us', device: null, location: null, period, zone: 'UTC' }
    const history = await keywordHistory(dana, await chicago(), asked)
    assert.deepEqual(history.own[0]?.ranks, [
      { day: day(8), rank: 10 },
      { day: day(7), rank: 8 },
      { day: day(4), rank: 0 },
      { day: day(2), rank: 5 },
    ])
    assert.deepEqual(history.rivals, [{ domain: rival, ranks: [{ day: day(1), rank: 3 }] }])
    const everywhere = await keywordHistory(dana, await chicago(), { ...asked, engine: null, locale: null })
    assert.deepEqual([everywhere.source, everywhere.own.length, everywhere.rivals], [null, 2, []])
    await assert.rejects(openSite(dana, world.evanston).then((other) => keywordHistory(dana, other, asked)))
  })

  test('a ranking belongs to the day of the account it was made in', async () => {
    const { own } = await searchFigures(dana, await chicago(), { ...question, zone: 'Pacific/Auckland' })
    assert.ok(
      own.days().some((one) => one.day === day(1)),
      '23:00 in UTC is the next day there',
    )
  })

  test('the rating is of all reviews so far; new ones and stars are of the period', async () => {
    const figures = await reputationFigures(dana, await chicago(), period)
    assert.equal(ratingOf(figures.own.total(period.to)), 46 / 11, 'a day that no source counted is taken from what is listed')
    assert.equal(ratingOf(figures.own.total(earlier.to)), 44 / 9)
    assert.equal(figures.own.total(period.to, period.from).count, 2)
    assert.deepEqual(
      [figures.own.stars(period.from, period.to), figures.own.stars(earlier.from, earlier.to)],
      [
        [1, 0, 0, 0, 1],
        [0, 0, 0, 1, 0],
      ],
    )
    assert.equal(
      figures.own.weeks(period.from, period.to).reduce((sum, week) => sum + week.count, 0),
      2,
    )
    assert.equal(figures.own.weeks(period.from, period.to).at(-1)?.rating, 46 / 11)
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
    const first = await line()
    assert.deepEqual(
      [first?.standings.now.average, first?.standings.now.keywordsTop10, first?.rating, first?.newReviews, first?.measuredOn],
      [5, 1, 46 / 11, 2, day(2)],
    )
    assert.deepEqual(first?.reasons, [{ kind: 'rating', from: 44 / 9, to: 46 / 11, severity: 2 }])
    const more = [
      { type: 'ranking', site, phrase: 'dentist', search_engine: 'Google', locale: 'en-us', ranked_at: `${today} 04:00:00`, rank: 1 },
    ]
    await importLines({ ...world, target: { partnerId: world.partnerId }, siteId: 0, otherAccountId: 0 }, more)
    assert.deepEqual([(await line())?.standings.now.average, (await line())?.measuredOn], [1, today])
  })

  test("of a deactivated business's site only the owner learns figures", async () => {
    await importLines(
      { ...world, target: { partnerId: world.partnerId }, siteId: 0, otherAccountId: 0 },
      [{ ...lines[3], site: 'oldtown.harbor.example' }],
      { createMissing: true },
    )
    const average = async (login: string) =>
      (await homeFigures((await world.enter(login)).person, period)).find(({ site: { id } }) => id === world.closed)?.standings.now.average
    assert.deepEqual([await average('dana-owner'), await average('rosa-account')], [8, null])
  })
})
