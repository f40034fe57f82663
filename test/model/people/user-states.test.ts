/** What the operator decides about a person, and what is left of them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { listAccounts } from '../../../src/model/partners/accounts.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { updateAbilities } from '../../../src/model/people/abilities.ts'
import { deleteUser, setPassword, suspendUser, unsuspendUser } from '../../../src/model/people/user-states.ts'
import { createOwner, createUser, findUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('people and the operator', (place) => {
  const at = groundAt(place)
  let accountId: number
  before(async () => {
    accountId = (await createPartner(at.operator, 'Acme')).account.id
  })
  const person = (login: string) => draftOf(newUser, { login, email: `${login}@acme.example`, password: 'secret', account_id: accountId })
  const stateOf = async (id: number) => (await findUser(at.operator, id)).state
  const db = () => at.app.store.db

  test('dana is kept out and let in again, back to where she was', async () => {
    const { id } = await createUser(at.operator, person('dana-passive'))
    await suspendUser(at.operator, id)
    assert.equal(await stateOf(id), 'suspended')
    await unsuspendUser(at.operator, id)
    assert.equal(await stateOf(id), 'passive')
    await at.app.store.write((tx) =>
      tx.updateTable('users').set({ state: 'active', activated_at: '2026-01-01T00:00:00Z' }).where('id', '=', id).execute(),
    )
    await suspendUser(at.operator, id)
    await unsuspendUser(at.operator, id)
    const after = await findUser(at.operator, id)
    assert.equal(after.state, 'active')
    assert.equal(after.activated_at, '2026-01-01T00:00:00Z')
  })

  test('letting in someone who was never kept out changes and records nothing', async () => {
    const user = await createUser(at.operator, person('never-out'))
    at.pass(10)
    await unsuspendUser(at.operator, user.id)
    assert.deepEqual(await findUser(at.operator, user.id), user)
    const entries = await db()
      .selectFrom('audit_entries')
      .select('action')
      .where('subject_type', '=', 'User')
      .where('subject_id', '=', user.id)
      .execute()
    assert.deepEqual(entries, [{ action: 'user.create' }])
  })

  test('of a deleted owner nothing is left but the names, which nobody else can take', async () => {
    const owner = await createOwner(at.operator, person('omar-owner'))
    await updateAbilities(
      at.operator,
      owner.id,
      { entries: [{ key: 'show', scope_type: 'Account', scope_id: accountId }], faults: [] },
      'replace',
    )
    await deleteUser(at.operator, owner.id)
    await assert.rejects(findUser(at.operator, owner.id), { code: 'not_found' })
    assert.equal((await listAccounts(at.operator)).items.find(({ id }) => id === accountId)?.owner_id, null)
    assert.deepEqual(await db().selectFrom('abilities').selectAll().where('user_id', '=', owner.id).execute(), [])
    await assert.rejects(createUser(at.operator, person('omar-owner')), { code: 'validation_failed' })
    const row = await db().selectFrom('users').select(['state', 'deleted_at']).where('id', '=', owner.id).executeTakeFirstOrThrow()
    assert.deepEqual(row, { state: 'deleted', deleted_at: at.app.clock.now() })
    await assert.rejects(suspendUser(at.operator, owner.id), { code: 'not_found' })
  })

  test('a new password replaces the old one', async () => {
    const { id, crypted_password } = await createUser(at.operator, person('lee-password'))
    await setPassword(at.operator, id, 'another secret')
    const { verifier } = await db().selectFrom('user_passwords').select('verifier').where('user_id', '=', id).executeTakeFirstOrThrow()
    assert.equal(await at.app.passwords.verify('another secret', verifier), true)
    assert.equal(await at.app.passwords.verify('secret', verifier), false)
    assert.notEqual((await findUser(at.operator, id)).crypted_password, crypted_password)
    await assert.rejects(setPassword(at.operator, id, 'short'), { code: 'validation_failed' })
    await assert.rejects(setPassword(at.operator, 999, 'another secret'), { code: 'not_found' })
  })
})
