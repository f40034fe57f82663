/** Read tokens: what they read, from which pages, for how long, and what they never do. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { secondsAfter } from '../../src/lib/time/clock.ts'
import { issueKey, revokeKey } from '../../src/model/partners/keys/keys.ts'
import { forgetTokens } from '../../src/model/partners/keys/read-tokens.ts'
import { resumePartner, setPartner, suspendPartner } from '../../src/model/partners/partners.ts'
import { onEachEngine, onPageEngine } from '../support/engines.ts'
import { tryAll } from '../support/every-endpoint.ts'
import { codes } from '../support/refusals.ts'
import { type SampleWorld, sampleWorld } from '../support/sample-world.ts'
import { basic, serviceOn, type TestPartner } from '../support/service.ts'

interface Fresh {
  readonly id: number
  readonly token: string
  readonly site_id: number | null
  readonly account_id: number
  readonly created_at: string
  readonly expires_at: string
}

onEachEngine('read tokens', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  let [site, second, elsewhere, other] = [0, 0, 0, 0]

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
    const make = async (partner: TestPartner, domain: string, account_id = partner.accountId) => {
      const business = await partner.client.createBusiness({ name: `Business of ${domain}`, account_id })
      return (await partner.client.createSite({ business_id: business.id, domain })).id
    }
    other = (await acme.client.createAccount({ name: 'Other' })).id
    ;[site, second, elsewhere] = [
      await make(acme, 'acme.example'),
      await make(acme, 'second.example'),
      await make(acme, 'else.example', other),
    ]
    await make(globex, 'globex.example')
    await setPartner(house.operator, acme.id, { origins: 'https://portal.example https://shop.example:8443' })
  })

  const issue = async (body: object, credentials = acme.credentials): Promise<Fresh> => {
    const { status, text, json } = await acme.post('/api/tokens.json', body, { credentials })
    assert.equal(status, 201, text)
    return (json() as { fresh_token: Fresh }).fresh_token
  }
  const ask = (token: string, path: string, headers: Record<string, string> = {}, method = 'GET') =>
    house.stranger.ask(method, `/api/${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
  const status = async (token: string, path: string) => (await ask(token, path)).status

  test('a token of a site reads that site alone', async () => {
    const { token, site_id, account_id, created_at, expires_at } = await issue({ site_id: site })
    assert.match(token, /^mqt_[0-9A-Za-z]{8}_[0-9A-Za-z]{36}$/)
    assert.deepEqual([site_id, account_id], [site, acme.accountId])
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 3_600_000, 'an hour when nothing is said')
    for (const path of [`sites/${site}/summary.json`, `sites/${site}/rankings.csv`, 'seo_report.json', `seo_report.xml?site_id=${site}`])
      assert.equal(await status(token, path), 200, path)
    for (const text of [(await ask(token, 'seo_report.json')).text, (await ask(token, 'summary.json')).text]) {
      assert.ok(text.includes(String(site)))
      assert.doesNotMatch(text, /second|else|globex/)
      assert.doesNotMatch(text, new RegExp(`"${second}"|"${elsewhere}"`))
    }
    for (const foreign of [second, elsewhere, 999_999]) {
      assert.equal(await status(token, `sites/${foreign}/summary.json`), 404)
      const report = await ask(token, `seo_report.json?site_id=${foreign}`)
      assert.deepEqual([report.status, report.text.includes(`Site not found: ${foreign}`)], [404, true])
    }
    assert.equal(await status(token, `accounts/${other}/summary.json`), 404)
    assert.equal(await status(token, `seo_report.json?account_id=${other}`), 404)
  })

  test('a token of an account reads its sites, and those of no other', async () => {
    const { token } = await issue({ account_id: acme.accountId })
    assert.equal(await status(token, `sites/${second}/summary.json`), 200)
    assert.equal(await status(token, `accounts/${acme.accountId}/summary.json`), 200)
    assert.equal(await status(token, `sites/${elsewhere}/summary.json`), 404)
    assert.doesNotMatch((await ask(token, 'summary.json')).text, /else\.example|globex/)
  })

  test('it never stands for a key: not in a Basic pair, not for agents, not to change or to make tokens', async () => {
    const { token } = await issue({ site_id: site })
    for (const pair of [`${token}:`, `:${token}`, `${acme.key}:${token}`, `${token}:${acme.password}`])
      assert.equal((await house.stranger.get('/api/seo_report.json', { headers: { authorization: basic(pair) } })).status, 401, pair)
    const asked = { method: 'tools/list', jsonrpc: '2.0', id: 1 }
    const sent = { body: JSON.stringify(asked), type: 'application/json', headers: { authorization: `Bearer ${token}` } }
    assert.equal((await house.stranger.ask('POST', '/mcp', sent)).status, 401)
    assert.equal((await ask(token, 'tokens.json', {}, 'POST')).status, 403)
    assert.equal(await status(token, 'tokens.json'), 403)
    assert.equal(await status(token, 'users.json'), 403)
    assert.equal(await status(`${token.slice(0, -1)}x`, 'seo_report.json'), 401)
  })

  test('it ends by itself, by its revocation, with its key and while the partner is suspended', async () => {
    const { key, password, record } = await issueKey(house.operator, acme.id, { scopes: ['report'] })
    const [short, ended, left] = [
      await issue({ site_id: site, minutes: 1 }),
      await issue({ site_id: site }),
      await issue({ site_id: site }, `${key}:${password}`),
    ]
    const write = (values: object) =>
      house.app.store.write((tx) => tx.updateTable('read_tokens').set(values).where('id', '=', short.id).execute())
    assert.equal(await status(short.token, 'seo_report.json'), 200)
    await write({ expires_at: secondsAfter(house.app.clock.now(), -1) })
    assert.equal(await status(short.token, 'seo_report.json'), 401)
    const revoked = await acme.ask('DELETE', `/api/tokens/${ended.id}.json`)
    assert.match(revoked.text, /"revoked_at":"2/)
    assert.equal((await acme.ask('DELETE', `/api/tokens/${ended.id}.json`)).text, revoked.text, 'a repetition changes nothing')
    assert.equal(await status(ended.token, 'seo_report.json'), 401)
    await suspendPartner(house.operator, acme.id)
    assert.equal(await status(left.token, 'seo_report.json'), 401)
    await resumePartner(house.operator, acme.id)
    assert.equal(await status(left.token, 'seo_report.json'), 200)
    await revokeKey(house.operator, record.public_part)
    assert.equal(await status(left.token, 'seo_report.json'), 401)
  })

  test('it is within the accounts of its key, which alone lists and ends it', async () => {
    const limited = await issueKey(house.operator, acme.id, { scopes: ['report'], account_ids: String(other) })
    const credentials = `${limited.key}:${limited.password}`
    const own = await issue({ site_id: elsewhere, minutes: 5 }, credentials)
    const refused = async (body: object, by = credentials) => codes(await acme.post('/api/tokens.json', body, { credentials: by }), 422)
    assert.deepEqual(await refused({ site_id: site }), ['site_id does_not_exist'])
    assert.deepEqual(await refused({ account_id: globex.accountId }, acme.credentials), ['account_id does_not_exist'])
    assert.deepEqual(await refused({ site_id: site, account_id: other }, acme.credentials), ['site_id does_not_exist'])
    assert.deepEqual(await refused({}, acme.credentials), ['site_id blank'])
    assert.deepEqual(await refused({ site_id: site, minutes: 1441 }, acme.credentials), ['minutes invalid'])
    const listed = (await acme.get('/api/tokens.json', { credentials })).json() as { tokens: Fresh[] }
    assert.deepEqual(
      listed.tokens.map(({ id }) => id),
      [own.id],
    )
    assert.ok(!JSON.stringify(listed).includes(own.token))
    for (const method of ['GET', 'DELETE']) assert.equal((await acme.ask(method, `/api/tokens/${own.id}.json`)).status, 404, method)
    for (const scope of ['read', 'provision'] as const) {
      const { key, password } = await issueKey(house.operator, acme.id, { scopes: [scope] })
      assert.equal((await acme.post('/api/tokens.json', { site_id: site }, { credentials: `${key}:${password}` })).status, 403)
      assert.equal((await acme.get('/api/tokens.json', { credentials: `${key}:${password}` })).status, 403)
    }
    assert.equal((await acme.post('/api/tokens.json', { site_id: site }, { credentials: `${acme.key}:` })).status, 401)
  })

  test('pages of the origins that the partner named may read its answers, and no others', async () => {
    const { token } = await issue({ site_id: site })
    const allowed = async (origin: string | undefined, path = `sites/${site}/summary.json`, by = token) => {
      const { headers } = await ask(by, path, origin === undefined ? {} : { origin })
      assert.equal(headers['access-control-allow-credentials'], undefined)
      return { origin: headers['access-control-allow-origin'], vary: headers['vary'] ?? '' }
    }
    assert.deepEqual(await allowed('https://portal.example'), { origin: 'https://portal.example', vary: 'Accept, Authorization, Origin' })
    assert.equal((await allowed('https://shop.example:8443', 'seo_report.json')).origin, 'https://shop.example:8443')
    assert.equal(
      (await allowed('https://portal.example', 'sites/999999/summary.json')).origin,
      'https://portal.example',
      'a refusal is read, too',
    )
    for (const origin of ['https://portal.example.evil.example', 'http://portal.example', 'https://shop.example', 'null', undefined])
      assert.deepEqual([(await allowed(origin)).origin, (await allowed(origin)).vary.includes('Origin')], [undefined, true], origin)
    const withKey = await acme.get(`/api/sites/${site}/summary.json`, { headers: { origin: 'https://portal.example' } })
    assert.deepEqual(
      [withKey.status, withKey.headers['access-control-allow-origin'], withKey.headers['vary']],
      [200, undefined, 'Accept, Authorization'],
    )
    const preflight = async (path: string, headers: Record<string, string>) =>
      (await house.stranger.ask('OPTIONS', `/api/${path}`, { headers })).headers
    const asked = {
      origin: 'https://anywhere.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    }
    const told = await preflight(`sites/${site}/summary.json`, asked)
    assert.equal(told['access-control-allow-origin'], '*')
    assert.match(String(told['access-control-allow-headers']), /Authorization/)
    assert.equal(told['access-control-allow-methods'], 'GET')
    assert.equal(told['access-control-allow-credentials'], undefined)
    assert.equal((await preflight('users.json', asked))['access-control-allow-origin'], undefined)
    assert.equal((await preflight('seo_report.json', {}))['access-control-allow-origin'], undefined)
    assert.equal(
      (await preflight('seo_report.json', { ...asked, 'access-control-request-method': 'POST' }))['access-control-allow-origin'],
      undefined,
    )
  })

  test('its requests are counted apart from those of the partner', async () => {
    await setPartner(house.operator, acme.id, { reads_per_minute: 1 })
    const { token } = await issue({ site_id: site })
    for (let asked = 0; asked < 5; asked++)
      assert.equal((await ask(token, `sites/${site}/rankings.json`)).headers['ratelimit-policy'], '"reads";q=600;w=60')
    await setPartner(house.operator, acme.id, { reads_per_minute: 0 })
  })

  test('a day after its end it is forgotten, and no hash is in the audit log', async () => {
    const { id, token } = await issue({ site_id: site, minutes: 1 })
    const { store, clock } = house.app
    assert.equal(await store.write((tx) => forgetTokens(tx, secondsAfter(clock.now(), -86_400), 100)), 0)
    await store.write((tx) => forgetTokens(tx, secondsAfter(clock.now(), 61), 100))
    assert.equal((await acme.get(`/api/tokens/${id}.json`)).status, 404)
    const details = await store.db.selectFrom('audit_details').select('detail').execute()
    assert.ok(details.every(({ detail }) => !detail?.includes('token_hash') && !detail?.includes(token)))
  })
})

onPageEngine('a token tried on every endpoint', (place) => {
  const house = serviceOn(place, { MARQUEE_REQUEST_LOG: 'off' })

  test('reads summaries, rankings and the SEO report of its own site, and changes nothing', async () => {
    const [own, foreign]: [SampleWorld, SampleWorld] = [await sampleWorld(house, 'Acme'), await sampleWorld(house, 'Globexcanary')]
    const credentials = `${own.env['KEY']}:${own.env['PASSWORD']}`
    const made = await house.stranger.post('/api/tokens.json', { account_id: own.values['account_id'] }, { credentials })
    const { token } = (made.json() as { fresh_token: Fresh }).fresh_token
    const open = ['summary', 'accounts/{account_id}/summary', 'sites/{site_id}/summary', 'sites/{site_id}/rankings', 'seo_report']
    const how = { headers: { authorization: `Bearer ${token}` } }
    const isOpen = ({ method, path }: { method: string; path: string }) => method === 'GET' && open.includes(path)
    const { opened, refused } = await tryAll(house, how, { isOpen, own, foreign, engine: place.engine })
    assert.equal(opened, 5)
    assert.ok(refused > 100)
  })
})
