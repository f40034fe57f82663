/** The log of what the API answered: names and ids and nothing that was said of a person, bounded however much is asked, and forgotten in time. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { App } from '../../../src/model/core/app.ts'
import {
  type AnsweredRequest,
  keptRequests,
  noteRequest,
  requestLogCounts,
  writeRequests,
} from '../../../src/model/core/use/request-log.ts'
import { revokeKey } from '../../../src/model/partners/keys/keys.ts'
import { sweep } from '../../../src/model/upkeep/retention.ts'
import { onEachEngine } from '../../support/engines.ts'
import { ofOneProcess, serviceOn, type TestPartner } from '../../support/service.ts'

/** Whatever a request may say of somebody; none of it is ever found in the log. */
const said = ['Dana-Marlowe', 'dana@marlowe.example', 'dana%40marlowe.example', 'hunter-2-hunter', 'mqs_wrongPassword', 'Marlowe', 'dana']

onEachEngine('the log of requests', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
  })
  const rowsOf = async (partner: TestPartner) => {
    await writeRequests(house.app)
    return house.app.store.db.selectFrom('requests').selectAll().where('partner_id', '=', partner.id).orderBy('id').execute()
  }
  const last = async () => (await rowsOf(acme)).at(-1)
  /** Another process on the same database. */
  const another = (settings: Partial<App['settings']> = {}): App => ({ ...house.app, settings: { ...house.app.settings, ...settings } })
  const noted = (partner_id: number, status = 200, request_id = 'r'): AnsweredRequest => ({
    partner_id,
    at: house.app.clock.now(),
    request_id,
    public_part: 'abcdefgh',
    method: 'GET',
    status,
    code: undefined,
    sentence: undefined,
    tenths: 12,
    url: '',
    fields: [],
    told: () => ({ path: '/api/users.json', parameters: '' }),
  })

  test('has the path with its ids, names of parameters, and values of ids, dates and flags', ofOneProcess, async () => {
    const [key] = await house.app.store.db.selectFrom('keys').select('public_part').where('partner_id', '=', acme.id).execute()
    const answer = await acme.get(`/api/users.json?account_id=${acme.accountId}&state=active&email=a%40b.example`)
    const { id: _, at, tenths, ...row } = (await last()) ?? { id: 0, at: '', tenths: 0 }
    assert.match(at, /^\d{4}-.*Z$/)
    assert.ok(tenths > 0 && tenths < 100_000)
    assert.deepEqual(row, {
      partner_id: acme.id,
      is_refused: 0,
      request_id: answer.headers['x-request-id'],
      public_part: key?.public_part,
      method: 'GET',
      path: '/api/users.json',
      parameters: `account_id=${acme.accountId}&state&email`,
      status: 200,
      code: null,
      sentence: null,
    })
    await acme.get('/api/businesses/987654.xml')
    const absent = await last()
    assert.deepEqual(
      [absent?.path, absent?.is_refused, absent?.code, absent?.sentence],
      ['/api/businesses/987654.xml', 1, 'not_found', 'Business not found'],
    )
    await acme.get('/api/seo_report.csv?start_date=2026-11-01&site_id=1,2&table=rankings&_=1760000')
    assert.deepEqual((await last())?.parameters, 'start_date=2026-11-01&site_id=1,2&table&…')
    await acme.post('/api/users.json?dry_run=1', { login: 'x', email: '', account_id: acme.accountId })
    const refused = await last()
    assert.deepEqual([refused?.parameters, refused?.code], ['dry_run=1&login&email&account_id', 'validation_failed'])
    assert.equal(refused?.sentence, "Email can't be blank; Password can't be blank; Login is too short (minimum is 5 characters)")
    assert.deepEqual(await rowsOf(globex), [])
  })

  test('has no secret and no personal value, wherever a request says it', ofOneProcess, async () => {
    const [name, email, , secret, password] = said as [string, string, string, string, string]
    const user = { login: 'dana-marlowe', email, password: secret, name, account_id: acme.accountId }
    const asked = [
      acme.post('/api/users.json', user),
      acme.post('/api/users.json', user),
      acme.post('/api/users.json', { user: { ...user, [email]: name, dana: 1 } }),
      acme.post('/api/users.xml', `<user><name>${name}</name><password>${secret}</password>`, { type: 'application/xml' }),
      acme.post('/api/users.json', `{"email":"${email}",`, { type: 'application/json' }),
      acme.post('/api/users.json', user, { headers: { 'idempotency-key': `${email} ${secret}` } }),
      acme.post('/api/bulk.json', { operations: [{ operation: 'createUser', body: user }] }),
      acme.get(`/api/users.json?login=dana-marlowe&email=${encodeURIComponent(email)}`),
      acme.get(`/api/users.json?${encodeURIComponent(email)}=1`),
      acme.get(`/api/users.json?account_id=${name}`),
      acme.get(`/api/users.json?external_id=${name}&after=${secret}`),
      acme.get(`/api/users/${encodeURIComponent(email)}.json`),
      acme.get(`/api/users/${name}/abilities.dana`),
      acme.get(`/api/${name}/${secret}`),
      acme.get(`/api/users.json?login=${'dana'.repeat(600)}`),
      acme.get(`/api/businesses.json?name=${name}&start_date=${name}`),
      acme.get('/api/users.json', { credentials: `${acme.key}:${password}` }),
      house.stranger.get('/api/users.json', { credentials: `${name}:${secret}` }),
    ]
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
    for (const status of [200, 201, 400, 401, 404, 422]) assert.ok(statuses.has(status), String(status))
    const rows = await rowsOf(acme)
    assert.ok(rows.length > 15)
    const text = JSON.stringify(rows).toLowerCase()
    for (const word of said) assert.ok(!text.includes(word.toLowerCase()), word)
    assert.ok(rows.some(({ path, parameters }) => path === '/api/users/….json' && parameters === ''))
    assert.ok(rows.some(({ sentence }) => sentence === 'the password is wrong'))
    assert.ok(rows.some(({ sentence }) => sentence === 'The parameter account_id must be an id: a whole number from 1'))
    assert.ok(rows.some(({ sentence }) => sentence?.startsWith('Email has already been taken')))
    assert.deepEqual(await rowsOf(globex), [])
  })

  test('tells why a key was refused, and of agents what they asked', ofOneProcess, async () => {
    const sales = await house.partner('Sales')
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listUsers', arguments: {} } }
    const accept = { accept: 'application/json, text/event-stream' }
    await sales.post('/mcp', call, { headers: accept })
    assert.deepEqual(
      (await rowsOf(sales)).map(({ method, path, status }) => [method, path, status]),
      [['GET', '/api/users.json', 200]],
    )
    await revokeKey(house.operator, sales.key.slice(3, 11))
    assert.equal((await sales.get('/api/users.json')).status, 401)
    const refused = (await rowsOf(sales)).at(-1)
    assert.deepEqual([refused?.status, refused?.sentence], [401, 'the key is revoked'])
  })

  test('is bounded under load, keeps the newest and the refusals apart, and counts what is dropped', async () => {
    const many = await house.partner('Many')
    const [one, other] = [another(), another()]
    const whole = async () =>
      await house.app.store.db
        .selectFrom('requests')
        .select(['request_id', 'is_refused'])
        .where('partner_id', '=', many.id)
        .orderBy('id')
        .execute()
    noteRequest(one, noted(many.id, 404, 'a refusal'))
    for (const round of [1, 2]) {
      for (const app of [one, other]) {
        for (let count = 1; count <= keptRequests + 500; count += 1) noteRequest(app, noted(many.id, 200, `${round} ${count}`))
        await writeRequests(app)
      }
      const rows = await whole()
      assert.ok(rows.filter(({ is_refused }) => is_refused === 0).length <= keptRequests + 200, 'bounded')
      assert.ok(rows.some(({ request_id }) => request_id === 'a refusal'))
      assert.equal(rows.at(-1)?.request_id, `${round} ${keptRequests + 500}`)
    }
    assert.deepEqual(requestLogCounts(one), { written: 2 * keptRequests + 1, dropped: 1_000 })
    const few = another()
    for (let partner = 1; partner <= 11; partner += 1)
      for (let count = 0; count < 1_000; count += 1) noteRequest(few, noted(90_000 + partner))
    assert.equal(requestLogCounts(few).dropped, 1_000, 'of very many partners, too')
    const metrics = await (await fetch(`${house.adminUrl}/metrics`)).text()
    assert.match(metrics, /marquee_request_log_total\{outcome="written"\} \d/)
    assert.match(metrics, /marquee_request_log_total\{outcome="dropped"\} 0/)
  })

  test('forgets what is old, and with 0 what is beyond the limit alone', async () => {
    const old = await house.partner('Old')
    const app = another({ keepRequestsDays: 0 })
    noteRequest(app, { ...noted(old.id), at: '2020-01-01T00:00:00Z' })
    noteRequest(app, noted(old.id))
    await writeRequests(app)
    const left = async () => (await rowsOf(old)).length
    await sweep({ ...house.operator, app })
    assert.equal(await left(), 2)
    assert.ok((await sweep(house.operator)).requests >= 1)
    assert.equal(await left(), 1)
    const { store } = house.app
    const row = (await rowsOf(old))[0]
    assert.ok(row)
    const { id: _, ...like } = row
    for (let batch = 0; batch < 21; batch += 1)
      await store.write((tx) =>
        tx
          .insertInto('requests')
          .values(Array.from({ length: 100 }, () => like))
          .execute(),
      )
    await sweep({ ...house.operator, app })
    assert.equal(await left(), keptRequests)
  })

  test('is off where the setting says so, and nobody waits where the database refuses it', ofOneProcess, async () => {
    const quiet = await house.partner('Quiet')
    const { settings } = house.app
    Object.assign(settings, { requestLog: 'off' })
    await quiet.get('/api/users.json')
    Object.assign(settings, { requestLog: 'on' })
    assert.deepEqual(await rowsOf(quiet), [])
    const rename = (from: string, to: string) => house.app.store.write((tx) => tx.schema.alterTable(from).renameTo(to).execute())
    await rename('requests', 'requests_away')
    assert.equal((await quiet.get('/api/users.json')).status, 200)
    const { dropped } = { ...requestLogCounts(house.app) }
    await writeRequests(house.app)
    await rename('requests_away', 'requests')
    assert.equal(requestLogCounts(house.app).dropped, dropped + 1)
    await quiet.get('/api/users.json')
    assert.equal((await rowsOf(quiet)).length, 1)
  })
})
