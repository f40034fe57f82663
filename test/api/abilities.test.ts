/** Abilities through the API: viewed, replaced, merged, removed; always the whole set, all or nothing. */
import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { Ability, UpdateUserAbilitiesQuery } from '../../src/client/client.ts'
import { createAccount, setOwner } from '../../src/model/partners/accounts.ts'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { refusal } from '../support/refusals.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('abilities', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let path: string
  let userId: number
  let account: Ability
  let business: Ability
  let site: Ability

  const show = (scope_type: Ability['scope_type'], scope_id: number): Ability => ({ key: 'show', scope_type, scope_id })
  const setIn = (reply: Reply) => (reply.json() as { abilities: Ability[] }).abilities
  const set = (abilities: Ability[], query?: UpdateUserAbilitiesQuery) => acme.client.updateUserAbilities(userId, abilities, query)
  const held = () => acme.client.viewUserAbilities(userId)

  before(async () => {
    acme = await house.partner('Acme')
    userId = (await acme.client.createUser(newPerson(acme.accountId))).id
    path = `/api/users/${userId}/abilities.json`
    const { id } = await acme.client.createBusiness({ name: 'Bob' })
    account = show('Account', acme.accountId)
    business = show('Business', id)
    site = show('Site', (await acme.client.createSite({ business_id: id, domain: 'bob.example' })).id)
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
    assert.deepEqual(await set([account, site], { merge: true }), [account, site])
    assert.deepEqual(await held(), [account, site])
  })

  test('are removed: what is not there is no error', async () => {
    await set([account, site])
    assert.deepEqual(await set([site, business, show('Site', 999_999)], { remove: true }), [account])
    assert.deepEqual(await held(), [account])
  })

  test('collapse when they are given twice, and take digits as text', async () => {
    assert.deepEqual(setIn(await acme.put(path, { abilities: [account, account, { ...account, scope_id: String(account.scope_id) }] })), [
      account,
    ])
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
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => set([index % 2 === 0 ? business : site], index < 5 ? { merge: true } : { remove: true })),
    )
    assert.ok((await held()).some(({ scope_type }) => scope_type === 'Account'))
    assert.deepEqual(await set([account, business, site]), [account, business, site])
  })

  test('of an owner are not listed: they are implied', async () => {
    await setOwner(house.operator, acme.accountId, userId)
    assert.deepEqual(await held(), [])
  })

  test('a dry run tells what would result, what is added and what is removed, and changes nothing', async () => {
    await set([account, business])
    const audited = () => house.app.store.db.selectFrom('audit_entries').select('id').execute()
    const before = (await audited()).length
    const tried = await acme.put(`${path}?dry_run=1`, { abilities: [business, site] })
    assert.deepEqual(tried.json(), { abilities: [business, site], added: [site], removed: [account] })
    const merged = await acme.put(`${path}?merge&dry_run`, { abilities: [site] }, { headers: { 'idempotency-key': 'a-dry-run' } })
    assert.deepEqual(merged.json(), { abilities: [account, business, site], added: [site], removed: [] })
    const inXml = await acme.put(`${path.replace('.json', '.xml')}?remove=1&dry_run=yes`, { abilities: [site, account] })
    assert.match(inXml.text, /<hash>\n {2}<abilities type="array">[\s\S]*<added type="array"\/>\n {2}<removed type="array">/)
    assert.deepEqual(await held(), [account, business])
    assert.equal((await audited()).length, before)
    assert.equal(refusal(await acme.put(`${path}?dry_run=1`, { abilities: [show('Site', 999_999)] }), 422)[0]?.code, 'does_not_exist')
    // The tag of a dry run is that of the set as it is: what was shown is done, or nothing.
    const tag = String(tried.headers.etag)
    await set([site])
    assert.equal((await acme.put(path, { abilities: [business, site] }, { headers: { 'if-match': tag } })).status, 412)
    await set([account, business])
    assert.deepEqual(setIn(await acme.put(path, { abilities: [business, site] }, { headers: { 'if-match': tag } })), [business, site])
  })

  test('an update that is based on a set which has changed is refused with 412', async () => {
    await set([account])
    const read = await acme.get(path)
    const tag = String(read.headers.etag)
    assert.match(tag, /^"[\w-]{22}-json"$/)
    const asXml = await acme.get(path.replace('.json', '.xml'))
    assert.notEqual(asXml.headers.etag, tag)
    const written = await acme.put(path, { abilities: [business] }, { headers: { 'if-match': String(asXml.headers.etag) } })
    assert.deepEqual(setIn(written), [business])
    assert.equal(written.headers.etag, (await acme.get(path)).headers.etag)
    for (const stale of [tag, `W/${written.headers.etag}`, '"x"', 'nonsense']) {
      const refused = await acme.put(path, { abilities: [site] }, { headers: { 'if-match': stale } })
      assert.deepEqual(refusal(refused, 412), [
        { code: 'precondition_failed', message: 'The abilities have changed since the answer whose ETag was sent' },
      ])
    }
    assert.deepEqual(await held(), [business])
    for (const good of ['*', `"x", ${written.headers.etag}`]) {
      assert.equal((await acme.put(path, { abilities: [business] }, { headers: { 'if-match': good } })).status, 200)
    }
    const at = (tag: string) => ({ headers: { 'if-match': tag, 'idempotency-key': 'based-on' } })
    const first = await acme.put(path, { abilities: [site] }, at(String(written.headers.etag)))
    const again = await acme.put(path, { abilities: [site] }, at(String(written.headers.etag)))
    assert.deepEqual([again.status, again.text, again.headers['idempotency-replayed']], [200, first.text, 'true'])
    assert.equal((await acme.put(path, { abilities: [site] }, at('*'))).status, 422)
  })

  test('of twenty updates that are based on the same set one is done', async () => {
    const tag = String((await acme.get(path)).headers.etag)
    const sets = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? [account] : [account, business]))
    const replies = await Promise.all(sets.map((abilities) => acme.put(path, { abilities }, { headers: { 'if-match': tag } })))
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array(19).fill(412)])
  })
})
