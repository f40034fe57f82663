/** Summaries and rankings: what dashboards and assistants read, as records and as tables. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

interface Row {
  readonly phrase: string
  readonly tags: string | null
  readonly search_engine: string
  readonly device: string
  readonly ranked_at: string
  readonly rank: number | null
}

onEachEngine('figures for programs', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  let [site, second, other] = [0, 0, 0]

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
    const make = async (partner: TestPartner, domain: string, account_id = partner.accountId) => {
      const business = await partner.client.createBusiness({ name: `Business of ${domain}`, account_id })
      return (await partner.client.createSite({ business_id: business.id, domain })).id
    }
    other = (await acme.client.createAccount({ name: 'Other' })).id
    site = await make(acme, 'acme.example')
    second = await make(acme, 'second.example', other)
    await make(globex, 'globex.example')
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['ingest'] })
    const pusher = house.client({ key, password })
    const records = ['plumber', 'roofer', '=cmd'].flatMap((phrase, index) => [
      { type: 'keyword', site: 'acme.example', phrase, ...(index < 2 && { tags: index === 0 ? 'city,near' : 'city' }) },
      ...['Google', 'Bing'].flatMap((search_engine) =>
        [1, 2, 3, 4].map((day) => ranking(phrase, search_engine, `2026-11-0${day} 04:00:00`, day === 4 ? null : index * 10 + day)),
      ),
    ])
    const mobile = { ...ranking('plumber', 'Google', '2026-11-02 04:00:00', 33), device: 'mobile' }
    await pusher.pushObservations([...records, mobile] as never)
  })

  function ranking(phrase: string, search_engine: string, ranked_at: string, rank: number | null) {
    return { type: 'ranking', site: 'acme.example', phrase, search_engine, locale: 'en-us', ranked_at, rank }
  }

  const rows = async (query = '') => ((await acme.get(`/api/sites/${site}/rankings.json?${query}`)).json() as { rankings: Row[] }).rankings

  test('rankings are the entries of the report, flat, and the same page by page', async () => {
    const all = await rows()
    assert.equal(all.length, 25)
    const report = (await acme.client.seoReport({ series: 'all', site_id: site })) as unknown as {
      accounts: Record<string, { sites: Record<string, { keywords: Record<string, { ranked_at: string; rank: number | null }[]>[] }>[] }>[]
    }
    const keyed = report.accounts.flatMap((one) => Object.values(one)).flatMap((one) => one.sites)[0]?.[String(site)]?.keywords ?? []
    const inReport = keyed
      .flatMap((one) => Object.entries(one))
      .flatMap(([phrase, some]) => some.map((one) => `${phrase} ${one.ranked_at} ${one.rank}`))
    assert.deepEqual(all.map((one) => `${one.phrase} ${one.ranked_at} ${one.rank}`).toSorted(), inReport.toSorted())
    for (const limit of [1, 2, 7]) {
      const paged: Row[] = []
      for (let path: string | undefined = `/api/sites/${site}/rankings.json?limit=${limit}`; path !== undefined; ) {
        const { headers, json } = await acme.get(path)
        paged.push(...(json() as { rankings: Row[] }).rankings)
        path = /<http:\/\/marquee\.test([^>]+)>/.exec(String(headers['link'] ?? ''))?.[1]
      }
      assert.deepEqual(paged, all, `${limit} at once`)
    }
    assert.deepEqual(await acme.client.listRankings(site, { limit: 9 }).toArray(), all)
  })

  test('rankings are narrowed by phrase, tag, engine, locale, device and days', async () => {
    const count = async (query: string) => (await rows(query)).length
    assert.equal(await count('phrase=plumber'), 9)
    assert.equal(await count('tag=city'), 17)
    assert.equal(await count('tag=near'), 9)
    assert.equal(await count('tag=nea'), 0)
    assert.equal(await count('search_engine=Bing'), 12)
    assert.equal(await count('locale=de-de'), 0)
    assert.equal(await count('device=mobile'), 1)
    assert.equal(await count('device='), 24)
    assert.equal(await count('start_date=2026-11-02&end_date=2026-11-03'), 13)
    assert.equal(await count('phrase=plumber&search_engine=Google&device=&start_date=2026-11-04'), 1)
    assert.equal((await rows('phrase=plumber&search_engine=Google&device=&start_date=2026-11-04'))[0]?.rank, null)
  })

  test('as a table they are safe in a spreadsheet, and say where the next page is', async () => {
    const { text, headers } = await acme.get(`/api/sites/${site}/rankings.csv?limit=25&phrase=%3Dcmd`)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(text.split('\r\n')[0], '\ufeffkeyword_id,phrase,tags,search_engine,locale,device,location,ranked_at,rank')
    assert.match(text.split('\r\n')[1] ?? '', /^\d+,'=cmd,,Bing,en-us,,,2026-11-01 04:00:00,21$/)
    assert.match(
      String((await acme.get(`/api/sites/${site}/rankings.csv?limit=2`)).headers['link']),
      /rankings\.csv\?limit=2&after=\S+>; rel="next"$/,
    )
    assert.equal((await acme.get(`/api/summary.csv`)).text.split('\r\n').length, 4, 'a head, two sites and the last line end')
    assert.match(
      (await acme.get(`/api/sites/${site}/summary.csv`)).text,
      /^\ufeffsite_id,.*\r\n\d+,acme\.example,Business of acme\.example,active,/,
    )
  })

  test('summaries of an account and of all come page by page, and hold nothing of others', async () => {
    const sites = async (path: string) =>
      ((await acme.get(path)).json() as { summaries: { site_id: number }[] }).summaries.map(({ site_id }) => site_id)
    assert.deepEqual(await sites('/api/summary.json'), [site, second])
    assert.deepEqual(await sites(`/api/accounts/${other}/summary.json`), [second])
    const first = await acme.get('/api/summary.json?limit=1')
    const next = /<http:\/\/marquee\.test([^>]+)>/.exec(String(first.headers['link']))?.[1] ?? ''
    assert.deepEqual(await sites(next), [second])
    const limited = await issueKey(house.operator, acme.id, { scopes: ['read'], account_ids: String(other) })
    const credentials = `${limited.key}:${limited.password}`
    assert.match(
      (await house.stranger.get('/api/summary.json', { credentials })).text,
      /^\{"summaries":\[\{"site_id":\d+,"domain":"second\.example"[^}]*\}\]\}$/,
    )
    assert.equal((await house.stranger.get(`/api/sites/${site}/rankings.json`, { credentials })).status, 404)
    for (const path of [`sites/${site}/summary`, `sites/${site}/rankings`, `accounts/${acme.accountId}/summary`])
      assert.equal((await globex.get(`/api/${path}.json`)).status, 404, path)
  })

  test('a period that is none, an unknown word and a foreign cursor are refused in words', async () => {
    const refused = async (query: string, path = `sites/${site}/summary`) => {
      const { status, text } = await acme.get(`/api/${path}.json?${query}`)
      assert.equal(status, 400, text)
      return text
    }
    assert.match(await refused('start_date=2026-11-01'), /start_date and end_date are given together/)
    assert.match(await refused('start_date=2026-11-02&end_date=2026-11-01'), /start_date is after the end_date/)
    assert.match(await refused('start_date=2016-11-02&end_date=2026-11-01'), /three years at most/)
    assert.match(await refused('days=8'), /must be one of 7, 30, 90, 180, 365/)
    assert.match(await refused('period=next-month'), /must be one of this-month/)
    assert.match(await refused('limit=101', 'summary'), /must be a whole number from 1 to 100/)
    assert.match(await refused('after=zzz', `sites/${site}/rankings`), /cursor is not one/)
    assert.match(await refused('engine=Google', `sites/${site}/rankings`), /There is no parameter engine/)
    assert.equal((await acme.get(`/api/sites/${site}/summary.json?compare=none`)).json() !== null, true)
    assert.match(
      (await acme.get(`/api/sites/${site}/summary.json?period=last-month&compare=year`)).text,
      /"compared_start_date":"\d{4}-\d\d-01"/,
    )
  })

  test('they need the password, and one of the scopes report and read', async () => {
    const paths = [`sites/${site}/summary`, `sites/${site}/rankings`, `accounts/${other}/summary`, 'summary']
    const statuses = (credentials: string) =>
      Promise.all(paths.map(async (path) => (await house.stranger.get(`/api/${path}.json`, { credentials })).status))
    const keyWith = async (scope: 'report' | 'read' | 'provision') => {
      const { key, password } = await issueKey(house.operator, acme.id, { scopes: [scope] })
      return `${key}:${password}`
    }
    assert.deepEqual(await statuses(`${acme.key}:`), [401, 401, 401, 401])
    assert.deepEqual(await statuses(await keyWith('report')), [200, 200, 200, 200])
    assert.deepEqual(await statuses(await keyWith('read')), [200, 200, 200, 200])
    assert.deepEqual(await statuses(await keyWith('provision')), [403, 403, 403, 403])
  })
})
