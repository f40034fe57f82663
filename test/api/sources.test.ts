/** Sources over the API: made, seen and changed by whoever may, and by nobody else. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ConflictError, type Marquee, NotFoundError } from '../../src/client/client.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { onEachEngine } from '../support/engines.ts'
import { refusedInBoth } from '../support/refusals.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('sources over the API', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  let harbor: number
  let limited: Marquee

  before(async () => {
    acme = await fetching('Acme')
    globex = await fetching('Globex')
    harbor = (await acme.client.createAccount({ name: 'Harbor' })).id
    limited = house.client(await issueKey(house.operator, acme.id, { account_ids: String(harbor), scopes: ['ingest', 'provision'] }))
  })

  /** A partner whose key may do both. */
  async function fetching(name: string): Promise<TestPartner> {
    const partner = await house.partner(name)
    const key = await issueKey(house.operator, partner.id, { scopes: ['ingest', 'provision'] })
    const credentials = `${key.key}:${key.password}`
    return { ...partner, client: house.client(key), ask: (method, path, more) => partner.ask(method, path, { credentials, ...more }) }
  }

  const sourcesOf = (client: Marquee) => Array.fromAsync(client.listSources())
  const refused = (partner: TestPartner, body: object, codes: string[]) =>
    refusedInBoth(partner, 'POST', '/api/sources', 422, codes, { body: JSON.stringify(body), type: 'application/json' })

  test('are made once, changed, and removed', async () => {
    const { id, ...made } = await acme.client.createSource({ kind: 'site' })
    const { created_at: _, updated_at: __, ...shown } = made
    const nothing = { account_id: null, reason: null, sites: 0, failing: 0, last_run_at: null, next_run_at: null }
    assert.deepEqual(shown, { ...nothing, kind: 'site', rhythm: 'daily', state: 'active' })
    await assert.rejects(acme.client.createSource({ kind: 'site', rhythm: 'weekly' }), ConflictError)
    const rested = await acme.client.changeSource(id, { state: 'resting', rhythm: 'monthly' })
    assert.deepEqual([rested.state, rested.rhythm, rested.reason], ['resting', 'monthly', 'It was put to rest.'])
    await assert.rejects(acme.client.runSource(id), ConflictError)
    assert.equal((await acme.client.changeSource(id, { state: 'active' })).reason, null)
    assert.equal((await acme.client.runSource(id)).state, 'active')
    assert.deepEqual(await Array.fromAsync(acme.client.listSourceSites(id)), [])
    assert.equal((await acme.client.deleteSource(id)).id, id)
    await assert.rejects(acme.client.showSource(id), NotFoundError)
    const actions = house.app.store.db.selectFrom('audit_entries').select('action').where('action', 'like', 'source.%').orderBy('id')
    const told = (await actions.execute()).map(({ action }) => action)
    assert.deepEqual(
      told,
      ['create', 'update', 'update', 'run', 'remove'].map((word) => `source.${word}`),
    )
  })

  test('a limited key makes and sees those of its accounts, and others see none', async () => {
    const whole = await acme.client.createSource({ kind: 'site' })
    const own = await limited.createSource({ kind: 'site', account_id: harbor })
    assert.deepEqual([own.account_id, (await sourcesOf(limited)).map(({ id }) => id)], [harbor, [own.id]])
    assert.deepEqual(
      (await sourcesOf(acme.client)).map(({ id }) => id),
      [whole.id, own.id],
    )
    assert.deepEqual(await sourcesOf(globex.client), [])
    for (const id of [whole.id, 999_999]) {
      await assert.rejects(limited.showSource(id), NotFoundError)
      await assert.rejects(limited.changeSource(id, { state: 'resting' }), NotFoundError)
      await assert.rejects(globex.client.runSource(id), NotFoundError)
      await assert.rejects(globex.client.deleteSource(id), NotFoundError)
      await assert.rejects(Array.fromAsync(globex.client.listSourceSites(id)), NotFoundError)
    }
    await assert.rejects(limited.createSource({ kind: 'site' }), { status: 422 })
  })

  test('what cannot be meant is refused by field', async () => {
    await refused(acme, {}, ['kind blank'])
    await refused(acme, { kind: 'tea-leaves' }, ['kind inclusion'])
    await refused(globex, { kind: 'site', account_id: harbor }, ['account_id does_not_exist'])
    await refused(globex, { kind: 'site', rhythm: 'hourly' }, ['rhythm inclusion'])
  })

  test('a key needs both scopes to change one, and one to see it', async () => {
    const reading = house.client(await issueKey(house.operator, globex.id, { scopes: ['ingest'] }))
    assert.deepEqual(await sourcesOf(reading), [])
    await assert.rejects(reading.createSource({ kind: 'site' }), { status: 403 })
  })
})
