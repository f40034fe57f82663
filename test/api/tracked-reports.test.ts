/** Rankings on several devices and from several locations: what an old client gets of them, and what one gets who asks for all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setPartner } from '../../src/model/partners/partners.ts'
import { bytesOf } from '../../src/store/packed-months.ts'
import { trackedIn } from '../../src/store/series.ts'
import { onEachEngine } from '../support/engines.ts'
import { readReport } from '../support/read-report.ts'
import { observe } from '../support/report-world.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

/** `Google/mobile/Chicago en-us 02 9`: engine, device and location, locale, day, rank. */
function rankingOf(text: string): object {
  const [place = '', locale, day, rank] = text.split(' ')
  const [search_engine, device = '', location = ''] = place.split('/')
  const at = { search_engine, locale, ranked_at: `2026-11-${day} 04:00:00`, rank: Number(rank) }
  return { type: 'ranking', site: 'harbor.example', phrase: 'dentist', device, location, ...at }
}

onEachEngine('rankings with devices and locations', (place) => {
  const service = serviceOn(place)

  const partnerWith = async (name: string, rankings: readonly string[]): Promise<TestPartner> => {
    const partner = await service.partner(name)
    await observe(service, partner, rankings.map(rankingOf))
    return partner
  }

  /** `Google en-us 02 9` for each line, with the device and location where they are printed. */
  const printed = async (partner: TestPartner, query = ''): Promise<string[]> => {
    const { text } = await partner.get(`/api/seo_report.json?${query}`)
    const [found] = [...text.matchAll(/"dentist":(\[[^\]]*\])/g)]
    const entries = JSON.parse(found?.[1] ?? '[]') as Record<string, string>[]
    return entries.map(({ search_engine, device, location, locale, ranked_at, rank }) =>
      [search_engine, ...(device === undefined ? [] : [`<${device}|${location}>`]), locale, ranked_at?.slice(8, 10), rank].join(' '),
    )
  }

  test('an old client gets one series, under the name of the engine: desktop stands in on days without any other', async () => {
    const partner = await partnerWith('Substitutes', [
      'Google en-us 01 1',
      'Google/mobile en-us 01 11',
      'Google/desktop en-us 01 21',
      'Google/mobile en-us 02 12',
      'Google/desktop en-us 02 22',
      'Google/mobile en-us 03 13',
      'Google/desktop en-gb 03 33',
      'Bing/mobile en-us 03 43',
      'Bing/tablet en-us 03 53',
      'Yahoo//Chicago en-us 03 63',
      'Yahoo/tablet/Boston en-us 03 73',
    ])
    assert.deepEqual(await printed(partner), [
      'Google en-us 01 1',
      'Google en-us 02 22',
      'Bing en-us 03 43',
      'Google en-gb 03 33',
      'Yahoo en-us 03 73',
    ])
  })

  test('the substitute is chosen once for the days that are asked for', async () => {
    const partner = await partnerWith('Once', ['Google/mobile en-us 01 1', 'Google/desktop en-us 02 2', 'Google/mobile en-us 02 3'])
    assert.deepEqual(await printed(partner), ['Google en-us 02 2'])
    assert.deepEqual(await printed(partner, 'end_date=2026-11-01'), ['Google en-us 01 1'])
  })

  test('what one second has is printed in the order of engine and locale, whatever stands in', async () => {
    const partner = await partnerWith('Order', [
      'Google en-us 01 1',
      'Google/mobile de-de 01 2',
      'GoogleMaps/desktop en-us 01 3',
      'Google/desktop en-gb 01 4',
    ])
    assert.deepEqual(await printed(partner), ['Google de-de 01 2', 'Google en-gb 01 4', 'Google en-us 01 1', 'GoogleMaps en-us 01 3'])
  })

  test('who asks for all gets every series as an engine of its own, with its device and location', async () => {
    const partner = await partnerWith('All', [
      'Google en-us 01 1',
      'Google/mobile en-us 01 2',
      'Google/mobile/Chicago en-us 01 3',
      'Google//Chicago en-us 01 4',
    ])
    const all = [
      'Google en-us 01 1',
      'Google (, Chicago) <|Chicago> en-us 01 4',
      'Google (mobile) <mobile|> en-us 01 2',
      'Google (mobile, Chicago) <mobile|Chicago> en-us 01 3',
    ]
    assert.deepEqual(await printed(partner, 'series=all'), all)
    const { text } = await partner.get('/api/seo_report.xml?series=all&device=mobile&location=Chicago')
    assert.match(
      text,
      /<search-engine>Google \(mobile, Chicago\)<\/search-engine>\n +<device>mobile<\/device>\n +<location>Chicago<\/location>\n +<ranked-at>/,
    )
    assert.equal(text.split('<ranking>').length - 1, 1)
    const [xml, json] = await Promise.all(['xml', 'json'].map((format) => partner.get(`/api/seo_report.${format}?series=all`)))
    assert.deepEqual(readReport(xml?.text ?? ''), json?.json())
    const csv = (await partner.get('/api/seo_report.csv?table=rankings&series=all')).text.split('\r\n')
    assert.match(csv[0] as string, /phrase,locale,search_engine,device,location,ranked_at,rank$/)
    assert.match(csv[1] as string, /dentist,en-us,Google,,,2026-11-01 04:00:00,1$/)
    assert.match(csv[4] as string, /dentist,en-us,"Google \(mobile, Chicago\)",mobile,Chicago,2026-11-01 04:00:00,3$/)
  })

  test('filters keep one device or location, and empty ones those without', async () => {
    const partner = await partnerWith('Filters', [
      'Google en-us 01 1',
      'Google/mobile en-us 01 2',
      'Google/mobile/Chicago en-us 01 3',
      'Google//Chicago en-us 01 4',
    ])
    for (const device of ['mobile', 'Mobile']) assert.deepEqual(await printed(partner, `device=${device}`), ['Google en-us 01 2'])
    assert.deepEqual(await printed(partner, 'location=Chicago'), ['Google en-us 01 3'])
    assert.deepEqual(await printed(partner, 'device=&location=Chicago'), ['Google en-us 01 4'])
    assert.deepEqual(await printed(partner, 'device=&location='), ['Google en-us 01 1'])
    assert.deepEqual(await printed(partner, 'device=tablet'), [])
    const tags = await Promise.all(
      ['', '?device=', '?device=mobile', '?location=', '?series=all'].map((query) => partner.get(`/api/seo_report.xml${query}`)),
    )
    assert.equal(new Set(tags.map(({ headers }) => headers.etag)).size, 5)
  })

  test("the partner's setting asks for all, and a query takes it back", async () => {
    const partner = await partnerWith('Setting', ['Google/mobile en-us 01 2'])
    const before = (await partner.get('/api/seo_report.xml')).headers.etag
    await setPartner(service.operator, partner.id, { series: 'all' })
    assert.deepEqual(await printed(partner), ['Google (mobile) <mobile|> en-us 01 2'])
    assert.deepEqual(await printed(partner, 'series=one'), ['Google en-us 01 2'])
    assert.notEqual((await partner.get('/api/seo_report.xml')).headers.etag, before)
  })

  test('a keyword that is too long for memory is printed by the same rules', async () => {
    const partner = await partnerWith('Long', ['Google en-us 01 1', 'Google/desktop en-us 01 7', 'Google/mobile en-us 01 6'])
    await replaceMonths(partner, 3_000)
    const { text } = await partner.get('/api/seo_report.json')
    const ranks = [...text.matchAll(/"search_engine":"([^"]*)","ranked_at":"2026-\d\d-(\d\d) [^"]*","rank":(\d+)/g)]
    assert.equal(ranks.length, 3_000)
    for (const [, engine, day, rank] of ranks) assert.deepEqual([engine, rank], ['Google', day === '07' ? '1' : '7'])
  })

  /** An hour in each chunk, because a keyword of very many chunks is read in pieces: mobile and desktop, and a plain series on each seventh of a month. */
  const replaceMonths = async (partner: TestPartner, hours: number): Promise<void> => {
    const { store } = service.app
    const account_id = partner.accountId
    const sources = await store.db.selectFrom('sources').select(['code', 'engine']).where('account_id', '=', account_id).execute()
    const codeOf = (device: string) => sources.find(({ engine }) => trackedIn(engine).device === device)?.code as number
    const keyword = await store.db.selectFrom('keywords').select('id').where('account_id', '=', account_id).executeTakeFirstOrThrow()
    const rows = Array.from({ length: hours }, (_, hour) => {
      const starts_at = Date.UTC(2026, 0, 1, hour) / 1000
      const isSeventh = new Date(starts_at * 1000).getUTCDate() === 7
      const words = [...(isSeventh ? [''] : []), 'desktop', 'mobile'].flatMap((device) => [
        starts_at,
        codeOf(device) * 65_536 + (device.length || 1),
      ])
      return { account_id, keyword_id: keyword.id, starts_at, data: bytesOf(Uint32Array.from(words)) }
    })
    await store.write(async (tx) => {
      await tx.deleteFrom('ranking_months').where('account_id', '=', account_id).execute()
      for (let from = 0; from < rows.length; from += 500)
        await tx
          .insertInto('ranking_months')
          .values(rows.slice(from, from + 500))
          .execute()
    })
  }
})
