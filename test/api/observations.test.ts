/** A partner pushes what it measured: each record is stored or refused by itself, and only its own sites are within reach. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Marquee, Observations } from '../../src/client/client.ts'
import { draftOf } from '../../src/fields/read.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { newBusiness } from '../../src/resources/business.ts'
import type { BuiltStatement } from '../../src/store/statements.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Question, serviceOn, type TestPartner } from '../support/service.ts'

const ranking = {
  type: 'ranking' as const,
  site: 'acme.example',
  phrase: 'bread',
  search_engine: 'Google',
  locale: 'en-us',
  ranked_at: '2026-11-01 00:00:00',
  rank: 1,
}
const keyword = { type: 'keyword' as const, site: 'acme.example', phrase: 'bread' }

onEachEngine('observations', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  let ingest: string
  let client: Marquee

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
    const { key, password } = await prepare(acme, 'acme.example')
    ingest = `${key}:${password}`
    client = house.client({ key, password })
    await prepare(globex, 'globex.example')
  })

  async function prepare({ id, accountId }: TestPartner, domain: string) {
    const business = await createBusiness(house.operator, draftOf(newBusiness, { name: domain, account_id: accountId }))
    await createSite(house.operator, business.id, domain)
    return issueKey(house.operator, id, { label: 'push', scopes: ['ingest'] })
  }

  async function push(body: object | string | Uint8Array, question: Question = {}, path = '/api/observations.json') {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    const reply = await acme.ask('POST', path, { credentials: ingest, body: sent, type: 'application/json', ...question })
    return {
      status: reply.status,
      text: reply.text,
      result: (path.includes('json') ? reply.json() : {}) as { observations: Observations },
    }
  }

  test('a push repeated under its Idempotency-Key gets the first answer, and another push under it is refused', async () => {
    const under = { headers: { 'idempotency-key': 'push-1' } }
    const once = { ...keyword, phrase: 'rye' }
    const [first, second] = [await push([once], under), await push([once], under)]
    assert.deepEqual([first.status, first.result.observations.created, second.text], [200, 1, first.text])
    assert.equal((await push([keyword], under)).status, 422)
    // What was refused may be taken later, so it is not kept.
    const refused = { headers: { 'idempotency-key': 'push-2' } }
    const early = [{ ...once, site: 'later.example' }]
    assert.equal((await push(early, refused)).status, 422)
    await prepare(acme, 'later.example')
    assert.equal((await push(early, refused)).status, 200)
  })

  test('all records stored answer 200, the same again are unchanged', async () => {
    assert.deepEqual(await client.pushObservations([keyword, ranking]), {
      received: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      also_created: 0,
      refused: 0,
      refusals: [],
    })
    const again = await push(`${JSON.stringify(keyword)}\n${JSON.stringify(ranking)}\n`, { type: 'application/x-ndjson' })
    assert.deepEqual([again.status, again.result.observations.unchanged], [200, 2])
  })

  test('none of it is checked or stored by the thread that answers requests', async () => {
    const tables = new Set<string>()
    const look = (message: unknown) => {
      const { node } = message as BuiltStatement
      if (node.kind === 'InsertQueryNode') tables.add(node.into?.table.identifier.name ?? '')
      if (node.kind === 'SelectQueryNode' && JSON.stringify(node.from).includes('"keywords"')) tables.add('keywords')
    }
    subscribe('marquee:statement', look)
    const pushes = ['', '?atomic=1', '?dry_run=1'].map((query, i) =>
      push([{ ...keyword, phrase: `elsewhere ${i}` }], {}, `/api/observations.json${query}`),
    )
    const csv = push('type,site,phrase\nkeyword,acme.example,elsewhere\n', { type: 'text/csv' }, '/api/observations.json?kind=keyword')
    const statuses = (await Promise.all([...pushes, csv])).map(({ status }) => status)
    unsubscribe('marquee:statement', look)
    for (const table of ['intakes', 'intake_steps', 'keywords']) assert.ok(!tables.has(table), [...tables].join(' '))
    assert.deepEqual(statuses, [200, 200, 200, 200])
  })

  test('some stored answer 207 with the refusals by index and field, none 422', async () => {
    const some = await push([{ ...ranking, rank: 2 }, { ...ranking, rank: 0 }, 7])
    assert.equal(some.status, 207)
    assert.deepEqual(some.result.observations, {
      received: 3,
      created: 0,
      updated: 1,
      unchanged: 0,
      also_created: 0,
      refused: 2,
      refusals: [
        { index: 1, field: 'rank', code: 'out_of_range', message: 'rank must be between 1 and 65535 (here: 0)' },
        { index: 2, field: '', code: 'not_json', message: 'is not a JSON object on one line' },
      ],
    })
    assert.equal((await push([{ ...ranking, rank: 0 }])).status, 422)
  })

  test('reading stops once more than a hundred records, and more than half, were refused: nothing is stored', async () => {
    const bad = Array.from({ length: 400 }, () => ({ ...ranking, rank: 0 }))
    const phrase = 'before the bad ones'
    const { status, result } = await push([{ ...keyword, phrase }, ...bad])
    const { received, refused, created, refusals } = result.observations
    assert.deepEqual([status, refused, created, refusals.length], [422, received - 1, 0, 101])
    assert.ok(received < bad.length, `${received} records were read`)
    assert.deepEqual([refusals.at(-1)?.code, refusals.at(-1)?.index], ['not_read', received])
    assert.equal((await client.pushObservations([{ ...keyword, phrase }])).created, 1)
  })

  test('more than a hundred refused records keep nobody else out as long as they are not the most', async () => {
    const bad = Array.from({ length: 120 }, () => ({ ...ranking, rank: 0 }))
    const good = Array.from({ length: 130 }, (_, index) => ({ ...keyword, phrase: `among bad ones ${index}` }))
    const { status, result } = await push([...good, ...bad])
    assert.deepEqual([status, result.observations.created, result.observations.refused], [207, 130, 120])
  })

  test('with atomic=1 one refused record keeps all others out', async () => {
    const other = { ...ranking, ranked_at: '2026-11-02 00:00:00' }
    const refused = await push([other, { ...ranking, rank: 0 }], {}, '/api/observations.json?atomic=1')
    assert.deepEqual([refused.status, refused.result.observations.created], [422, 0])
    assert.equal((await client.pushObservations([other])).created, 1)
  })

  test('refusals are counted by record, whatever blank lines there are, and what comes along is counted apart', async () => {
    const lines = ['', JSON.stringify(keyword), '', ' ', JSON.stringify({ ...ranking, rank: 0 }), ''].join('\n')
    const { refusals } = (await push(lines, { type: 'application/x-ndjson' })).result.observations
    assert.deepEqual(
      refusals.map(({ index }) => index),
      [1],
    )
    const page = { type: 'page', site: 'acme.example', source: 'google', page_url: 'https://maps.example/1' } as const
    assert.partialDeepStrictEqual(await client.pushObservations([page]), { received: 1, created: 1, also_created: 1 })
  })

  test('with create_missing=1 a push creates what it refers to, in the partner account', async () => {
    const record = { ...ranking, site: 'new.example' }
    assert.equal((await push([record])).status, 422)
    const { status, result } = await push([record], {}, '/api/observations.json?create_missing=1')
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(result.observations, { created: 1, also_created: 2 })
  })

  test('who reads while an atomic push is being stored sees all of it or nothing', async () => {
    const keywords = Array.from({ length: 1_500 }, (_, i) => ({ ...ranking, phrase: `word ${i}`, ranked_at: '2025-05-05 00:00:00' }))
    let isOver = false
    const pushing = push(keywords, {}, '/api/observations.json?atomic=1&create_missing=1').finally(() => (isOver = true))
    const seen = new Set<number>()
    while (!isOver) seen.add((await acme.get('/api/seo_report.json')).text.split('2025-05-05').length - 1)
    assert.equal((await pushing).status, 200)
    assert.deepEqual(
      [...seen].filter((many) => many !== 0 && many !== keywords.length),
      [],
    )
  })

  test('CSV comes in too, as it is or as an export of another tool, and a dry run stores nothing', async () => {
    const own = 'site,phrase,search_engine,locale,ranked_at,rank\nacme.example,csv,Google,en-us,2026-11-01 00:00:00,4\n'
    const csv = { type: 'text/csv; charset=utf-8' }
    const dry = await push(own, csv, '/api/observations.json?create_missing=1&dry_run=1')
    assert.deepEqual([dry.status, dry.result.observations.created], [200, 1], 'what would be')
    assert.equal((await push(own, csv, '/api/observations.json?create_missing=1')).result.observations.created, 1)
    const foreign = 'ID,Keyword,Position,Updated\n1,csv,-,2026-11-02\n'
    const words = '/api/observations.json?preset=serpbear&set=locale%3Den-us,site%3Dacme.example'
    assert.equal((await push(gzipSync(foreign), { ...csv, headers: { 'content-encoding': 'gzip' } }, words)).result.observations.created, 1)
    const refused = await push('colour\nred\n', csv)
    assert.equal(refused.status, 422)
    assert.match(refused.text, /"code":"columns"/)
    assert.equal((await push(own, csv, '/api/observations.json?set=colour%3Dred')).status, 400)
  })

  test('what is wrong with CSV is told with the value, and with the parameter that would help', async () => {
    const header = 'site,phrase,search_engine,locale,ranked_at,rank\n'
    const row = (ranked_at: string, rank: string) => `${header}acme.example,bread,Google,en-us,${ranked_at},${rank}\n`
    // biome-ignore format: a table reads by its columns
    const cases: readonly (readonly [body: string, said: RegExp])[] = [
      [row('2026-11-01', '7.4'),   /^rank must be an integer \(here: 7\.4\); `round=1` rounds averages$/],
      [row('2026-11-01', '7,4'),   /\(here: "7,4"\); `decimal` says which mark stands before the fraction$/],
      [row('2026-11-01', '>100'),  /\(here: ">100"\); `not_found` names what stands for "not found"$/],
      [row('01.11.2026', '7'),     /\(here: "01\.11\.2026"\); `date_format` says how days are written$/],
      ['Keyword,Rnk\nbread,7\n', /name columns with `columns`, values of all rows with `set`/],
    ]
    for (const [body, said] of cases) {
      const quoted = body.replace('7,4', '"7,4"')
      const { status, result } = await push(quoted, { type: 'text/csv' }, '/api/observations.json?create_missing=1')
      assert.equal(status, 422, body)
      const [refusal] = result.observations.refusals
      assert.match(refusal?.message ?? '', said)
      assert.doesNotMatch(JSON.stringify(result), /--|marquee import/)
    }
  })

  test('a push of which every record was refused is no intake', async () => {
    const intakes = async () => (await house.app.store.db.selectFrom('intakes').select('id').execute()).length
    const before = await intakes()
    const { status, result } = await push([
      { ...ranking, rank: 0 },
      { ...ranking, rank: 'first' },
    ])
    assert.deepEqual(
      [status, result.observations.refused, result.observations.refusals[1]?.message],
      [422, 2, 'rank must be an integer (here: "first")'],
    )
    assert.equal(await intakes(), before)
    assert.equal((await push([{ ...ranking, rank: 0 }, keyword])).status, 207)
    assert.equal(await intakes(), before + 1)
  })

  test("globex's site is as unknown to acme's key as one that nobody has", async () => {
    const [foreign, absent] = [await push([{ ...ranking, site: 'globex.example' }]), await push([{ ...ranking, site: 'nobody.example' }])]
    assert.deepEqual(JSON.parse(JSON.stringify(foreign).replaceAll('globex', 'nobody')), JSON.parse(JSON.stringify(absent)))
    assert.equal(foreign.status, 422)
  })

  test('a key without the ingest scope is refused, and so is one without its password', async () => {
    assert.equal((await push([keyword], { credentials: acme.credentials })).status, 403)
    assert.equal((await push([keyword], { credentials: ingest.split(':')[0] ?? '' })).status, 401)
  })

  test('a compressed body is taken up to 16 MiB and a hundredfold', async () => {
    const packed = (text: string) => push(gzipSync(text), { headers: { 'content-encoding': 'gzip' } })
    assert.equal((await packed(JSON.stringify([keyword]))).status, 200)
    assert.equal((await packed(' '.repeat(15 * 1024 * 1024))).status, 413)
    assert.equal((await push(' '.repeat(16 * 1024 * 1024 + 1))).status, 413)
    assert.equal((await push([keyword], { headers: { 'content-encoding': 'gzip' } })).status, 400)
    assert.equal((await push([keyword], { headers: { 'content-encoding': 'br' } })).status, 415)
  })

  test('a body that is no array and no line of JSON is told as such', async () => {
    assert.equal((await push('[{"type":"keyword"}')).status, 400)
    assert.equal((await push('<keywords/>', { type: 'application/xml' })).status, 415)
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/jsonish'])
      assert.equal((await push([keyword], { type })).status, 415, type)
    for (const type of ['application/json; charset=utf-8', 'text/x-json', 'application/jsonl', 'application/x-www-form-urlencoded'])
      assert.equal((await push([keyword], { type })).status, 200, type)
    assert.equal((await push('nonsense')).status, 422)
    assert.deepEqual([(await push([])).status, (await push('')).status], [200, 200])
  })

  test('the answer comes in XML too', async () => {
    const { text } = await push([{ ...ranking, rank: 0 }], {}, '/api/observations.xml')
    assert.match(text, /<observations>\n {2}<received type="integer">1<\/received>/)
    assert.match(text, /<refusal>\n {6}<index type="integer">0<\/index>\n {6}<field>rank<\/field>/)
  })
})
