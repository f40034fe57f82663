/** Keys that a partner issues by itself: never more than its own key may, and nothing outside of the accounts they are limited to. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { endpoints } from '../../src/api/endpoints.ts'
import { AuthenticationError, type NewKey, NotFoundError, PermissionError } from '../../src/client/client.ts'
import { issueKey, keyScopes, revokeKey } from '../../src/model/partners/keys/keys.ts'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { matchesGolden, withoutChance } from '../support/golden.ts'
import { codes } from '../support/refusals.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('keys by API', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let master: { key: string; password: string }
  let inner: number
  let outer: number

  const issue = (wish: NewKey, by = master) => house.client(by).issueKey(wish)
  const as = ({ key, password }: { key: string; password: string }) => ({ credentials: `${key}:${password}` })

  before(async () => {
    acme = await house.partner('Acme')
    master = await issueKey(house.operator, acme.id, { scopes: keyScopes, label: 'master' })
    inner = (await acme.client.createAccount({ name: 'Inner' })).id
    outer = (await acme.client.createAccount({ name: 'Outer canary' })).id
  })

  test('are issued with fewer scopes, never with keys, and need the scope', async () => {
    const fresh = await issue({ scopes: 'report, provision', label: ' nightly ' })
    assert.equal(fresh.scopes, 'report provision')
    await assert.doesNotReject(house.client(fresh).listUsers().toArray())
    await assert.rejects(house.client(fresh).listKeys().toArray(), PermissionError)
    await assert.rejects(house.client(fresh).pushObservations([]), PermissionError)
    for (const [wish, faults] of [
      [{ scopes: 'keys' }, ['scopes inclusion']],
      [{ scopes: 'report keys' }, ['scopes inclusion']],
      [{ scopes: 'everything' }, ['scopes inclusion']],
      [{}, ['scopes blank']],
      [{ scopes: 'report', account_ids: '7;8' }, ['account_ids invalid']],
      [{ scopes: 'report', account_ids: '999999' }, ['account_ids does_not_exist']],
      [{ scopes: 'report', days: 0 }, ['days invalid']],
    ] as const) {
      assert.deepEqual(codes(await acme.post('/api/keys.json', wish, as(master)), 422), faults)
    }
    const narrow = await issueKey(house.operator, acme.id, { scopes: ['keys', 'report'] })
    assert.deepEqual(codes(await acme.post('/api/keys.json', { scopes: 'provision' }, as(narrow)), 422), ['scopes inclusion'])
    await assert.rejects(acme.client.listKeys().toArray(), PermissionError)
  })

  test('that are limited to accounts find nothing else, at any address', async () => {
    const business = (await acme.client.createBusiness({ name: 'Outer canary', account_id: outer })).id
    const site = (await acme.client.createSite({ business_id: business, domain: 'outercanary.example' })).id
    const user = (await acme.client.createUser(newPerson(outer, { login: 'outercanary', email: 'o@outercanary.example' }))).id
    const own = (await acme.client.createBusiness({ name: 'Inner shop', account_id: inner })).id
    const limited = await issue({ scopes: 'provision report ingest login_link', account_ids: String(inner) })
    assert.equal(limited.account_ids, String(inner))
    const ids: Record<string, number> = { account_id: outer, business_id: business, site_id: site, user_id: user }
    let asked = 0
    for (const { method, path, query = {}, changes, access } of endpoints) {
      if (access === 'keys' || access === 'staff') continue
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
    const narrow = house.client(limited)
    assert.deepEqual(
      (await narrow.listManagedAccounts().toArray()).map(({ id }) => id),
      [inner],
    )
    assert.deepEqual(
      (await narrow.listBusinesses().toArray()).map(({ id }) => id),
      [own],
    )
    assert.deepEqual(await narrow.listSites({ account_id: outer }).toArray(), [])
    for (const query of [{ account_id: outer }, { account_id: [inner, outer] }, { site_id: site }]) {
      await assert.rejects(narrow.seoReport(query), NotFoundError, JSON.stringify(query))
    }
    const full = await acme.get('/api/seo_report.json', as(master))
    const report = await acme.get('/api/seo_report.json', as(limited))
    assert.match(full.text, /outercanary|"\d+"/)
    assert.deepEqual(Object.keys((report.json() as { accounts: object[] }).accounts[0] ?? {}), [String(inner)])
    assert.notEqual(report.headers.etag, full.headers.etag)
    const pushed = await acme.post('/api/observations.json', [{ type: 'keyword', site: 'outercanary.example', phrase: 'x' }], as(limited))
    assert.equal(pushed.status, 422)
    const creating = [{ type: 'site', site: 'fresh.example' }]
    assert.equal((await acme.post('/api/observations.json?create_missing=1', creating, as(limited))).status, 200)
    assert.deepEqual(
      (await narrow.listSites({ domain: 'fresh.example' }).toArray()).map(({ account_id }) => account_id),
      [inner],
    )
    assert.deepEqual(codes(await acme.post('/api/businesses.json', { name: 'Nowhere' }, as(limited)), 422), ['account_id blank'])
    assert.deepEqual(codes(await acme.post('/api/accounts.json', { name: 'New' }, as(limited)), 403), ['forbidden'])
    assert.equal((await narrow.createBusiness({ name: 'Here', account_id: inner })).account_id, inner)
    const file = new Blob([JSON.stringify([{ type: 'keyword', site: 'outercanary.example', phrase: 'x' }])])
    const whole = (await house.client(master).uploadFile(file, { file_name: 'whole.json' })).id
    assert.deepEqual(codes(await acme.get(`/api/intakes/${whole}.json`, as(limited)), 404), ['not_found'])
    const mine = (await narrow.uploadFile(file, { file_name: 'mine.json' })).id
    assert.equal((await narrow.showIntake(mine)).id, mine)
    const both = await issue({ scopes: 'ingest', account_ids: `${inner},${outer}` })
    await assert.rejects(house.client(both).uploadFile(file), { status: 400 })
    const bulk = await acme.post('/api/bulk.json', { operations: [{ kind: 'business', id: business, name: 'Mine' }] }, as(limited))
    assert.equal(bulk.status, 422)
    // What another key was answered is not given to this one.
    const repeat = (by: typeof master) =>
      acme.post('/api/businesses.json', { name: 'Once', account_id: inner }, { ...as(by), headers: { 'idempotency-key': 'shared' } })
    await repeat(master)
    assert.deepEqual(codes(await repeat(limited), 422), ['idempotency_mismatch'])
    const issuer = await issueKey(house.operator, acme.id, { scopes: keyScopes, account_ids: String(inner) })
    const further = await issue({ scopes: 'report' }, issuer)
    assert.equal(further.account_ids, String(inner))
    const beyond = await acme.post('/api/keys.json', { scopes: 'report', account_ids: `${inner},${outer}` }, as(issuer))
    assert.deepEqual(codes(beyond, 422), ['account_ids does_not_exist'])
  })

  test('are listed, rotated and revoked by the key that issued them, and by no other', async () => {
    const issuer = await issueKey(house.operator, acme.id, { scopes: keyScopes })
    const other = await issueKey(house.operator, acme.id, { scopes: keyScopes })
    const by = house.client(issuer)
    const fresh = await by.issueKey({ scopes: 'report', days: 30 })
    const listed = (await by.listKeys().toArray()).map(({ id }) => id)
    assert.deepEqual(listed, [issuer.record.id, fresh.id])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/rotate'],
      ['DELETE', ''],
    ] as const) {
      assert.deepEqual(codes(await acme.ask(method, `/api/keys/${fresh.id}${path}.json`, as(other)), 404), ['not_found'])
    }
    const next = await by.rotateKey(fresh.id, { grace_days: 0 })
    assert.equal(next.scopes, 'report')
    assert.equal(next.expires_at, fresh.expires_at)
    await assert.rejects(house.client(fresh).seoReport(), AuthenticationError)
    await assert.doesNotReject(house.client(next).seoReport())
    assert.deepEqual(codes(await acme.post(`/api/keys/${fresh.id}/rotate.json`, {}, as(issuer)), 409), ['conflict'])
    const revoked = await by.revokeKey(next.id)
    assert.deepEqual(await by.revokeKey(next.id), revoked)
    await assert.rejects(house.client(next).seoReport(), AuthenticationError)
  })

  test('end with the key that issued them, and follow it when it is rotated', async () => {
    const issuer = await issueKey(house.operator, acme.id, { scopes: keyScopes })
    const child = await issue({ scopes: 'report' }, issuer)
    const heir = await house.client(issuer).rotateKey(issuer.record.id, {})
    assert.equal((await house.client(heir).showKey(child.id)).id, child.id)
    await assert.doesNotReject(house.client(child).seoReport())
    await revokeKey(house.operator, heir.public_part)
    await assert.rejects(house.client(child).seoReport(), AuthenticationError)
  })

  test('are nowhere in the database, not even in the answers that are kept for a repeat', async () => {
    const ask = () => house.client(master).issueKey({ scopes: 'report' }, { idempotencyKey: 'a-key' })
    const first = await ask()
    assert.deepEqual(await ask(), first)
    const { key, password } = first
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
      const reply = await acme.post(`/api/keys.${format}`, { scopes: 'report', label: 'nightly' }, as(master))
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
