/** Accounts belong to one partner and have at most one owner, who is one of their own. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { createAccount, listAccounts, setOwner } from '../../../src/model/partners/accounts.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { deleteUser, suspendUser } from '../../../src/model/people/user-states.ts'
import { createOwner, createUser, listUsers } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { groundAt } from '../../support/app.ts'
import { beforeCommit } from '../../support/before-commit.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('accounts', (place) => {
  const at = groundAt(place)
  let partnerId: number
  before(async () => {
    partnerId = (await createPartner(at.operator, 'Acme')).partner.id
  })
  const person = (login: string, account_id: number) =>
    draftOf(newUser, { login, email: `${login}@acme.example`, password: 'secret', account_id })
  const ownerOf = async (id: number) => (await listAccounts(at.operator)).items.find((account) => account.id === id)?.owner_id

  test('acme lists its accounts and not those of globex', async () => {
    const mine = await createAccount(at.operator, partnerId, 'Harbor')
    const globex = await createPartner(at.operator, 'Globex')
    const names = (await listAccounts(at.operator, undefined, { partner_id: globex.partner.id })).items.map(({ name }) => name)
    assert.deepEqual(names, ['Globex'])
    assert.equal(mine.owner_id, null)
    await assert.rejects(createAccount(at.operator, 999, 'Nobody'), { code: 'not_found' })
  })

  test('dana owns the account until lee replaces her', async () => {
    const { id } = await createAccount(at.operator, partnerId, 'Owned')
    const dana = await createOwner(at.operator, person('dana-owner', id))
    assert.equal(await ownerOf(id), dana.id)
    const lee = await createUser(at.operator, person('lee-owner', id))
    assert.equal((await setOwner(at.operator, id, lee.id)).owner_id, lee.id)
  })

  test('where there is an owner, no second one is made, and no user either', async () => {
    const { id } = await createAccount(at.operator, partnerId, 'Once')
    await createOwner(at.operator, person('first-owner', id))
    await assert.rejects(createOwner(at.operator, person('second-owner', id)), { code: 'conflict' })
    assert.equal((await listUsers(at.operator, undefined, { account_id: id })).items.length, 1)
    assert.ok(await createUser(at.operator, person('second-owner', id)))
  })

  test('a user of another account cannot own it, nor a deleted or suspended one, nor nobody', async () => {
    const [here, there] = [await createAccount(at.operator, partnerId, 'Here'), await createAccount(at.operator, partnerId, 'There')]
    const foreign = await createUser(at.operator, person('foreign-user', there.id))
    const gone = await createUser(at.operator, person('gone-user', here.id))
    const out = await createUser(at.operator, person('kept-out-user', here.id))
    await deleteUser(at.operator, gone.id)
    await suspendUser(at.operator, out.id)
    for (const userId of [foreign.id, gone.id, out.id, 999]) {
      await assert.rejects(setOwner(at.operator, here.id, userId), { code: 'validation_failed' })
    }
    await assert.rejects(setOwner(at.operator, 999, foreign.id), { code: 'not_found' })
    assert.equal(await ownerOf(here.id), null)
  })

  for (const [decided, decide] of Object.entries({ deleted: deleteUser, suspended: suspendUser }))
    test(`who is just being ${decided} does not become the owner`, async () => {
      const { id } = await createAccount(at.operator, partnerId, `Owner ${decided}`)
      const user = await createUser(at.operator, person(`just-${decided}`, id))
      const own = () => assert.rejects(setOwner(at.operator, id, user.id), { code: 'validation_failed' })
      await beforeCommit(at.app, (app) => decide({ ...at.operator, app }, user.id), own)
      assert.equal(await ownerOf(id), null)
    })
})
