/** Usage: every answer to a known key is counted once, by whichever process, and each partner reads its own figures. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { AuthenticationError, NotFoundError, PermissionError, type ShowUsageQuery, type Usage } from '../../src/client/client.ts'
import type { App } from '../../src/model/core/app.ts'
import { countAnswer, writeUsage } from '../../src/model/core/use/usage-counts.ts'
import { issueKey, keyScopes } from '../../src/model/partners/keys/keys.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { sweep } from '../../src/model/upkeep/retention.ts'
import { onEachEngine } from '../support/engines.ts'
import { codes } from '../support/refusals.ts'
import { basic, ofOneProcess, serviceOn, startTestService, type TestPartner } from '../support/service.ts'

onEachEngine('usage', (place) => {
  const house = serviceOn(place)
  let number = 0
  let acme: TestPartner
  let globex: TestPartner

  before(async () => {
    globex = await house.partner('Globex')
  })

  const newAcme = async () => {
    number += 1
    acme = await house.partner(`Acme ${number}`)
  }
  const today = () => house.app.clock.now().slice(0, 10)
  const master = async () => house.client(await issueKey(house.operator, acme.id, { scopes: keyScopes }))
  const on = (day: string): App => ({ ...house.app, clock: { now: () => `${day}T12:00:00Z` } })
  const countOn = async (day: string) => {
    const then = on(day)
    countAnswer(then, { partner_id: acme.id, key_id: 1 }, 200)
    await writeUsage(then)
  }

  test('tells requests, refusals and records of the day, and nothing of strangers', ofOneProcess, async () => {
    await newAcme()
    const pusher = await master()
    const business = await acme.client.createBusiness({ name: 'Acme' })
    await acme.client.createSite({ business_id: business.id, domain: `acme-${number}.example` })
    await assert.rejects(acme.client.showBusiness(999_999), NotFoundError)
    assert.equal((await acme.post('/api/businesses.json', {})).status, 422)
    await assert.rejects(acme.client.listKeys().toArray(), PermissionError)
    const records = ['plumber', 'roofer'].map((phrase) => ({ type: 'keyword', site: `acme-${number}.example`, phrase }) as const)
    assert.equal((await pusher.pushObservations(records)).refused, 0)
    assert.equal((await pusher.pushObservations(records, { dry_run: true })).refused, 0)
    for (const password of ['wrong', '']) {
      await assert.rejects(house.client({ key: acme.key, password }).listUsers().toArray(), AuthenticationError)
    }
    await writeUsage(house.app)
    const { days } = await acme.client.showUsage()
    assert.deepEqual(days, [{ date: today(), requests: 7, refused: 3, rate_limited: 0, records: 2 }])
    assert.deepEqual((await globex.client.showUsage()).days, [])
  })

  test('is written in XML, too', ofOneProcess, async () => {
    await newAcme()
    await acme.get('/api/users.json')
    await setPartner(house.operator, acme.id, { writes_per_minute: 7 })
    await writeUsage(house.app)
    const { text } = await acme.get('/api/usage.xml')
    assert.equal(
      text,
      `<?xml version="1.0" encoding="UTF-8"?>
<usage>
  <reads-per-minute type="integer" nil="true"></reads-per-minute>
  <writes-per-minute type="integer">7</writes-per-minute>
  <days type="array">
    <day>
      <date type="date">${today()}</date>
      <requests type="integer">1</requests>
      <refused type="integer">0</refused>
      <rate-limited type="integer">0</rate-limited>
      <records type="integer">0</records>
    </day>
  </days>
</usage>
`,
    )
  })

  test('tells the limits that hold now, and what came too fast', ofOneProcess, async () => {
    await newAcme()
    await setPartner(house.operator, acme.id, { reads_per_minute: 6000, writes_per_minute: 1 })
    const create = async () => (await acme.post('/api/businesses.json', { name: 'Acme' })).status
    assert.deepEqual([await create(), await create()], [201, 429])
    await writeUsage(house.app)
    const { reads_per_minute, writes_per_minute, days } = await acme.client.showUsage()
    assert.deepEqual([reads_per_minute, writes_per_minute], [6000, 1])
    assert.deepEqual(days, [{ date: today(), requests: 2, refused: 1, rate_limited: 1, records: 0 }])
  })

  test('tells a key that is limited to accounts only what was done with it', ofOneProcess, async () => {
    await newAcme()
    const wish = { scopes: 'provision', account_ids: String(acme.accountId) }
    const limited = house.client(await (await master()).issueKey(wish))
    await acme.client.listUsers().toArray()
    await limited.listUsers().toArray()
    await writeUsage(house.app)
    const requests = ({ days }: Usage) => days.map((day) => day.requests)
    assert.deepEqual(requests(await acme.client.showUsage()), [3])
    await writeUsage(house.app)
    assert.deepEqual(requests(await limited.showUsage()), [1])
  })

  test('of two processes adds up, and a process that stops loses nothing', ofOneProcess, async () => {
    await newAcme()
    const other = await startTestService(place)
    const headers = { authorization: basic(acme.credentials) }
    for (const url of [other.url, house.url, other.url]) assert.equal((await fetch(`${url}/api/users.json`, { headers })).status, 200)
    await writeUsage(house.app)
    await other.stop()
    assert.equal((await acme.client.showUsage()).days[0]?.requests, 3)
  })

  test('is kept in memory while the database refuses it', ofOneProcess, async () => {
    await newAcme()
    const rename = (from: string, to: string) => house.app.store.write((tx) => tx.schema.alterTable(from).renameTo(to).execute())
    await acme.client.listUsers().toArray()
    await rename('usage_days', 'usage_days_away')
    await writeUsage(house.app)
    await rename('usage_days_away', 'usage_days')
    await acme.client.listUsers().toArray()
    await writeUsage(house.app)
    assert.equal((await acme.client.showUsage()).days[0]?.requests, 2)
  })

  test('is answered for 31 days or those that were asked for, the newest first', async () => {
    await newAcme()
    const dates = async (query: ShowUsageQuery) => (await acme.client.showUsage(query)).days.map(({ date }) => date)
    for (const day of ['2026-03-01', '2026-03-30', '2026-03-31', '2026-02-28']) await countOn(day)
    assert.deepEqual(await dates({ end_date: '2026-03-31' }), ['2026-03-31', '2026-03-30', '2026-03-01'])
    assert.deepEqual(await dates({ start_date: '2026-02-01', end_date: '2026-03-30' }), ['2026-03-30', '2026-03-01', '2026-02-28'])
    assert.deepEqual(await dates({ start_date: '2999-01-01' }), [])
    const backwards = await acme.get('/api/usage.json?start_date=2026-03-02&end_date=2026-03-01')
    assert.deepEqual(codes(backwards, 400), ['bad_request'])
  })

  test('is kept for 400 days', async () => {
    await newAcme()
    await countOn('2026-03-01')
    await countOn('2026-03-02')
    const swept = await sweep({ ...house.operator, app: on('2027-04-06') })
    assert.equal(swept.usage > 0, true)
    assert.deepEqual(
      (await acme.client.showUsage({ start_date: '2026-01-01' })).days.map(({ date }) => date),
      ['2026-03-02'],
    )
  })
})
