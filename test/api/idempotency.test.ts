/** A request sent twice acts once: the key, the replay, the mismatch and the race, on both engines. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { endpoints } from '../../src/api/endpoints.ts'
import { isRepeatable } from '../../src/api/idempotency.ts'
import { openLog } from '../../src/lib/log.ts'
import { startService } from '../../src/service.ts'
import { onEachEngine } from '../support/engines.ts'
import { withMail } from '../support/people-service.ts'
import { goodRequest } from '../support/provoke.ts'
import { inRunnableOrder, type SampleWorld, sampleWorld, valuesFor } from '../support/sample-world.ts'
import { basic, serviceOn, type TestPartner } from '../support/service.ts'

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const named = (name: string) => `<business><name>${name}</name></business>`
const userNamed = (partner: TestPartner, login: string) =>
  `<user><email>${login}@acme.example</email><login>${login}</login><password>secret99</password><account-id>${partner.accountId}</account-id></user>`

async function count(partner: TestPartner): Promise<number> {
  return ((await partner.get('/api/businesses.json')).json() as { businesses: unknown[] }).businesses.length
}

onEachEngine('an Idempotency-Key', (place) => {
  const service = serviceOn(place)

  test('acme sends a business twice, gets the same bytes and has one business', async () => {
    const acme = await service.partner('Acme')
    const first = await acme.post('/api/businesses.xml', named('Pier'), keyed('order-1'))
    const second = await acme.post('/api/businesses.xml', named('Pier'), keyed('order-1'))
    assert.equal(first.status, 201)
    assert.equal(first.headers['idempotency-replayed'], 'false')
    assert.equal(second.status, 201)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal(second.text, first.text)
    assert.equal(second.headers.location, first.headers.location)
    assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id'])
    assert.equal(await count(acme), 1)
  })

  test('both business paths, the quoted form and another spelling of the body name the same request', async () => {
    const acme = await service.partner('Acme')
    const first = await acme.post('/api/businesses.xml', named('Pier'), keyed('order-1'))
    const alias = await acme.post('/businesses.xml', named('Pier'), keyed('"order-1"'))
    const json = await acme.post('/api/businesses.xml', { business: { name: 'Pier' } }, keyed('order-1'))
    assert.deepEqual([alias.text, json.text], [first.text, first.text])
    assert.equal(await count(acme), 1)
  })

  test('the same key for something else is refused, whatever differs', async () => {
    const acme = await service.partner('Acme')
    await acme.post('/api/businesses.xml', named('Pier'), keyed('order-1'))
    const others = [
      acme.post('/api/businesses.xml', named('Dock'), keyed('order-1')),
      acme.post('/api/businesses.json', named('Pier'), keyed('order-1')),
      acme.post('/api/users.xml', userNamed(acme, 'fresh-login'), keyed('order-1')),
    ]
    for (const reply of await Promise.all(others)) {
      assert.equal(reply.status, 422)
      assert.match(reply.text, /idempotency_mismatch/)
    }
    assert.equal(await count(acme), 1)
  })

  test('the items of a list belong to the request, and so does their order', async () => {
    const acme = await service.partner('Acme')
    const send = (...names: string[]) =>
      acme.post('/api/bulk.json', { operations: names.map((name) => ({ kind: 'business', name })) }, keyed('order-1'))
    const first = await send('Pier', 'Dock')
    assert.equal(first.status, 200, first.text)
    for (const other of [await send('Pier', 'Quay'), await send('Dock', 'Pier'), await send('Pier'), await send()]) {
      assert.equal(other.status, 422)
      assert.match(other.text, /idempotency_mismatch/)
    }
    assert.equal((await send('Pier', 'Dock')).text, first.text)
    assert.equal(await count(acme), 2)
  })

  test('globex may use the key that acme has used', async () => {
    const [acme, globex] = [await service.partner('Acme'), await service.partner('Globex')]
    const first = await acme.post('/api/businesses.xml', named('Pier'), keyed('order-1'))
    const other = await globex.post('/api/businesses.xml', named('Quay'), keyed('order-1'))
    assert.equal(other.status, 201)
    assert.notEqual(other.text, first.text)
  })

  test('a refused request keeps nothing: the key may be used again', async () => {
    const acme = await service.partner('Acme')
    assert.equal((await acme.post('/api/businesses.xml', named(''), keyed('order-1'))).status, 422)
    assert.equal((await acme.post('/api/businesses.xml', named('Pier'), keyed('order-1'))).status, 201)
  })

  test('a key that is empty, too long, not ASCII or given twice is refused', async () => {
    const acme = await service.partner('Acme')
    for (const key of ['', 'a b', 'x'.repeat(256), 'caf\u00e9', '"open', '""']) {
      assert.equal((await acme.post('/api/businesses.xml', named('Pier'), keyed(key))).status, 400, key)
    }
    const twice = { headers: { 'idempotency-key': ['one', 'two'] } }
    assert.equal((await acme.post('/api/businesses.xml', named('Pier'), twice)).status, 400)
    assert.equal(await count(acme), 0)
  })

  test('twenty twins at once make one user, and all get its bytes', async () => {
    const acme = await service.partner('Acme')
    const login = `twin-${acme.id}`
    const replies = await Promise.all(Array.from({ length: 20 }, () => acme.post('/api/users.xml', userNamed(acme, login), keyed('u-1'))))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'false').length, 1)
  })

  test('twins in two processes make one user', async () => {
    const acme = await service.partner('Acme')
    const other = await startService({ ...service.app.settings, port: 0, adminPort: 0 }, openLog('silent'))
    try {
      const login = `both-${acme.id}`
      const ask = (url: string) =>
        fetch(`${url}/api/users.xml`, {
          method: 'POST',
          body: userNamed(acme, login),
          headers: { authorization: basic(acme.credentials), 'content-type': 'application/xml', 'idempotency-key': 'u-2' },
        })
      const replies = await Promise.all([service.url, other.url, service.url, other.url].map(ask))
      assert.deepEqual(
        replies.map(({ status }) => status),
        [201, 201, 201, 201],
      )
      assert.equal(new Set(await Promise.all(replies.map((reply) => reply.text()))).size, 1)
    } finally {
      await other.stop()
    }
  })

  test('a repeated deactivation does not undo what happened in between', async () => {
    const acme = await service.partner('Acme')
    const { headers } = await acme.post('/api/businesses.xml', named('Pier'))
    const path = new URL(headers.location ?? '').pathname.replace(/\.xml$/, '')
    const off = await acme.post(`${path}/deactivate.xml`, undefined, keyed('off-1'))
    await acme.post(`${path}/reactivate.xml`)
    const again = await acme.post(`${path}/deactivate.xml`, undefined, keyed('off-1'))
    assert.equal(again.text, off.text)
    assert.match((await acme.get(`${path}.xml`)).text, /<aasm-state>active</)
  })

  test('after 72 hours the key names a new request', async () => {
    const acme = await service.partner('Acme')
    await acme.post('/api/businesses.xml', named('Pier'), keyed('order-1'))
    const old = { created_at: '2020-01-01T00:00:00Z' }
    await service.app.store.write((tx) => tx.updateTable('idempotency_records').set(old).where('partner_id', '=', acme.id).execute())
    const again = await acme.post('/api/businesses.xml', named('Dock'), keyed('order-1'))
    assert.equal(again.status, 201)
    assert.equal(again.headers['idempotency-replayed'], 'false')
    assert.equal(await count(acme), 2)
  })

  test('neither the password nor a plain hash of the request is kept', async () => {
    const acme = await service.partner('Acme')
    const body = userNamed(acme, `quiet-${acme.id}`)
    await acme.post('/api/users.xml', body, keyed('u-3'))
    const rows = await service.app.store.db.selectFrom('idempotency_records').selectAll().where('partner_id', '=', acme.id).execute()
    const { createHash } = await import('node:crypto')
    assert.equal(rows.length, 1)
    assert.ok(!JSON.stringify({ ...rows[0], body: Buffer.from(rows[0]?.body ?? '').toString() }).includes('secret99'))
    assert.notEqual(rows[0]?.fingerprint, createHash('sha256').update(body).digest('hex'))
  })
})

onEachEngine('every endpoint that changes something', (place) => {
  const house = serviceOn(place, withMail)
  let world: SampleWorld

  before(async () => {
    world = await sampleWorld(house)
  })

  const changes = async () => {
    const { db } = house.app.store
    return Number((await db.selectFrom('audit_entries').select(db.fn.countAll().as('entries')).executeTakeFirstOrThrow()).entries)
  }

  for (const endpoint of inRunnableOrder(endpoints.filter(isRepeatable))) {
    test(`acts once for a key: ${endpoint.method} ${endpoint.path}`, async () => {
      const values = valuesFor(world, 'twice', endpoint)
      const good = goodRequest(endpoint, values, `${world.env['KEY']}:${world.env['PASSWORD']}`)
      const { method, path, ...question } = { ...good, ...keyed(`${endpoint.method} ${endpoint.path}`.replaceAll(/[^\w/]/g, '-')) }
      const first = await house.stranger.ask(method, path, question)
      assert.ok(first.status < 300, first.text)
      assert.equal(first.headers['idempotency-replayed'], 'false')
      const done = await changes()
      const second = await house.stranger.ask(method, path, question)
      assert.deepEqual([second.status, second.text, second.headers['idempotency-replayed']], [first.status, first.text, 'true'])
      assert.deepEqual([second.headers.location, second.headers.etag], [first.headers.location, first.headers.etag])
      assert.equal(await changes(), done, 'the repetition changed something')
      const other = await house.stranger.ask(method, path.replace('.json', '.xml'), question)
      assert.deepEqual([other.status, /idempotency_mismatch/.test(other.text)], [422, true], other.text)
    })
  }
})
