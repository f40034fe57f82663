/** Partners come with an account and a key; what the operator changes is recorded once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPartner, findPartner, listPartners, setPartner, suspendPartner } from '../../../src/model/partners/partners.ts'
import { groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('partners', (place) => {
  const at = groundAt(place)
  const actions = async (id: number) => {
    const entries = at.app.store.db.selectFrom('audit_entries').where('partner_id', '=', id).select(['action', 'actor']).orderBy('id')
    return (await entries.execute()).map(({ action }) => action)
  }

  test('acme gets a partner account of its own name', async () => {
    const { partner, account } = await createPartner(at.operator, '  Acme ')
    assert.equal(partner.name, 'Acme')
    assert.equal(account.name, 'Acme')
    assert.equal(partner.account_id, account.id)
    assert.equal(partner.key_alone, 1)
    assert.deepEqual(await actions(partner.id), ['account.create', 'partner.create', 'key.issue'])
  })

  test('a partner needs a name', async () => {
    const count = (await listPartners(at.operator)).length
    await assert.rejects(createPartner(at.operator, '   '), { code: 'validation_failed' })
    await assert.rejects(createPartner(at.operator, 'x'.repeat(256)), { code: 'validation_failed' })
    assert.equal((await listPartners(at.operator)).length, count)
  })

  test('a change is recorded with before and after, a repetition not at all', async () => {
    const { partner } = await createPartner(at.operator, 'Globex')
    at.pass(5)
    const suspended = await suspendPartner(at.operator, partner.id)
    assert.equal(suspended.state, 'suspended')
    assert.ok(suspended.updated_at > partner.updated_at)
    at.pass(5)
    assert.deepEqual(await suspendPartner(at.operator, partner.id), suspended)
    assert.deepEqual((await actions(partner.id)).slice(3), ['partner.suspend'])
    const detail = await at.app.store.db.selectFrom('audit_details').select('detail').orderBy('entry_id', 'desc').executeTakeFirstOrThrow()
    const { before, after } = JSON.parse(detail.detail)
    assert.equal(before.state, 'active')
    assert.equal(after.state, 'suspended')
  })

  test('only what was asked for changes', async () => {
    const { partner } = await createPartner(at.operator, 'Initech')
    await setPartner(at.operator, partner.id, { writes_per_minute: 7 })
    assert.deepEqual(await findPartner(at.operator, partner.id), { ...partner, writes_per_minute: 7, updated_at: at.app.clock.now() })
  })

  test('nobody is found under an unknown id', async () => {
    await assert.rejects(findPartner(at.operator, 999), { code: 'not_found' })
    await assert.rejects(setPartner(at.operator, 999, { names: 'legacy' }), { code: 'not_found' })
  })
})
