/** Businesses through the API: created on both paths, deactivated and reactivated once, whoever repeats it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Business, NewBusiness } from '../../src/client/client.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { form, xmlOf } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { codes } from '../support/refusals.ts'
import { baseUrl, type Reply, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('businesses', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
  })

  const businessIn = (reply: Reply) => (reply.json() as { business: Business }).business
  const create = (fields: NewBusiness = { name: 'Bob & Co' }) => acme.client.createBusiness(fields)
  const entriesOf = async (id: number) => {
    const entries = house.operator.app.store.db.selectFrom('audit_entries').select('action').where('subject_type', '=', 'Business')
    return (await entries.where('subject_id', '=', id).orderBy('id').execute()).map(({ action }) => action)
  }

  for (const path of ['/businesses', '/api/businesses']) {
    test(`created at ${path}: active, in the partner account, shown where Location says`, async () => {
      for (const reply of [
        await acme.post(`${path}.xml`, xmlOf('business', { name: '  Bob & Co ' })),
        await acme.post(`${path}.json`, { business: { name: 'Bob & Co' } }),
        await acme.post(`${path}.json`, { name: 'Bob & Co', aasm_state: 'deactivated', id: 777, created_at: 'x' }),
        await acme.post(path, 'name=Bob+%26+Co', { type: form }),
      ]) {
        assert.equal(reply.status, 201, reply.text)
        const [bare = '', extension = ''] = String(reply.headers.location).slice(baseUrl.length).split('.')
        const shown = businessIn(await acme.get(`${bare}.json`))
        assert.equal(bare, `/api/businesses/${shown.id}`)
        assert.equal(extension, reply.headers['content-type']?.includes('json') ? 'json' : extension)
        const { name, account_id, aasm_state } = shown
        assert.deepEqual({ name, account_id, aasm_state }, { name: 'Bob & Co', account_id: acme.accountId, aasm_state: 'active' })
      }
    })
  }

  test('has a name of one line: what does not belong into it becomes a blank, and a new name is refused', async () => {
    const { id, name } = await create({ name: ' Bob\r\n\u0007& \u202eCo\u2069\n' })
    assert.equal(name, 'Bob & Co')
    for (const fault of ['Bob\nCo', 'Bob\u202eCo', 'Bob\tCo'])
      assert.deepEqual(codes(await acme.put(`/api/businesses/${id}.json`, { name: fault }), 422), ['name not_one_line'])
    assert.deepEqual(codes(await acme.post('/api/accounts.json', { name: 'Harbor\nDental' }), 422), ['name not_one_line'])
    assert.equal(businessIn(await acme.get(`/api/businesses/${id}.json`)).name, 'Bob & Co')
  })

  test('goes to the account that is named, and to the partner account when the name is blank', async () => {
    const other = await createAccount(house.operator, acme.id, 'Other')
    assert.equal((await create({ name: 'Bob', account_id: other.id })).account_id, other.id)
    for (const account_id of [null, '', ' ']) {
      assert.equal(businessIn(await acme.post('/api/businesses.json', { name: 'Bob', account_id })).account_id, acme.accountId)
    }
  })

  for (const method of ['GET', 'POST']) {
    test(`${method} deactivates and reactivates; a repetition changes nothing and records nothing`, async () => {
      const created = await create()
      const set = async (verb: string) => {
        const reply = await acme.ask(method, `/api/businesses/${created.id}/${verb}.json`)
        assert.equal(reply.status, 200)
        assert.equal(reply.headers['cache-control'], 'no-store')
        return businessIn(reply)
      }
      assert.deepEqual(await set('reactivate'), created)
      await sleep(1_100)
      const deactivated = await set('deactivate')
      assert.equal(deactivated.aasm_state, 'deactivated')
      assert.notEqual(deactivated.updated_at, created.updated_at)
      await sleep(1_100)
      assert.deepEqual(await set('deactivate'), deactivated)
      assert.equal((await set('reactivate')).aasm_state, 'active')
      assert.deepEqual(await entriesOf(created.id), ['business.create', 'business.deactivate', 'business.reactivate'])
    })
  }

  test('deactivated by many at once, one of them is recorded', async () => {
    const { id } = await create()
    const replies = await Promise.all(Array.from({ length: 12 }, () => acme.post(`/api/businesses/${id}/deactivate.json`)))
    assert.ok(replies.every((reply) => reply.status === 200 && businessIn(reply).aasm_state === 'deactivated'))
    assert.deepEqual(await entriesOf(id), ['business.create', 'business.deactivate'])
  })

  const stateOf = async (id: number) => (await acme.client.showBusiness(id)).aasm_state

  test('HEAD and OPTIONS never act', async () => {
    const { id } = await create()
    const head = await acme.ask('HEAD', `/api/businesses/${id}/deactivate.xml`)
    assert.equal(head.status, 405)
    assert.equal(head.headers.allow, 'GET, POST')
    assert.equal(head.text, '')
    const options = await acme.ask('OPTIONS', `/api/businesses/${id}/deactivate.xml`)
    assert.equal(options.status, 204)
    assert.equal(options.headers.allow, 'GET, POST')
    assert.equal(await stateOf(id), 'active')
  })

  test('HEAD of what can be read answers like GET, without the body', async () => {
    const { id } = await create()
    const [head, get] = [await acme.ask('HEAD', `/api/businesses/${id}.xml`), await acme.get(`/api/businesses/${id}.xml`)]
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    assert.equal(head.headers['content-length'], get.headers['content-length'])
    assert.equal(head.headers['content-type'], get.headers['content-type'])
    assert.equal((await acme.ask('HEAD', '/api/businesses/999999.xml')).status, 404)
    assert.equal((await house.stranger.ask('HEAD', `/api/businesses/${id}.xml`)).status, 401)
  })

  test('OPTIONS says what an address takes, to anyone', async () => {
    for (const [path, allow] of [
      ['/api/users', 'GET, HEAD, POST'],
      ['/api/users/1/abilities.json', 'GET, HEAD, PUT'],
      ['/businesses.xml', 'POST'],
    ] as const) {
      const reply = await house.stranger.ask('OPTIONS', path)
      assert.equal(reply.status, 204)
      assert.equal(reply.headers.allow, allow)
    }
    assert.deepEqual(codes(await house.stranger.ask('OPTIONS', '/api/nothing'), 404), ['not_found'])
  })

  for (const headers of [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ]) {
    test(`a browser that only looks ahead does not act: ${JSON.stringify(headers)}`, async () => {
      const { id } = await create()
      assert.deepEqual(codes(await acme.get(`/api/businesses/${id}/deactivate.xml`, { headers }), 403), ['forbidden'])
      assert.equal(await stateOf(id), 'active')
    })
  }

  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    test(`a page of another site does not act: ${JSON.stringify(headers)}`, async () => {
      const { id } = await create()
      for (const method of ['GET', 'POST']) {
        assert.deepEqual(codes(await acme.ask(method, `/api/businesses/${id}/deactivate.xml`, { headers }), 403), ['forbidden'])
      }
      assert.equal((await acme.get('/api/businesses.xml', { headers })).status, 200)
      for (const path of ['/businesses.xml', '/api/businesses.xml', '/api/users.xml']) {
        assert.deepEqual(codes(await acme.post(path, 'name=Evil', { type: form, headers }), 403), ['forbidden'])
      }
      assert.deepEqual(codes(await acme.put('/api/users/1/abilities.xml', 'a=b', { type: form, headers }), 403), ['forbidden'])
      assert.equal(await stateOf(id), 'active')
    })
  }

  test('a person at the address bar, a page of our own and a program that fetches may act', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', origin: baseUrl },
      { 'sec-fetch-mode': 'cors' },
    ]) {
      assert.equal((await acme.post('/api/businesses.json', { name: 'Bob' }, { headers })).status, 201)
    }
  })

  test('GET that acts is marked as old, and POST is not', async () => {
    const { id } = await create({ name: 'Old ways' })
    const byGet = await acme.get(`/api/businesses/${id}/deactivate.json`)
    assert.match(String(byGet.headers.link), /\/docs\/deprecations>; rel="deprecation"/)
    assert.equal(byGet.headers.deprecation, `@${Date.parse('2026-11-16T00:00:00Z') / 1000}`)
    assert.equal(byGet.headers.sunset, undefined)
    assert.equal((await acme.post(`/api/businesses/${id}/reactivate.json`)).headers.deprecation, undefined)
    assert.equal((await acme.get(`/api/businesses/${id}.json`)).headers.deprecation, undefined)
  })
})
