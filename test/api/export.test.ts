/** A partner takes along all of its data by itself, account by account, and comes in elsewhere with it. */
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { importAccounts } from '../../src/model/transfers/import-accounts.ts'
import { bytesOf } from '../support/data.ts'
import { onEachEngine } from '../support/engines.ts'
import { basic, serviceOn, type TestPartner } from '../support/service.ts'
import { exported, fill, withoutIds } from '../support/whole-accounts.ts'

type Line = Readonly<Record<string, unknown>> & { readonly type: string }

const records = [
  { type: 'keyword', phrase: 'bread', which: 0 },
  { type: 'ranking', phrase: 'rolls', search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank: 2, which: 1 },
  { type: 'review', source: 'google', page_url: 'https://maps.example/1', rating: 4, date: '2026-11-01', ref: 'r1', which: 1 },
]
const brands = ['brand', 'brand_picture', 'account_brand']

onEachEngine('the export of a partner', (place) => {
  const house = serviceOn(place)
  let acme = {} as TestPartner
  let globex = {} as TestPartner
  before(async () => {
    acme = await house.partner('Acme')
    await fill(house, acme, 'acme', records)
    globex = await house.partner('Globex')
    await fill(house, globex, 'globex', records)
  })
  const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
  const told = (text: string) => linesOf(text).map((line) => JSON.parse(line) as Line)
  const accountsIn = (text: string) => told(text).flatMap(({ type, id }) => (type === 'account' ? [id] : []))

  test('each account comes whole, and the whole comes in elsewhere as it was, but for brands', async () => {
    const { status, headers, text } = await acme.get('/api/export')
    assert.deepEqual([status, headers['content-type'], headers['cache-control']], [200, 'application/x-ndjson', 'no-store'])
    const [first, second] = [acme.accountId, accountsIn(text)[1] as number]
    const edges = told(text).flatMap(({ type, account_id }) => (type === 'export' || type === 'end' ? [[type, account_id]] : []))
    assert.deepEqual(
      edges,
      [first, second].flatMap((id) => [
        ['export', id],
        ['end', id],
      ]),
    )
    const other = await house.partner('Acme')
    const free = linesOf(text).map((line) => line.replaceAll('acme', 'other'))
    const { left_out, measured } = await importAccounts(house.operator, { partnerId: other.id }, readNdjson(bytesOf(free)))
    assert.deepEqual([left_out, measured.faults], [[], []])
    const sorted = (lines: readonly string[]) =>
      withoutIds(lines.map((line) => line.replaceAll('acme', 'other')).filter((line) => !brands.includes(JSON.parse(line).type))).map(
        (line) => JSON.stringify(line),
      )
    assert.deepEqual(sorted(await exported(house, other)).sort(), sorted(await exported(house, acme)).sort())
  })

  test('a cursor begins at the next whole account, and what was cut off is replaced by what is appended', async () => {
    const { text } = await acme.get('/api/export')
    const [end] = told(text).filter(({ type }) => type === 'end')
    const { text: rest } = await acme.get(`/api/export?after=${end?.['after']}`)
    assert.deepEqual(accountsIn(rest), accountsIn(text).slice(1))
    const last = told(rest).at(-1)
    assert.equal((await acme.get(`/api/export?after=${last?.['after']}`)).text, '')
    const cut = linesOf(text).slice(0, -3)
    const other = await house.partner('Patient')
    const take = (lines: readonly string[]) =>
      importAccounts(house.operator, { partnerId: other.id }, readNdjson(bytesOf(lines.map((line) => line.replaceAll('acme', 'patient')))))
    await assert.rejects(take(cut), /The export is cut within account \d+/)
    const { measured } = await take([...cut, ...linesOf(rest)])
    assert.deepEqual(measured.faults, [])
    assert.equal((await acme.get('/api/export?after=nonsense')).status, 400)
  })

  test('an account or a site comes by itself', async () => {
    const [, second] = accountsIn((await acme.get('/api/export')).text) as number[]
    const account = (await acme.get(`/api/export?account_id=${second}`)).text
    assert.deepEqual(accountsIn(account), [second])
    const site = told(account).find(({ type }) => type === 'site')
    const alone = told((await acme.get(`/api/export.ndjson?site_id=${site?.['id']}`)).text)
    const kinds = [...new Set(alone.map(({ type }) => type))]
    assert.deepEqual(
      kinds,
      ['export', 'account', 'business', 'site', 'location', 'keyword', 'ranking', 'page', 'review', 'end'].filter((kind) =>
        kinds.includes(kind),
      ),
    )
    assert.ok(kinds.includes('ranking') && !kinds.includes('user'))
    const other = await house.partner('Small')
    const lines = alone.map((line) => JSON.stringify(line))
    const { measured } = await importAccounts(
      house.operator,
      { partnerId: other.id, accountId: other.accountId },
      readNdjson(bytesOf(lines)),
    )
    assert.deepEqual([measured.faults, measured.kinds['ranking']?.created], [[], 1])
  })

  test('nothing of others, and what is not there is not found', async () => {
    const mine = (await acme.get('/api/export')).text
    assert.doesNotMatch(mine, /globex/)
    const [theirs] = accountsIn((await globex.get('/api/export')).text)
    assert.equal((await acme.get(`/api/export?account_id=${theirs}`)).status, 404)
    assert.equal((await acme.get('/api/export?site_id=999999')).status, 404)
    const [, second] = accountsIn(mine) as number[]
    const { key, password } = await issueKey(house.operator, acme.id, { account_ids: String(second) })
    const limited = await house.stranger.get('/api/export', { credentials: `${key}:${password}` })
    assert.deepEqual(accountsIn(limited.text), [second])
    assert.ok(
      told(limited.text).every(({ type, scope_type, scope_id }) => type !== 'ability' || scope_type !== 'Account' || scope_id === second),
    )
    assert.equal((await house.stranger.get(`/api/export?account_id=${acme.accountId}`, { credentials: `${key}:${password}` })).status, 404)
  })

  test('it needs the password and both scopes', async () => {
    assert.equal((await house.stranger.get('/api/export', { credentials: `${acme.key}:` })).status, 401)
    for (const scopes of [['provision'], ['report']] as const) {
      const { key, password } = await issueKey(house.operator, acme.id, { scopes: [...scopes] })
      const { status, text } = await house.stranger.get('/api/export', { credentials: `${key}:${password}` })
      assert.equal(status, 403)
      assert.match(text, new RegExp(`does not have the scope ${scopes[0] === 'report' ? 'provision' : 'report'}`))
    }
  })

  test('no secret, brand or host goes along', async () => {
    const { text } = await acme.get('/api/export')
    for (const secret of ['argon2', 'salt', 'token', 'verifier', 'password', 'key_hash', 'brand', acme.key, acme.password])
      assert.ok(!text.includes(secret), secret)
  })

  test('it is compressed on request, and HEAD tells the same headers', async () => {
    const plain = await acme.get('/api/export')
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const headers = { authorization: basic(acme.credentials), 'accept-encoding': 'gzip' }
      get(`${house.url}/api/export`, { headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)))
      }).on('error', reject)
    })
    const withoutTime = (text: string) => text.replaceAll(/"exported_at":"[^"]*"/g, '')
    assert.equal(withoutTime(gunzipSync(bytes).toString()), withoutTime(plain.text))
    const head = await acme.ask('HEAD', '/api/export')
    assert.deepEqual([head.status, head.headers['content-type'], head.text], [200, 'application/x-ndjson', ''])
  })

  test('work stops when the client goes', async () => {
    const leave = () =>
      new Promise<void>((resolve, reject) => {
        const asked = get(`${house.url}/api/export`, { headers: { authorization: basic(acme.credentials) } }, (response) => {
          response.once('data', () => {
            asked.destroy()
            resolve()
          })
        })
        asked.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve() : reject(error)))
      })
    // More than the places that a partner has: each that goes on would keep one.
    for (let i = 0; i < 6; i++) await leave()
    assert.equal((await acme.get('/api/export')).status, 200)
  })
})
