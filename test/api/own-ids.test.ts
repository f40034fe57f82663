/** Records that are created under the partner's own id, and businesses that are put by it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { codes, refusedInBoth } from '../support/refusals.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine("creating under the partner's own id", (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  const only = (reply: Reply) => {
    assert.ok(reply.status < 300, reply.text)
    return Object.values(reply.json() as object)[0] as { id: number; name: string; updated_at: string; account_id: number }
  }
  const idsIn = async (noun: string, name: string) => {
    const list = (await acme.get(`/api/${noun}.json?external_id=${name}`)).json() as Record<string, { id: number }[]>
    return list[noun]?.map(({ id }) => id)
  }

  before(async () => {
    acme = await house.partner('Acme')
  })

  test('names accounts, users, businesses and sites at once, and creates nothing under a name that is taken', async () => {
    const business = await acme.client.createBusiness({ name: 'Shop' })
    const sent: Record<string, () => object> = {
      accounts: () => ({ name: 'Harbor' }),
      users: () => newPerson(acme.accountId, { login: `person-${Math.random()}`, email: `p${Math.random()}@example.com` }),
      businesses: () => ({ name: 'Harbor' }),
      sites: () => ({ business_id: business.id, domain: `d${String(Math.random()).slice(2)}.example` }),
    }
    for (const [noun, body] of Object.entries(sent)) {
      const { id } = only(await acme.post(`/api/${noun}.json?external_id=%20crm-1%20`, body()))
      assert.deepEqual(await idsIn(noun, 'crm-1'), [id])
      const count = async () => ((await acme.get(`/api/${noun}.json`)).json() as Record<string, object[]>)[noun]?.length
      const before = await count()
      assert.deepEqual(codes(await acme.post(`/api/${noun}.json?external_id=crm-1`, body()), 422), ['external_id taken'])
      assert.equal(await count(), before)
      const question = { body: JSON.stringify(body()), type: 'application/json' }
      await refusedInBoth(acme, 'POST', `/api/${noun}?external_id=`, 400, ['bad_request'], question)
      await refusedInBoth(acme, 'POST', `/api/${noun}?external_id=${'x'.repeat(256)}`, 400, ['bad_request'], question)
      await refusedInBoth(acme, 'POST', `/api/${noun}?external_idd=x`, 400, ['bad_request'], question)
    }
    const entries = await house.app.store.db.selectFrom('audit_entries').select('action').where('action', 'like', '%.external_id').execute()
    assert.equal(entries.length, 4)
  })

  test('a business is created by PUT, renamed by another one, and a repetition changes nothing', async () => {
    const put = (name: string, id = 'shop-9', more = {}) => acme.put(`/api/businesses.json?external_id=${id}`, { name, ...more })
    const created = await put('Shop Nine')
    assert.equal(created.status, 201)
    const { id } = only(created)
    assert.match(String(created.headers.location), new RegExp(`/api/businesses/${id}\\.json$`))
    const again = await put('Shop Nine')
    assert.deepEqual([again.status, again.text], [200, created.text])
    const renamed = await put('Shop 9')
    assert.deepEqual([renamed.status, only(renamed).id, only(renamed).name], [200, id, 'Shop 9'])
    assert.equal(only(await put('Shop 9', 'shop-9', { account_id: acme.accountId })).updated_at, only(renamed).updated_at)
    const elsewhere = await acme.client.createAccount({ name: 'Elsewhere' })
    assert.deepEqual(codes(await put('Shop 9', 'shop-9', { account_id: elsewhere.id }), 422), ['account_id invalid'])
    assert.deepEqual(codes(await put('Shop 9', 'shop-9', { account_id: 999_999 }), 422), ['account_id does_not_exist'])
    assert.deepEqual(codes(await put(' '), 422), ['name blank'])
    assert.equal(only(await put('There', 'shop-10', { account_id: elsewhere.id })).account_id, elsewhere.id)
    await refusedInBoth(acme, 'PUT', '/api/businesses', 400, ['bad_request'], { body: '{"name":"x"}', type: 'application/json' })
    const globex = await house.partner('Globex')
    const theirs = await globex.put('/api/businesses.xml?external_id=shop-9', { name: 'Theirs' })
    assert.equal(theirs.status, 201)
    assert.deepEqual(await idsIn('businesses', 'shop-9'), [id])
  })

  test('of ten that put the same business at once one creates it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => acme.put('/api/businesses.json?external_id=race', { name: `Name ${index}` })),
    )
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted(),
      [...Array(9).fill(200), 201],
      replies.map(({ text }) => text).join('\n'),
    )
    assert.equal(new Set(replies.map((reply) => only(reply).id)).size, 1)
    assert.equal((await acme.client.listBusinesses({ external_id: 'race' }).toArray()).length, 1)
  })
})
