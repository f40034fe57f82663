/** Customers are deactivated, archived and deleted at the desk, and all of it is taken back there; what is not theirs does not exist for anybody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { updateAbilities } from '../../../src/model/people/abilities.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'

onPageEngine('the state of a customer', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  const harbor = () => `/desk/customers/${agency.world.accountId}`
  const db = () => service.app.store.db
  const states = async () => {
    const rows = await db()
      .selectFrom('businesses')
      .select('aasm_state')
      .where('account_id', '=', agency.world.accountId)
      .orderBy('id')
      .execute()
    return rows.map(({ aasm_state }) => aasm_state)
  }
  const audited = async (action: string) =>
    (
      await db()
        .selectFrom('audit_entries')
        .select('actor')
        .where('action', '=', action as never)
        .execute()
    ).map(({ actor }) => actor)
  const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? ''

  test('ben deactivates all businesses, and only those come back', async () => {
    const browser = await at('ben-desk')
    const before = await states()
    assert.ok(before.includes('deactivated') && before.includes('active'))
    const { status, headers } = await send(browser, harbor(), { do: 'pause' })
    assert.deepEqual([status, headers.location], [303, `${harbor()}?done=pause`])
    const { text } = await browser.get(headers.location ?? '')
    for (const said of ['The customer is deactivated.', '2 businesses deactivated together', '>Bring back<'])
      assert.ok(text.includes(said), said)
    assert.doesNotMatch(text, /value="pause"/)
    assert.ok((await states()).every((state) => state === 'deactivated'))
    await send(browser, harbor(), { do: 'resume' })
    assert.deepEqual(await states(), before)
    assert.deepEqual(await audited('business.deactivate'), ['operator', `user:${agency.staff.ben}`, `user:${agency.staff.ben}`])
  })

  test('what is archived has a list of its own', async () => {
    const browser = await at('ben-desk')
    await send(browser, harbor(), { do: 'archive' })
    const said = (await browser.get(`${harbor()}?done=archive`)).text
    assert.match(said, /The customer is archived\..*Archived since/s)
    assert.doesNotMatch((await browser.get('/desk')).text, /Harbor Dental/)
    assert.doesNotMatch((await browser.get('/desk.csv')).text, /Harbor Dental/)
    const archived = (await browser.get('/desk?archived=yes')).text
    assert.match(archived, /Archived customers.*Harbor Dental/s)
    await send(browser, harbor(), { do: 'unarchive' })
    assert.match((await browser.get('/desk')).text, /Harbor Dental/)
    assert.match((await browser.get('/desk?archived=yes')).text, /No customer is archived/)
    for (const no of ['sell', 'constructor']) assert.equal((await send(browser, harbor(), { do: no })).status, 404)
    assert.equal((await browser.get(`${harbor()}?done=constructor`)).status, 200)
  })

  test('a deletion shows first what goes, and is refused when that has changed', async () => {
    const browser = await at('ben-desk')
    const path = `${harbor()}/delete`
    const { text } = await browser.get(path)
    for (const said of [
      'Delete Harbor Dental?',
      '3 sites of 3 businesses',
      '5 people who can log in',
      'you or a colleague can bring all of it back',
    ])
      assert.ok(text.includes(said), said)
    const seen = seenIn(text)
    await createBusiness(service.operator, draftOf(newBusiness, { name: 'New', account_id: agency.world.accountId }))
    const refused = await send(browser, path, { seen })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /What goes has changed since you looked at it.*3 sites of 4 businesses/s)
    assert.equal((await send(browser, path, {})).status, 422)
    assert.match((await browser.get('/desk')).text, /Harbor Dental/)
    const own = await browser.get(`/desk/customers/${agency.home}/delete`)
    assert.equal(own.status, 409)
  })

  test('what is deleted is brought back by a colleague', async () => {
    const [browser, ada] = [await at('ben-desk'), await at('ada-desk')]
    const client = await at('dana-owner')
    assert.equal((await client.get('/?view=list')).status, 200)
    const path = `${harbor()}/delete`
    const elm = (await createAccount(service.operator, agency.world.partnerId, 'Elm Street Vets')).id
    const all = { key: 'show', scope_type: 'Account', scope_id: elm } as const
    await updateAbilities(service.operator, agency.world.users['kim-one-site'], { entries: [all], faults: [] }, 'merge')
    const peopleOfElm = async () => /<h2 id="people">.*?<\/section>/s.exec((await browser.get(`/desk/customers/${elm}`)).text)?.[0] ?? ''
    assert.match(await peopleOfElm(), /kim-one-site/)
    const { status, headers } = await send(browser, path, { seen: seenIn((await browser.get(path)).text) })
    assert.deepEqual([status, headers.location], [303, `/desk/deleted?deleted=${agency.world.accountId}`])
    assert.match((await browser.get(headers.location ?? '')).text, /Harbor Dental is deleted\..*by ben-desk.*Bring back Harbor Dental/s)
    assert.equal((await browser.get(harbor())).status, 404)
    assert.doesNotMatch(await peopleOfElm(), /kim-one-site/, 'sees nothing meanwhile')
    assert.doesNotMatch((await browser.get('/desk')).text, /Harbor Dental/)
    assert.equal((await client.get('/?view=list')).status, 303, 'its people are logged out')
    const back = await send(ada, `/desk/deleted/${agency.world.accountId}`, {}, '/desk/deleted')
    assert.deepEqual([back.status, back.headers.location], [303, `${harbor()}?done=restored`])
    assert.match((await ada.get(`${harbor()}?done=restored`)).text, /The customer is back, with everything as it was/)
    assert.match((await ada.get('/desk/deleted')).text, /There is none that could be brought back/)
    assert.equal((await (await at('dana-owner')).get('/?view=list')).status, 200)
    assert.deepEqual(await audited('account.restore'), [`user:${agency.staff.ada}`])
    const twice = await send(ada, `/desk/deleted/${agency.world.accountId}`, {}, '/desk/deleted')
    assert.equal(twice.status, 404)
  })

  test('mia changes, deletes and brings back those that she looks after, and no others', async () => {
    const [mia, ben] = [await at('mia-desk'), await at('ben-desk')]
    const before = await states()
    assert.equal((await send(mia, harbor(), { do: 'pause' }, '/desk/add')).status, 404)
    assert.equal((await mia.get(`${harbor()}/delete`)).status, 404)
    const path = `${harbor()}/delete`
    const seen = seenIn((await ben.get(path)).text)
    assert.equal((await send(mia, path, { seen }, '/desk/add')).status, 404)
    assert.equal((await send(ben, path, { seen })).status, 303)
    assert.doesNotMatch((await mia.get('/desk/deleted')).text, /Harbor Dental/)
    assert.equal((await send(mia, `/desk/deleted/${agency.world.accountId}`, {}, '/desk/add')).status, 404)
    await send(ben, `/desk/deleted/${agency.world.accountId}`, {}, '/desk/deleted')
    assert.deepEqual(await states(), before)
    const { headers } = await send(mia, '/desk/add', { name: 'Hers', domain: 'hers.example' })
    const hers = (headers.location ?? '').replace('?done=added', '')
    const gone = await send(mia, `${hers}/delete`, { seen: seenIn((await mia.get(`${hers}/delete`)).text) })
    assert.equal(gone.status, 303)
    assert.match((await mia.get('/desk/deleted')).text, /Bring back Hers/)
    const restored = await send(mia, `/desk/deleted/${hers.split('/').pop()}`, {}, '/desk/deleted')
    assert.equal(restored.headers.location, `${hers}?done=restored`)
  })

  test('is nothing for clients, strangers, staff of another partner, and forms of other pages', async () => {
    const before = await states()
    const client = await at('dana-owner')
    const ben = await at('ben-desk')
    const { partner_id } = await db()
      .selectFrom('accounts')
      .select('partner_id')
      .where('id', '!=', agency.world.accountId)
      .where('name', '=', 'Globex')
      .executeTakeFirstOrThrow()
    const theirs = (await createAccount(service.operator, partner_id ?? 0, 'Globex West')).id
    for (const [browser, path] of [
      [client, harbor()],
      [client, `${harbor()}/delete`],
      [client, `/desk/deleted/${agency.world.accountId}`],
      [ben, `/desk/customers/${theirs}`],
      [ben, `/desk/customers/${theirs}/delete`],
      [ben, `/desk/deleted/${theirs}`],
    ] as const) {
      const token = await browser.token('/password')
      const { status } = await browser.post(path, { form_token: token, do: 'pause', seen: 'x' })
      assert.equal(status, 404, path)
    }
    assert.equal((await client.get('/desk/deleted')).status, 404)
    assert.equal((await new PlainBrowser(service.stranger).get('/desk/deleted')).status, 303)
    assert.equal((await ben.post(`${harbor()}/delete`, { seen: 'x' })).status, 403)
    assert.equal((await ben.post(harbor(), { do: 'pause' })).status, 403)
    assert.deepEqual(await states(), before)
  })
})
