/** Every change through the API leaves one entry, by whom and in which request, and never a secret. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('the record of changes', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let userId: number
  let businessId: number

  before(async () => {
    acme = await house.partner('Acme')
  })

  async function entries() {
    const { db } = house.operator.app.store
    const rows = await db
      .selectFrom('audit_entries')
      .leftJoin('audit_details', 'audit_details.entry_id', 'audit_entries.id')
      .selectAll('audit_entries')
      .select('detail')
      .where('partner_id', '=', acme.id)
      .orderBy('audit_entries.id')
      .execute()
    return rows
  }

  /** The one entry that the request made. */
  async function recorded(change: () => Promise<Reply>) {
    const before = (await entries()).length
    const reply = await change()
    assert.ok(reply.status < 300, reply.text)
    const [entry, ...more] = (await entries()).slice(before)
    assert.ok(entry !== undefined && more.length === 0)
    assert.equal(entry.request_id, reply.headers['x-request-id'])
    assert.equal(entry.actor, `partner:${acme.id} key:${acme.key.split('_')[1]}`)
    assert.match(entry.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    return { ...entry, detail: JSON.parse(entry.detail ?? '{}') as { before?: unknown; after?: unknown }, reply }
  }

  const passwords = ['canary horse battery', 'other canary staple']

  test('has a new user, without the password and what stands for it', async () => {
    const person = newPerson(acme.accountId, { password: passwords[0] })
    const { action, subject_type, subject_id, account_id, detail, reply } = await recorded(() => acme.post('/api/users.json', person))
    const { user } = reply.json() as { user: { id: number; salt: string; crypted_password: string } }
    userId = user.id
    assert.deepEqual(
      { action, subject_type, subject_id, account_id },
      { action: 'user.create', subject_type: 'User', subject_id: userId, account_id: acme.accountId },
    )
    const after = detail.after as Record<string, unknown>
    assert.equal(after.login, person.login)
    assert.equal(after.state, 'passive')
    for (const secret of ['salt', 'crypted_password', 'password', 'verifier', 'remember_token']) assert.ok(!(secret in after), secret)
  })

  test('has a new business, and what it was and became', async () => {
    const created = await recorded(() => acme.post('/businesses.json', { name: 'Bob' }))
    businessId = (created.reply.json() as { business: { id: number } }).business.id
    assert.equal(created.action, 'business.create')
    assert.equal(created.subject_id, businessId)
    const states = async (verb: string) => {
      const { action, detail } = await recorded(() => acme.get(`/api/businesses/${businessId}/${verb}.json`))
      const { before, after } = detail as { before: { aasm_state: string }; after: { aasm_state: string } }
      return [action, before.aasm_state, after.aasm_state]
    }
    assert.deepEqual(await states('deactivate'), ['business.deactivate', 'active', 'deactivated'])
    assert.deepEqual(await states('reactivate'), ['business.reactivate', 'deactivated', 'active'])
  })

  test('has each change of abilities, as what went and what came', async () => {
    const path = `/api/users/${userId}/abilities.json`
    const account = { key: 'show', scope_type: 'Account', scope_id: acme.accountId }
    const business = { key: 'show', scope_type: 'Business', scope_id: businessId }
    const change = async (abilities: object[], query: string) => {
      const { action, subject_id, detail } = await recorded(() => acme.put(path + query, { abilities }))
      assert.equal(subject_id, userId)
      return { action, ...detail }
    }
    assert.deepEqual(await change([account], ''), { action: 'abilities.replace', before: [], after: [account] })
    assert.deepEqual(await change([business], '?merge'), { action: 'abilities.merge', before: [], after: [business] })
    assert.deepEqual(await change([account], '?remove'), { action: 'abilities.remove', before: [account], after: [] })
    assert.deepEqual(await change([], ''), { action: 'abilities.replace', before: [business], after: [] })
  })

  test('has nothing of requests that changed nothing', async () => {
    const before = (await entries()).length
    await acme.put(`/api/users/${userId}/abilities.json`, { abilities: [] })
    await acme.put(`/api/users/${userId}/abilities.json?remove`, { abilities: [{ key: 'show', scope_type: 'Site', scope_id: 5 }] })
    await acme.get(`/api/businesses/${businessId}/reactivate.json`)
    await acme.get('/api/users.json')
    await acme.post('/api/users.json', newPerson(acme.accountId, { login: 'abc', password: passwords[1] }))
    await acme.post('/api/businesses.json', { name: '' })
    await acme.put(`/api/users/${userId}/abilities.json`, { abilities: [{ key: 'edit' }] })
    assert.equal((await entries()).length, before)
  })

  test('holds no secret anywhere', async () => {
    const everything = JSON.stringify(await entries())
    const { db } = house.operator.app.store
    const verifiers = (await db.selectFrom('user_passwords').select('verifier').execute()).map(({ verifier }) => verifier)
    const hashes = (await db.selectFrom('keys').select(['key_hash', 'password_hash']).execute()).flatMap((row) => Object.values(row))
    const salts = (await db.selectFrom('users').select('salt').execute()).map(({ salt }) => salt)
    assert.ok(verifiers.length > 0 && hashes.length > 0)
    for (const secret of [...passwords, acme.key, acme.password, ...verifiers, ...hashes, ...salts]) assert.ok(!everything.includes(secret))
  })
})
