/** A business is deleted once, and only when nothing hangs on it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { createBusiness, deleteBusiness, listBusinesses } from '../../../src/model/partners/businesses.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { updateAbilities } from '../../../src/model/people/abilities.ts'
import { createUser } from '../../../src/model/people/users.ts'
import type { Ability } from '../../../src/resources/ability.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { newUser } from '../../../src/resources/user.ts'
import { groundAt } from '../../support/app.ts'
import { beforeCommit } from '../../support/before-commit.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('businesses that are deleted', (place) => {
  const at = groundAt(place)
  let accountId: number
  let userId: number
  before(async () => {
    accountId = (await createPartner(at.operator, 'Acme')).account.id
    const dana = { login: 'dana-abilities', email: 'dana@acme.example', password: 'secret', account_id: accountId }
    userId = (await createUser(at.operator, draftOf(newUser, dana))).id
  })
  const business = async (name: string) => (await createBusiness(at.operator, draftOf(newBusiness, { name, account_id: accountId }))).id
  const names = async () => (await listBusinesses(at.operator)).items.map(({ name }) => name)
  const allow = (...entries: Ability[]) => updateAbilities(at.operator, userId, { entries, faults: [] }, 'replace')

  test('a business with abilities on it is not deleted; abilities on others do not keep it', async () => {
    const [bakery, brewery] = [await business('Bakery'), await business('Brewery')]
    assert.equal(bakery, accountId, 'an ability on the account bears the number of the business')
    await allow({ key: 'show', scope_type: 'Account', scope_id: accountId }, { key: 'show', scope_type: 'Business', scope_id: brewery })
    await assert.rejects(deleteBusiness(at.operator, brewery), { code: 'conflict', message: /abilities on the business/ })
    assert.deepEqual(await names(), ['Bakery', 'Brewery'])
    await deleteBusiness(at.operator, bakery)
    assert.deepEqual(await names(), ['Brewery'])
    await allow()
    await deleteBusiness(at.operator, brewery)
    assert.deepEqual(await names(), [])
  })

  test('of two deletions at once one is recorded, and the other finds no business', async () => {
    const id = await business('Twice')
    const second = () => assert.rejects(deleteBusiness(at.operator, id), { code: 'not_found' })
    await beforeCommit(at.app, (app) => deleteBusiness({ ...at.operator, app }, id), second)
    const entries = at.app.store.db.selectFrom('audit_entries').select('action').where('subject_type', '=', 'Business')
    const deletions = await entries.where('subject_id', '=', id).where('action', '=', 'business.delete').execute()
    assert.equal(deletions.length, 1)
  })
})
