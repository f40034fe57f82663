/** The demo is a world one can believe: the same on every run, up to today, with good days, bad days and days without a measurement. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operatorOn } from '../../src/cli/command.ts'
import { readSettings } from '../../src/config.ts'
import { buildDemo } from '../../src/demo/build.ts'
import { measureDemo } from '../../src/demo/measure.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import { exportObservations } from '../../src/model/imports/export/export.ts'
import { freshPlace, type Place } from '../support/engines.ts'

type Line = Record<string, string | number | null>

describe('the demo world', () => {
  let place: Place
  let app: App
  let now = '2026-11-14T12:00:00Z'
  let lines: Line[]

  before(async () => {
    place = await freshPlace('sqlite')
    app = await openApp(readSettings(place.env), { schema: 'bring up', clock: { now: () => now } })
    await measureDemo(operatorOn(app), await buildDemo(operatorOn(app)))
    lines = await exported()
  })
  after(async () => {
    await app?.close()
    await place?.remove()
  })

  const of = (type: string) => lines.filter((line) => line.type === type)
  const perSite = (type: string) => [...Map.groupBy(of(type), ({ site }) => site).values()].map(({ length }) => length)

  test('has 14 sites and one of a rival, 25 keywords and 3 competitors each, and one deactivated business', async () => {
    assert.equal(of('site').length, 15)
    assert.deepEqual([...new Set(perSite('competitor'))], [3])
    const own = Map.groupBy(
      of('keyword').filter(({ competitor }) => competitor === undefined),
      ({ site }) => site,
    )
    assert.deepEqual([...new Set([...own.values()].map(({ length }) => length))], [25])
    const closed = await app.store.db.selectFrom('businesses').select('name').where('aasm_state', '=', 'deactivated').execute()
    assert.equal(closed.length, 1)
  })

  test('ranks on three engines over 180 days that end today, with days left out and places out of sight', () => {
    const rankings = of('ranking').filter(({ site, competitor }) => site === 'sunrise-bakery.example' && competitor === undefined)
    const days = new Set(rankings.map(({ ranked_at }) => String(ranked_at).slice(0, 10)))
    assert.equal([...days].sort().at(-1), '2026-11-14')
    assert.ok(days.size > 165 && days.size < 180, `${days.size} days`)
    assert.deepEqual([...new Set(rankings.map(({ search_engine }) => search_engine))].sort(), ['Bing', 'Google', 'Yahoo'])
    const missing = rankings.filter(({ rank }) => rank === null).length / rankings.length
    assert.ok(missing > 0.01 && missing < 0.2, `${missing} not found`)
  })

  test('one site is better since the day of its note, and one has lost keywords and has complaints: just these', async () => {
    const notes = await app.store.db.selectFrom('annotations').select(['day', 'text']).execute()
    assert.deepEqual(notes, [{ day: '2026-10-07', text: 'New home page' }])
    const average = (site: string, day: string) => {
      const ranks = of('ranking').filter(
        (line) => line.site === site && line.competitor === undefined && String(line.ranked_at).startsWith(day),
      )
      const found = ranks.flatMap(({ rank }) => (rank === null ? [] : [Number(rank)]))
      return { average: found.reduce((a, b) => a + b, 0) / found.length, missing: (ranks.length - found.length) / ranks.length }
    }
    assert.ok(
      average('chicago.harbordental.example', '2026-11-13').average < 0.75 * average('chicago.harbordental.example', '2026-10-05').average,
    )
    const missing = (site: string) => average(site, '2026-11-13').missing
    assert.ok(missing('evanston.harbordental.example') > 0.15, `${missing('evanston.harbordental.example')} not found`)
    assert.ok(missing('kids.harbordental.example') < 0.08, `${missing('kids.harbordental.example')} not found`)
  })

  test('has 60 to 400 reviews a location, in all moods and scripts', () => {
    assert.ok(
      perSite('review').every((count) => count >= 60 && count <= 400),
      `${perSite('review')}`,
    )
    assert.deepEqual([...new Set(of('review').map(({ rating }) => rating))].sort(), [1, 2, 3, 4, 5])
    // What a newcomer reads could be real: no markup, and no letters that a plain machine has no font for.
    for (const { header, detail, user } of of('review'))
      assert.doesNotMatch(`${header} ${detail} ${user}`, /[<>&]|[^\p{Script=Latin}\p{P}\p{N}\p{M}\s]/u)
    const texts = of('review')
      .filter(({ site }) => site === 'chicago.harbordental.example')
      .map(({ detail }) => detail)
    assert.ok(new Set(texts).size > texts.length / 3, 'few say the same')
    assert.deepEqual([...new Set(of('page').map(({ source }) => source))].sort(), ['bing', 'citysearch', 'facebook', 'google'])
  })

  test('counts the reviews it has', () => {
    const counted = of('review_count').filter(({ competitor }) => competitor === undefined)
    const sum = (name: string, all: readonly Line[]) => all.reduce((total, line) => total + Number(line[name]), 0)
    assert.equal(sum('count', counted), of('review').length)
    assert.equal(sum('rating_sum', counted), sum('rating', of('review')))
  })

  test('is the same when it is made again, and a day later has one day more', async () => {
    const told: string[] = []
    const measure = async () => measureDemo(operatorOn(app), await buildDemo(operatorOn(app)), 1, (words) => told.push(words))
    await measure()
    assert.deepEqual(told, [])
    now = '2026-11-15T12:00:00Z'
    await measure()
    const later = new Set((await exported()).filter(({ type }) => type === 'ranking').map((line) => JSON.stringify(line)))
    for (const line of of('ranking')) assert.ok(later.has(JSON.stringify(line)))
    const news = [...later].filter((line) => line.includes('2026-11-15'))
    assert.equal(later.size, of('ranking').length + news.length)
    assert.ok(news.length > 1000)
  })

  test('is made larger by copies of its sites in accounts of their own, once', async () => {
    const told: string[] = []
    const measure = async () => measureDemo(operatorOn(app), await buildDemo(operatorOn(app)), 2, (words) => told.push(words))
    await measure()
    assert.match(told[0] ?? '', /^measuring Demo Copy 2: sites 14, days 180$/)
    const copies = (await exported()).filter(({ site }) => String(site).startsWith('copy2.'))
    const many = (type: string) => copies.filter((line) => line.type === type).length
    assert.deepEqual([many('site'), many('competitor'), many('keyword')], [14, 14 * 3, 14 * (25 + 3 * 8)])
    assert.ok(many('ranking') > 300_000, `${many('ranking')} rankings`)
    assert.equal(new Set(copies.map(({ account }) => account)).size, 1)
    await measure()
    assert.equal(told.length, 2)
  })

  async function exported(): Promise<Line[]> {
    const pieces: string[] = []
    await exportObservations(operatorOn(app), {}, async (piece) => void pieces.push(piece))
    return pieces
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
})
