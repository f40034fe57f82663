/** A person asks what is known of them, or to be forgotten: then nothing of them is left, not even in kept answers. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isoTime } from '../../../src/lib/time/clock.ts'
import { eraseUser, exportUser } from '../../../src/model/people/personal-data.ts'
import { deleteUser } from '../../../src/model/people/user-states.ts'
import { verifyAudit } from '../../../src/model/upkeep/audit-seals.ts'
import { sweep } from '../../../src/model/upkeep/retention.ts'
import { onEachEngine } from '../../support/engines.ts'
import { serviceOn, type TestPartner } from '../../support/service.ts'

const keyed = { headers: { 'idempotency-key': 'u-1' } }

async function create(partner: TestPartner, login: string): Promise<number> {
  const user = { email: `${login}@canary.example`, login, password: 'secret99', account_id: partner.accountId }
  const reply = await partner.post('/api/users.json', { user }, keyed)
  assert.equal(reply.status, 201, reply.text)
  return (reply.json() as { user: { id: number } }).user.id
}

onEachEngine('what is known of a person', (place) => {
  const service = serviceOn(place)

  test('dana sees her data, and nothing that would let someone in', async () => {
    const acme = await service.partner('Acme')
    const login = `dana-${acme.id}`
    const id = await create(acme, login)
    const known = await exportUser(service.operator, login)
    assert.ok('user' in known)
    assert.equal(known.user.id, id)
    assert.equal(known.audit[0]?.action, 'user.create')
    assert.doesNotMatch(JSON.stringify(known), /argon2|verifier/)
  })

  test('dana is erased: the names are free, the kept answer is gone, the chain is whole', async () => {
    const acme = await service.partner('Acme')
    const login = `erin-${acme.id}`
    const id = await create(acme, login)
    for (const [key, recipients] of Object.entries({ 's-1': `${login}@canary.example`, 's-2': 'someone@else.example' })) {
      const schedule = { rhythm: 'weekly', recipients }
      const made = await acme.post(`/api/accounts/${acme.accountId}/schedules.json`, { schedule }, { headers: { 'idempotency-key': key } })
      assert.equal(made.status, 201, made.text)
    }
    await eraseUser(service.operator, `${login}@canary.example`)
    assert.equal((await acme.get(`/api/users/${id}.xml`)).status, 404)
    await assert.rejects(exportUser(service.operator, login))
    const { store } = service.app
    const kept = await store.db.selectFrom('idempotency_records').select('key').where('partner_id', '=', acme.id).execute()
    assert.deepEqual(kept, [{ key: 's-2' }])
    const row = await store.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.ok(!JSON.stringify(row).includes(login))
    assert.deepEqual((await verifyAudit(service.app)).faults, [])
    assert.notEqual(await create(acme, login), id)
  })

  test('every text of frida is replaced, whatever columns there are', async () => {
    const acme = await service.partner('Acme')
    const id = await create(acme, `frida-${acme.id}`)
    const { store } = service.app
    const row = () => store.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const isOurOwnWord = (name: string) => name === 'state' || (name.endsWith('_at') && !name.startsWith('remember'))
    const columns = (await store.db.introspection.getTables()).find(({ name }) => name === 'users')?.columns ?? []
    const texts = columns.filter(({ name, dataType }) => dataType.toLowerCase() === 'text' && !isOurOwnWord(name))
    assert.ok(texts.length >= 9)
    await store.write((tx) =>
      tx
        .updateTable('users')
        .set(Object.fromEntries(texts.map(({ name }) => [name, `canary of ${name} ${id}`])))
        .where('id', '=', id)
        .execute(),
    )
    await eraseUser(service.operator, `frida-${acme.id}`)
    assert.doesNotMatch(JSON.stringify(await row()), /canary/)
  })

  test('a deleted user is erased when the time has come', async () => {
    const acme = await service.partner('Acme')
    const id = await create(acme, `frank-${acme.id}`)
    await deleteUser(service.operator, id)
    assert.equal((await sweep(service.operator)).users, 0)
    const later = { ...service.app, clock: { now: () => isoTime(Date.now() + 91 * 86_400_000) } }
    assert.equal((await sweep({ ...service.operator, app: later })).users, 1)
    const { email } = await service.app.store.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(email, `erased-${id}@invalid`)
  })

  test('no byte of the erased stays in the files of the database', async () => {
    const acme = await service.partner('Acme')
    const login = `vanishing-${acme.id}`
    await create(acme, login)
    await eraseUser(service.operator, login)
    for (const name of readdirSync(place.folder)) assert.ok(!readFileSync(join(place.folder, name)).includes(login), name)
  })
})
