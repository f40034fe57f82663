/** What concerns an account as a whole: labels, businesses that come and go together, and an archive without mail. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { queueDueReports } from '../../src/model/mail/due-reports.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { onEachEngine } from '../support/engines.ts'
import { refusedInBoth } from '../support/refusals.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('a customer', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let id: number
  let businesses: number[]

  before(async () => {
    acme = await house.partner('Acme')
    id = (await acme.client.createAccount({ name: 'Harbor' })).id
    businesses = []
    for (const name of ['One', 'Two', 'Three']) businesses.push((await acme.client.createBusiness({ name, account_id: id })).id)
  })

  const states = async () => Promise.all(businesses.map(async (one) => (await acme.client.showBusiness(one)).aasm_state))
  const entries = async (action: string) =>
    (await house.app.store.db.selectFrom('audit_entries').select('id').where('action', '=', action).execute()).length

  test('of which only the businesses that were deactivated together come back together', async () => {
    await acme.client.deactivateBusiness(businesses[1] ?? 0)
    const gone = await acme.client.deactivateCustomer(id)
    assert.deepEqual([gone.active_businesses, gone.deactivated_businesses, gone.deactivated_together], [0, 3, 2])
    assert.deepEqual(await acme.client.deactivateCustomer(id), gone)
    assert.equal(await entries('business.deactivate'), 3, 'each is recorded once')
    assert.deepEqual(await states(), ['deactivated', 'deactivated', 'deactivated'])
    const back = await acme.client.reactivateCustomer(id)
    assert.deepEqual(await states(), ['active', 'deactivated', 'active'])
    assert.deepEqual([back.active_businesses, back.deactivated_together], [2, 0])
    assert.deepEqual(await acme.client.reactivateCustomer(id), back)
    await acme.client.deactivateCustomer(id)
    for (const again of ['reactivateBusiness', 'deactivateBusiness'] as const) await acme.client[again](businesses[0] ?? 0)
    await acme.client.reactivateCustomer(id)
    assert.deepEqual(await states(), ['deactivated', 'deactivated', 'active'], 'what was decided about one by itself stays')
  })

  test('has labels, each once, which can be taken away', async () => {
    const changed = await acme.client.changeCustomer(id, { tags: ' dental,chicago , dental,', time_zone: 'America/Chicago' })
    assert.deepEqual([changed.tags, changed.time_zone], ['dental, chicago', 'America/Chicago'])
    assert.deepEqual(await acme.client.changeCustomer(id, { tags: 'dental, chicago' }), changed)
    assert.equal(await entries('account.change'), 1)
    assert.equal((await acme.client.changeCustomer(id, { tags: '' })).tags, null)
    assert.equal((await acme.client.changeCustomer(id, { region: 'CH' })).region, 'CH')
    assert.equal((await acme.client.changeCustomer(id, { region: '' })).region, null)
    const put = (body: object, codes: string[]) =>
      refusedInBoth(acme, 'PUT', `/api/customers/${id}`, 422, codes, { body: JSON.stringify(body), type: 'application/json' })
    await put({ time_zone: 'Chicago' }, ['time_zone invalid'])
    await put({ region: 'XX' }, ['region invalid'])
    await put({ tags: 'x'.repeat(1_001) }, ['tags too_long'])
  })

  test('gets no mail while it is archived, and is in every list', async () => {
    await acme.client.createReportSchedule(id, { rhythm: 'weekly', recipients: 'ana@harbor.example' })
    const { db, write } = house.app.store
    await write(async (tx) => {
      await tx.updateTable('report_recipients').set({ state: 'active' }).execute()
      await tx.updateTable('report_schedules').set({ last_period: '2020-01-01' }).execute()
    })
    const waiting = () => db.selectFrom('mails').select('id').where('kind', '=', 'report').execute()
    assert.equal(await queueDueReports(house.app), 1)
    const archived = await acme.client.archiveCustomer(id)
    assert.ok(archived.archived_at !== null)
    assert.deepEqual(await acme.client.archiveCustomer(id), archived)
    assert.deepEqual(await waiting(), [])
    await write((tx) => tx.updateTable('report_schedules').set({ last_period: '2020-01-01' }).execute())
    assert.equal(await queueDueReports(house.app), 0)
    assert.equal((await acme.client.showAccount(id)).name, 'Harbor')
    assert.equal((await acme.client.unarchiveCustomer(id)).archived_at, null)
    assert.equal(await queueDueReports(house.app), 1)
  })

  test('of another partner, or beyond a key, is not found', async () => {
    const globex = await house.partner('Globex')
    const { key, password } = await issueKey(house.operator, acme.id, { account_ids: String(acme.accountId) })
    const limited = house.client({ key, password })
    for (const client of [globex.client, limited])
      for (const act of ['showCustomer', 'deactivateCustomer', 'reactivateCustomer', 'archiveCustomer', 'unarchiveCustomer'] as const)
        await assert.rejects(client[act](id), { code: 'not_found' })
    await assert.rejects(globex.client.changeCustomer(id, { tags: 'x' }), { code: 'not_found' })
  })
})
