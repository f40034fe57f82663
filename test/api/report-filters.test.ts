/** What each filter of the reports keeps and leaves out, around the borders of days and of what a partner may see. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ReputationReportCountsQuery, SeoReport, SeoReportQuery, SeoReportSite } from '../../src/client/client.ts'
import { onEachEngine } from '../support/engines.ts'
import { makeReportWorld, observe, type ReportWorld } from '../support/report-world.ts'
import { serviceOn } from '../support/service.ts'

const borders = ['2026-02-28 23:59:59', '2026-03-01 04:05:06', '2026-03-02 00:00:00']

onEachEngine('the filters of the SEO report', (place) => {
  const service = serviceOn(place)
  const world = {} as ReportWorld
  before(async () => void Object.assign(world, await makeReportWorld(service)))

  const report = (query: SeoReportQuery) => world.acme.client.seoReport(query)
  const plumbing = async (query: SeoReportQuery) =>
    (await report(query)).accounts[0]?.[world.acme.accountId]?.sites[0]?.[world.plumbingId] as SeoReportSite
  const plumberRanks = (site: SeoReportSite) => [
    ...new Set(site.keywords.flatMap((keyword) => keyword['plumber chicago'] ?? []).map(({ ranked_at }) => ranked_at)),
  ]

  // biome-ignore format: a table reads by its columns
  const ranges: [query: SeoReportQuery, moments: string[], links: string[]][] = [
    [{},                                                      borders,            ['2026-02-28', '2026-03-01', '2026-03-02']],
    [{ start_date: '2026-02-28' },                            borders,            ['2026-02-28', '2026-03-01', '2026-03-02']],
    [{ start_date: '2026-03-01' },                            borders.slice(1),   ['2026-03-01', '2026-03-02']],
    [{ start_date: '2026-03-02' },                            borders.slice(2),   ['2026-03-02']],
    [{ start_date: '2026-03-03' },                            [],                 []],
    [{ end_date: '2026-03-02' },                              borders,            ['2026-02-28', '2026-03-01', '2026-03-02']],
    [{ end_date: '2026-03-01' },                              borders.slice(0, 2), ['2026-02-28', '2026-03-01']],
    [{ end_date: '2026-02-28' },                              borders.slice(0, 1), ['2026-02-28']],
    [{ end_date: '2026-02-27' },                              [],                 []],
    [{ start_date: '2026-03-01', end_date: '2026-03-01' },    borders.slice(1, 2), ['2026-03-01']],
    [{ start_date: '2026-02-28', end_date: '2026-03-01' },    borders.slice(0, 2), ['2026-02-28', '2026-03-01']],
    [{ start_date: '1969-12-31', end_date: '1969-12-31' },    [],                 []],
    [{ start_date: '0001-01-01', end_date: '9999-12-31' },    borders,            ['2026-02-28', '2026-03-01', '2026-03-02']],
    [{ end_date: '1969-01-01' },                              [],                 []],
    [{ start_date: '2200-01-01' },                            [],                 []],
  ]
  for (const [query, moments, links] of ranges) {
    test(`days: ${JSON.stringify(query)}`, async () => {
      const site = await plumbing(query)
      assert.deepEqual(plumberRanks(site), moments)
      assert.deepEqual(
        site.backlinks.map(({ found_on }) => found_on),
        links,
      )
      assert.equal(site.keywords.length, 6, 'a keyword left without entries stays')
    })
  }

  // biome-ignore format: a table reads by its columns
  const figures: [query: SeoReportQuery, google: number, seconds: number, authority: number | null, links: number, domains: number][] = [
    [{ end_date: '2026-01-30' },                              0,  0,    null, 0, 0],
    [{ end_date: '2026-01-31' },                              7,  0.5,  40,   9, 0],
    [{ end_date: '2026-02-27' },                              7,  0.5,  40,   9, 0],
    [{ end_date: '2026-02-28' },                              8,  0.35, null, 9, 0],
    [{ end_date: '2026-03-30' },                              8,  0.35, null, 9, 0],
    [{ end_date: '2026-03-31' },                              12, 0.35, null, 9, 4],
    [{ start_date: '2026-04-01' },                            12, 0.35, null, 9, 4],
    [{ start_date: '2026-02-01', end_date: '2026-02-01' },    7,  0.5,  40,   9, 0],
  ]
  for (const [query, google, seconds, authority, links, domains] of figures) {
    test(`figures: ${JSON.stringify(query)}`, async () => {
      const { pages_indexed_in_google, download_time, domain_authority, backlink_count, domain_count } = await plumbing(query)
      assert.deepEqual(
        [pages_indexed_in_google, download_time, domain_authority, backlink_count, domain_count],
        [google, seconds, authority, links, domains],
      )
    })
  }

  test('figures: the latest known without end_date, also one dated after today', async () => {
    await observe(service, world.acme, [{ type: 'snapshot', site: 'plumbing.example', day: '2105-12-30', backlink_count: 77 }])
    const today = new Date().toISOString().slice(0, 10)
    assert.equal((await plumbing({})).backlink_count, 77)
    assert.equal((await plumbing({ end_date: today })).backlink_count, 9)
  })

  describe('accounts and sites', () => {
    const idsIn = ({ accounts }: SeoReport) => accounts.flatMap((account) => Object.keys(account).map(Number))
    const sitesIn = ({ accounts }: SeoReport) =>
      accounts.flatMap((account) => Object.values(account).flatMap(({ sites }) => sites.flatMap((site) => Object.keys(site).map(Number))))

    test('all managed accounts, also those without sites', async () =>
      assert.deepEqual(idsIn(await report({})), [world.acme.accountId, world.emptyAccountId]))
    test('one account', async () => assert.deepEqual(idsIn(await report({ account_id: world.emptyAccountId })), [world.emptyAccountId]))
    test('a list in any order, blanks and repetitions allowed', async () => {
      const { acme, emptyAccountId } = world
      const { json } = await acme.get(`/api/seo_report.json?account_id=${emptyAccountId},+${acme.accountId},${emptyAccountId}`)
      assert.deepEqual(idsIn(json() as SeoReport), [acme.accountId, emptyAccountId])
    })
    test('200 ids', async () =>
      assert.deepEqual(idsIn(await report({ account_id: Array(200).fill(world.emptyAccountId) })), [world.emptyAccountId]))
    test('one site, and the account it is in', async () => {
      const narrowed = await report({ site_id: world.roofingId })
      assert.deepEqual([idsIn(narrowed), sitesIn(narrowed)], [[world.acme.accountId], [world.roofingId]])
    })
    test('several sites by id', async () =>
      assert.deepEqual(sitesIn(await report({ site_id: [world.newId, world.plumbingId] })), [world.plumbingId, world.newId]))
  })

  // biome-ignore format: a table reads by its columns
  const refusals: [query: () => string, status: number, words: RegExp][] = [
    [() => 'start_date=2026-02-30',                             400, /start_date must be a date/],
    [() => 'start_date=26-1-1',                                 400, /start_date must be a date/],
    [() => 'end_date=2026-13-01',                               400, /end_date must be a date/],
    [() => 'end_date=2026-03-01T00:00:00',                      400, /end_date must be a date/],
    [() => 'end_date=',                                         400, /end_date must be a date/],
    [() => 'start_date=2026-03-02&end_date=2026-03-01',         400, /after the end_date/],
    [() => 'start_date=2026-03-01&start_date=2026-03-01',       400, /given twice/],
    [() => `account_id=${Array(201).fill(1)}`,                  400, /more than 200/],
    [() => `site_id=${Array(201).fill(1)}`,                     400, /more than 200/],
    [() => 'account_id=',                                       400, /must be an id/],
    [() => 'account_id=1,,2',                                   400, /must be an id/],
    [() => 'account_id=0',                                      400, /must be an id/],
    [() => 'account_id=-1',                                     400, /must be an id/],
    [() => 'account_id=1.5',                                    400, /must be an id/],
    [() => 'account_id=9007199254740992',                       400, /must be an id/],
    [() => 'account_id=9007199254740991',                       404, /Account not found/],
    [() => `account_id=${world.globex.accountId}`,              404, /Account not found/],
    [() => `account_id=${world.acme.accountId},999999,999998`,  404, /Account not found: 99999[89], 99999[89]/],
    [() => 'site_id=999999',                                    404, /Site not found: 999999/],
    [() => `site_id=${world.globexSiteId}`,                     404, /Site not found/],
    [() => `site_id=${world.plumbingId},${world.globexSiteId}`, 404, /Site not found/],
    [() => `account_id=${world.emptyAccountId}&site_id=${world.plumbingId}`, 404, /Site not found/],
    [() => 'names=',                                            400, /names must be/],
    [() => 'names=Legacy',                                      400, /names must be/],
  ]
  for (const [index, [query, status, words]] of refusals.entries()) {
    test(`refusal ${index + 1}: ${String(query).slice(6)}`, async () => {
      for (const format of ['json', 'xml']) {
        const reply = await world.acme.get(`/api/seo_report.${format}?${query()}`)
        assert.equal(reply.status, status, reply.text)
        assert.match(reply.text, words)
      }
    })
  }

  test('a table that is not one is refused', async () => {
    for (const query of ['', '?table=', '?table=keys']) assert.equal((await world.acme.get(`/api/seo_report.csv${query}`)).status, 400)
  })
})

onEachEngine('the filters of the reputation reports', (place) => {
  const service = serviceOn(place)
  const world = {} as ReportWorld
  before(async () => void Object.assign(world, await makeReportWorld(service)))

  const detailOf = (query: ReputationReportCountsQuery) => world.acme.client.reputationReportDetail(world.acme.accountId, query)
  const countsOf = (query: ReputationReportCountsQuery) => world.acme.client.reputationReportCounts(world.acme.accountId, query)
  const datesIn = (text: string) => [...text.matchAll(/"date":"([\d-]+)"/g)].map(([, date]) => date)

  // biome-ignore format: a table reads by its columns
  const ranges: [query: ReputationReportCountsQuery, reviews: string[], counts: string[]][] = [
    [{},                                                      ['2026-02-28', '2026-03-01'], ['2026-03-02', '2026-02-28', '2026-03-01', '2026-03-01']],
    [{ start_date: '2026-03-01' },                            ['2026-03-01'],               ['2026-03-02', '2026-03-01', '2026-03-01']],
    [{ end_date: '2026-02-28' },                              ['2026-02-28'],               ['2026-02-28']],
    [{ start_date: '2026-03-01', end_date: '2026-03-01' },    ['2026-03-01'],               ['2026-03-01', '2026-03-01']],
    [{ start_date: '2026-04-01' },                            [],                           []],
  ]
  for (const [query, reviews, counts] of ranges) {
    test(`days: ${JSON.stringify(query)}; pages stay`, async () => {
      const [detail, counted] = [JSON.stringify(await detailOf(query)), JSON.stringify(await countsOf(query))]
      assert.deepEqual(datesIn(detail), reviews)
      assert.deepEqual(datesIn(counted), counts)
      assert.equal(detail.match(/"page_url"/g)?.length, 2)
      assert.equal(counted.match(/"page_url"/g)?.length, 3)
    })
  }

  test('a site narrows both; a site without a location is left out', async () => {
    assert.deepEqual(
      (await detailOf({ site_id: [world.roofingId, world.newId] })).sites.map(({ id }) => id),
      [world.roofingId],
    )
    assert.equal((await countsOf({ site_id: world.newId })).sites.length, 0)
  })

  test("another partner's account is as absent as one that never was", async () => {
    for (const id of [world.globex.accountId, 999_999]) {
      for (const kind of ['detail', 'counts.xml', 'counts.json', 'detail.csv']) {
        const reply = await world.acme.get(`/api/accounts/${id}/reputation_report/${kind}`)
        assert.equal(reply.status, 404)
        assert.match(reply.text, /Account not found/)
      }
    }
  })

  test('a bad date is refused before the account is looked for', async () => {
    assert.equal((await world.acme.get('/api/accounts/999999/reputation_report/detail?end_date=soon')).status, 400)
  })
})
