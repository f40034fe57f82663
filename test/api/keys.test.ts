/** Keys that a partner issues by itself: never more than its own key may, and nothing outside of the accounts they are limited to. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { endpoints } from '../../src/api/endpoints.ts'
import { issueKey, keyScopes, revokeKey } from '../../src/model/partners/keys.ts'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { matchesGolden, withoutChance } from '../support/golden.ts'
import { codes } from '../support/refusals.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

interface Fresh {
  readonly id: number
  readonly key: string
  readonly password: string
  readonly scopes: string
  readonly account_ids: string | null
  readonly public_part: string
  readonly expires_at: string | null
}

onEachEngine('keys by API', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let master: string
  let inner: number
  let outer: number

  const only = (reply: Reply) => {
    assert.ok(reply.status < 300, reply.text)
    return Object.values(reply.json() as object)[0] as { id: number }
  }
  const issue = async (wish: object, credentials = master) => {
    const reply = await acme.post('/api/keys.json', wish, { credentials })
    assert.equal(reply.status, 201, reply.text)
    return (reply.json() as { fresh_key: Fresh }).fresh_key
  }
  const as = ({ key, password }: { key: string; password: string }) => ({ credentials: `${key}:${password}` })

  before(async () => {
    acme = await house.partner('Acme')
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: keyScopes, label: 'master' })
    master = `${key}:${password}`
    inner = only(await acme.post('/api/accounts.json', { name: 'Inner' })).id
    outer = only(await acme.post('/api/accounts.json', { name: 'Outer canary' })).id
  })

  test('are issued with fewer scopes, never with keys, and need the scope', async () => {
    const fresh = await issue({ scopes: 'report, provision', label: ' nightly ' })
    assert.equal(fresh.scopes, 'report provision')
    assert.equal((await acme.get('/api/users.json', as(fresh))).status, 200)
    assert.equal((await acme.get('/api/keys.json', as(fresh))).status, 403)
    assert.equal((await acme.post('/api/observations.json', [], as(fresh))).status, 403)
    for (const [wish, faults] of [
      [{ scopes: 'keys' }, ['scopes inclusion']],
      [{ scopes: 'report keys' }, ['scopes inclusion']],
      [{ scopes: 'everything' }, ['scopes inclusion']],
      [{}, ['scopes blank']],
      [{ scopes: 'report', account_ids: '7;8' }, ['account_ids invalid']],
      [{ scopes: 'report', account_ids: '999999' }, ['account_ids does_not_exist']],
      [{ scopes: 'report', days: 0 }, ['days invalid']],
    ] as const) {
      assert.deepEqual(codes(await acme.post('/api/keys.json', wish, { credentials: master }), 422), faults)
    }
    const narrow = await issueKey(house.operator, acme.id, { scopes: ['keys', 'report'] })
    assert.deepEqual(codes(await acme.post('/api/keys.json', { scopes: 'provision' }, as(narrow)), 422), ['scopes inclusion'])
    assert.equal((await acme.get('/api/keys.json')).status, 403)
  })

  test('that are limited to accounts find nothing else, at any address', async () => {
    const business = only(await acme.post('/api/businesses.json', { name: 'Outer canary', account_id: outer })).id
    const site = only(await acme.post('/api/sites.json', { business_id: business, domain: 'outercanary.example' })).id
    const user = only(await acme.post('/api/users.json', newPerson(outer, { login: 'outercanary', email: 'o@outercanary.example' }))).id
    const own = only(await acme.post('/api/businesses.json', { name: 'Inner shop', account_id: inner })).id
    const limited = await issue({ scopes: 'provision report ingest login_link', account_ids: String(inner) })
    assert.equal(limited.account_ids, String(inner))
    const ids: Record<string, number> = { account_id: outer, business_id: business, site_id: site, user_id: user }
    let asked = 0
    for (const { method, path, query = {}, changes, access } of endpoints) {
      if (access === 'keys') continue
      const isForeign = path.includes('{')
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 1))
      const needed = query['scope_id'] === undefined ? '' : `?scope_type=Site&scope_id=${site}`
      if (!isForeign && (changes || method !== 'GET')) continue
      const body = method === 'PUT' || method === 'POST' ? { body: bodyFor(path), type: 'application/json' } : {}
      const reply = await acme.ask(method, `/api/${address}.json${needed}`, { ...as(limited), ...body })
      assert.doesNotMatch(reply.text, /outer ?canary/i, `${method} ${path}`)
      if (isForeign) assert.equal(reply.status, 404, `${method} ${path}: ${reply.text}`)
      asked += 1
    }
    assert.ok(asked > 40, String(asked))
    const list = async (path: string) =>
      Object.values((await acme.get(`/api/${path}`, as(limited))).json() as object)[0] as { id: number }[]
    assert.deepEqual(
      (await list('accounts.json')).map(({ id }) => id),
      [inner],
    )
    assert.deepEqual(
      (await list('businesses.json')).map(({ id }) => id),
      [own],
    )
    assert.deepEqual(await list(`sites.json?account_id=${outer}`), [])
    for (const query of [`account_id=${outer}`, `account_id=${inner},${outer}`, `site_id=${site}`]) {
      assert.equal((await acme.get(`/api/seo_report.json?${query}`, as(limited))).status, 404, query)
    }
    const full = await acme.get('/api/seo_report.json', { credentials: master })
    const report = await acme.get('/api/seo_report.json', as(limited))
    assert.match(full.text, /outercanary|"\d+"/)
    assert.deepEqual(Object.keys((report.json() as { accounts: object[] }).accounts[0] ?? {}), [String(inner)])
    assert.notEqual(report.headers.etag, full.headers.etag)
    const pushed = await acme.post('/api/observations.json', [{ type: 'keyword', site: 'outercanary.example', phrase: 'x' }], as(limited))
    assert.equal(pushed.status, 422)
    const creating = [{ type: 'site', site: 'fresh.example' }]
    assert.equal((await acme.post('/api/observations.json?create_missing=1', creating, as(limited))).status, 200)
    const made = (await list('sites.json?domain=fresh.example')) as { id: number; account_id?: number }[]
    assert.deepEqual(
      made.map(({ account_id }) => account_id),
      [inner],
    )
    assert.deepEqual(codes(await acme.post('/api/businesses.json', { name: 'Nowhere' }, as(limited)), 422), ['account_id blank'])
    assert.deepEqual(codes(await acme.post('/api/accounts.json', { name: 'New' }, as(limited)), 403), ['forbidden'])
    assert.equal((await acme.post('/api/businesses.json', { name: 'Here', account_id: inner }, as(limited))).status, 201)
    const file = [{ type: 'keyword', site: 'outercanary.example', phrase: 'x' }]
    const whole = only(await acme.post('/api/intakes.json?file_name=whole.json', file, { credentials: master })).id
    assert.deepEqual(codes(await acme.get(`/api/intakes/${whole}.json`, as(limited)), 404), ['not_found'])
    const mine = only(await acme.post('/api/intakes.json?file_name=mine.json', file, as(limited))) as { id: number; account_id?: number }
    assert.equal((await acme.get(`/api/intakes/${mine.id}.json`, as(limited))).status, 200)
    const both = await issue({ scopes: 'ingest', account_ids: `${inner},${outer}` })
    assert.equal((await acme.post('/api/intakes.json', file, as(both))).status, 400)
    const bulk = await acme.post('/api/bulk.json', { operations: [{ kind: 'business', id: business, name: 'Mine' }] }, as(limited))
    assert.equal(bulk.status, 422)
    // What another key was answered is not given to this one.
    const repeat = (credentials: string) =>
      acme.post('/api/businesses.json', { name: 'Once', account_id: inner }, { credentials, headers: { 'idempotency-key': 'shared' } })
    await repeat(master)
    assert.deepEqual(codes(await repeat(as(limited).credentials), 422), ['idempotency_mismatch'])
    const issuer = await issueKey(house.operator, acme.id, { scopes: keyScopes, account_ids: String(inner) })
    const further = await issue({ scopes: 'report' }, as(issuer).credentials)
    assert.equal(further.account_ids, String(inner))
    const beyond = await acme.post('/api/keys.json', { scopes: 'report', account_ids: `${inner},${outer}` }, as(issuer))
    assert.deepEqual(codes(beyond, 422), ['account_ids does_not_exist'])
  })

  test('are listed, rotated and revoked by the key that issued them, and by no other', async () => {
    const issuer = await issueKey(house.operator, acme.id, { scopes: keyScopes })
    const other = await issueKey(house.operator, acme.id, { scopes: keyScopes })
    const fresh = await issue({ scopes: 'report', days: 30 }, as(issuer).credentials)
    const listed = ((await acme.get('/api/keys.json', as(issuer))).json() as { keys: { id: number }[] }).keys.map(({ id }) => id)
    assert.deepEqual(listed, [issuer.record.id, fresh.id])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/rotate'],
      ['DELETE', ''],
    ] as const) {
      assert.deepEqual(codes(await acme.ask(method, `/api/keys/${fresh.id}${path}.json`, as(other)), 404), ['not_found'])
    }
    const rotated = await acme.post(`/api/keys/${fresh.id}/rotate.json`, { grace_days: 0 }, as(issuer))
    const next = (rotated.json() as { fresh_key: Fresh }).fresh_key
    assert.equal(next.scopes, 'report')
    assert.equal(next.expires_at, fresh.expires_at)
    assert.equal((await acme.get('/api/seo_report.json', as(fresh))).status, 401)
    assert.equal((await acme.get('/api/seo_report.json', as(next))).status, 200)
    assert.deepEqual(codes(await acme.post(`/api/keys/${fresh.id}/rotate.json`, {}, as(issuer)), 409), ['conflict'])
    const revoked = await acme.ask('DELETE', `/api/keys/${next.id}.json`, as(issuer))
    assert.equal(revoked.status, 200)
    assert.equal((await acme.ask('DELETE', `/api/keys/${next.id}.json`, as(issuer))).text, revoked.text)
    assert.equal((await acme.get('/api/seo_report.json', as(next))).status, 401)
  })

  test('end with the key that issued them, and follow it when it is rotated', async () => {
    const issuer = await issueKey(house.operator, acme.id, { scopes: keyScopes })
    const child = await issue({ scopes: 'report' }, as(issuer).credentials)
    const rotated = await acme.post(`/api/keys/${issuer.record.id}/rotate.json`, {}, as(issuer))
    const heir = (rotated.json() as { fresh_key: Fresh }).fresh_key
    assert.equal((await acme.get(`/api/keys/${child.id}.json`, as(heir))).status, 200)
    assert.equal((await acme.get('/api/seo_report.json', as(child))).status, 200)
    await revokeKey(house.operator, heir.public_part)
    assert.equal((await acme.get('/api/seo_report.json', as(child))).status, 401)
  })

  test('are nowhere in the database, not even in the answers that are kept for a repeat', async () => {
    const question = { credentials: master, headers: { 'idempotency-key': 'a-key' } }
    const first = await acme.post('/api/keys.json', { scopes: 'report' }, question)
    assert.equal((await acme.post('/api/keys.json', { scopes: 'report' }, question)).text, first.text)
    const { key, password } = (first.json() as { fresh_key: Fresh }).fresh_key
    const { db } = house.app.store
    for (const table of ['keys', 'idempotency_records', 'audit_entries', 'audit_details'] as const) {
      for (const row of await db.selectFrom(table).selectAll().execute()) {
        const bytes = Object.values(row).map((value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
        )
        assert.ok(!bytes.some((text) => text.includes(key) || text.includes(password)), table)
      }
    }
  })

  test('golden answers', async () => {
    const fixed = ({ text }: Reply) =>
      withoutChance(text)
        .replaceAll(/mqs?_\w+/g, '{secret}')
        .replaceAll(/(public[-_]part"?[>:]"?)\w{8}/g, '$1{name}')
        .replaceAll(/(<id type="integer">|"id":)\d+/g, '$1{id}')
    for (const format of ['xml', 'json']) {
      const reply = await acme.post(`/api/keys.${format}`, { scopes: 'report', label: 'nightly' }, { credentials: master })
      matchesGolden(`fresh-key.${format}`, fixed(reply))
    }
  })
})

function bodyFor(path: string): string {
  if (path.endsWith('abilities')) return '{"abilities":[]}'
  if (path.endsWith('keywords')) return '{"keywords":[{"phrase":"x"}]}'
  if (path.endsWith('competitors')) return '{"competitors":[{"domain":"x.example"}]}'
  return '{"name":"x","user_id":1,"external_id":"x"}'
}
