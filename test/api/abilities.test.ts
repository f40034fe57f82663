/** Abilities through the API: viewed, replaced, merged, removed; always the whole set, all or nothing. */
import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { createAccount, setOwner } from '../../src/model/partners/accounts.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { refusal } from '../support/refusals.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

interface Ability {
  key: string
  scope_type: string
  scope_id: number
}

onEachEngine('abilities', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let path: string
  let userId: number
  let account: Ability
  let business: Ability
  let site: Ability

  const show = (scope_type: string, scope_id: number): Ability => ({ key: 'show', scope_type, scope_id })
  const setIn = (reply: Reply) => (reply.json() as { abilities: Ability[] }).abilities
  const set = async (abilities: object[], query = '') => setIn(await acme.put(`${path}${query}`, { abilities }))
  const held = async () => setIn(await acme.get(path))

  before(async () => {
    acme = await house.partner('Acme')
    const { user } = (await acme.post('/api/users.json', newPerson(acme.accountId))).json() as { user: { id: number } }
    userId = user.id
    path = `/api/users/${userId}/abilities.json`
    const made = (await acme.post('/api/businesses.json', { name: 'Bob' })).json() as { business: { id: number } }
    account = show('Account', acme.accountId)
    business = show('Business', made.business.id)
    site = show('Site', (await createSite(house.operator, made.business.id, 'bob.example')).id)
  })

  beforeEach(async () => {
    await set([])
  })

  test('are replaced when nothing else is asked for, and come ordered by scope type and id', async () => {
    assert.deepEqual(await set([site, account]), [account, site])
    assert.deepEqual(await set([business]), [business])
    assert.deepEqual(await held(), [business])
    assert.deepEqual(await set([]), [])
  })

  test('are ordered by number, not by digits', async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, (_, index) => createAccount(house.operator, acme.id, `Number ${index}`)))
    const ids = accounts.map(({ id }) => id).toSorted((a, b) => a - b)
    const given = ids.toReversed().map((id) => show('Account', id))
    assert.deepEqual(
      (await set(given)).map(({ scope_id }) => scope_id),
      ids,
    )
    assert.deepEqual(
      (await held()).map(({ scope_id }) => scope_id),
      ids,
    )
  })

  test('are merged: what was there stays', async () => {
    await set([site])
    assert.deepEqual(await set([account, site], '?merge'), [account, site])
    assert.deepEqual(await held(), [account, site])
  })

  test('are removed: what is not there is no error', async () => {
    await set([account, site])
    assert.deepEqual(await set([site, business, show('Site', 999_999)], '?remove'), [account])
    assert.deepEqual(await held(), [account])
  })

  test('collapse when they are given twice, and take digits as text', async () => {
    assert.deepEqual(await set([account, account, { ...account, scope_id: String(account.scope_id) }]), [account])
  })

  test('change nothing when one entry is wrong, and each fault is pointed at', async () => {
    await set([site])
    const wrong = [account, { ...business, scope_id: 999_999 }, { ...site, key: 'edit' }, { scope_type: 'Site' }]
    for (const query of ['', '?merge']) {
      const details = refusal(await acme.put(`${path}${query}`, { abilities: wrong }), 422)
      const pointed = details.map(({ pointer, code }) => `${pointer} ${code}`)
      const expected = [
        '/abilities/1/scope_id does_not_exist',
        '/abilities/2/key inclusion',
        '/abilities/3/key blank',
        '/abilities/3/scope_id blank',
      ]
      assert.deepEqual(pointed, expected)
    }
    assert.deepEqual(await held(), [site])
  })

  test('are pointed at as a whole when the list itself is wrong', async () => {
    for (const abilities of [undefined, null, {}, 'show', Array(1001).fill(account)]) {
      const [fault] = refusal(await acme.put(path, { abilities }), 422)
      assert.equal(fault?.pointer, '/abilities')
    }
  })

  test('may be a thousand at once', async () => {
    assert.deepEqual(await set(Array(1000).fill(account)), [account])
  })

  test('survive many changes at once', async () => {
    await set([account])
    await Promise.all(Array.from({ length: 10 }, (_, index) => set([index % 2 === 0 ? business : site], index < 5 ? '?merge' : '?remove')))
    assert.ok((await held()).some(({ scope_type }) => scope_type === 'Account'))
    assert.deepEqual(await set([account, business, site]), [account, business, site])
  })

  test('of an owner are not listed: they are implied', async () => {
    await setOwner(house.operator, acme.accountId, userId)
    assert.deepEqual(await held(), [])
  })
})
