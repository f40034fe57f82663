/** A host of one's own: named at the desk, served once a record in the DNS proves it, and never taken from anybody who still proves it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { StaffCaller } from '../../../src/model/core/caller.ts'
import { tellMissingHosts } from '../../../src/model/mail/missing-hosts.ts'
import { setBrand } from '../../../src/model/partners/brand-changes.ts'
import { brandOfPartner } from '../../../src/model/partners/brands.ts'
import { isAnyLookDue, lookAtDueHosts } from '../../../src/model/partners/hosts/looks.ts'
import { listNamedHosts, namePagesHost } from '../../../src/model/partners/hosts/named-hosts.ts'
import { agencyOn } from '../../support/agency.ts'
import { inspect, testBrowser } from '../../support/browser.ts'
import { dnsServer } from '../../support/dns-server.ts'
import { onEngine, onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { type Mailbox, openMailbox } from '../../support/mailbox.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'

const path = '/desk/brand/address'
const host = 'reports.quay.example'
const env: Record<string, string> = {}
const dns = dnsServer(env)
let mailbox: Mailbox
before(async () => {
  mailbox = await openMailbox()
  env['MARQUEE_SMTP_URL'] = mailbox.url
  env['MARQUEE_MAIL_FROM'] = 'desk@service.example'
})
after(() => mailbox?.close())

onPageEngine('a host of one’s own', (place) => {
  const { service, agency, at, send } = agencyOn(place, env)
  let ada: PlainBrowser
  before(async () => {
    dns.records.clear()
    ada = await at('ada-desk')
  })
  const hostNow = async (partnerId = agency.world.partnerId) => (await brandOfPartner(service.app, partnerId))?.host_name
  const named = () => service.app.store.db.selectFrom('named_hosts').selectAll().orderBy('partner_id').execute()
  /** Time passes: all that was looked at may be looked at again. */
  const passTime = () =>
    service.app.store.write((tx) =>
      tx.updateTable('named_hosts').set({ looked_at: '2020-01-01T00:00:00Z', look_at: '2020-01-01T00:00:00Z' }).execute(),
    )
  const staffOf = (partnerId: number, accountId = 0): StaffCaller => ({
    kind: 'staff',
    app: service.app,
    requestId: randomUUID(),
    partnerId,
    accountId,
    userId: agency.staff.ada,
    role: 'admin',
    customers: 'all',
  })
  const publish = async (partnerId: number, name = host) => {
    const { record } = (await listNamedHosts(staffOf(partnerId))).find(({ host_name }) => host_name === name) ?? { record: null }
    assert.ok(record)
    dns.records.set(record.name, [...(dns.records.get(record.name) ?? []), record.value])
  }
  const actions = async () =>
    (
      await service.app.store.db
        .selectFrom('audit_entries')
        .select('action')
        .where('action', 'like', 'partner.host%')
        .orderBy('id')
        .execute()
    ).map(({ action }) => action)

  test('is named, with the exact record to publish, and nothing is served yet', async () => {
    assert.equal((await send(ada, path, { host: ' Reports.Quay.example', do: 'name' })).headers.location, `${path}?done=named`)
    const { text } = await ada.get(path)
    assert.match(text, /_marquee\.<wbr>reports\.<wbr>quay\.<wbr>example/)
    assert.match(text, /<code>marquee-proof=[0-9a-f]{32}<\/code>/)
    assert.match(text, /They are at <strong>http:\/\/marquee\./)
    assert.equal(await hostNow(), undefined)
    for (const wrong of ['https://quay.example/', 'localhost', '10.0.0.1', 'marquee.test'])
      assert.equal((await send(ada, path, { host: wrong, do: 'name' })).status, 422, wrong)
    assert.match((await send(ada, path, { host: 'no host', do: 'name' })).text, /value="no host"/)
  })

  test('is not there without its record, and a DNS that does not answer says nothing', async () => {
    await send(ada, path, { looked: host, do: 'look' })
    assert.match((await ada.get(path)).text, /it was not there/)
    const asked = dns.asked.length
    await send(ada, path, { looked: host, do: 'look' })
    assert.equal(dns.asked.length, asked, 'who asks at once again is told what was seen')
    await passTime()
    dns.isSilent = true
    const begun = performance.now()
    const looking = send(ada, path, { looked: host, do: 'look' })
    assert.equal((await ada.get('/desk')).status, 200)
    await looking
    assert.ok(performance.now() - begun < 8_000)
    dns.isSilent = false
    assert.match((await ada.get(path)).text, /the DNS did not answer/)
    assert.equal(await hostNow(), undefined)
    assert.equal((await send(ada, path, { looked: 'other.example', do: 'look' })).status, 404)
  })

  test('belongs to whoever publishes the record of their own, not to whoever names it too', async () => {
    const other = await service.partner('Rival')
    await namePagesHost(staffOf(other.id, other.accountId), host)
    await publish(agency.world.partnerId)
    await passTime()
    assert.equal(await isAnyLookDue(service.app), true)
    await lookAtDueHosts(service.app)
    assert.equal(await isAnyLookDue(service.app), false)
    assert.deepEqual([await hostNow(), await hostNow(other.id)], [host, undefined])
    assert.deepEqual(
      (await named()).map(({ for_pages, seen }) => [for_pages, seen]),
      [
        ['served', 'found'],
        ['wanted', 'absent'],
      ],
    )
    assert.match((await ada.get(path)).text, /the host is yours/)
    const page = await service.stranger.get('/login', { headers: { host } })
    assert.deepEqual([page.status, /Acme|Quay|Partner/i.test(page.text)], [200, true])
  })

  test('that lost its record is told to each admin by mail, once, and after a second look', async () => {
    const own = dns.records.get(`_marquee.${host}`) ?? []
    const queued = async () => {
      await passTime()
      await lookAtDueHosts(service.app)
      await tellMissingHosts(service.app)
      const mails = service.app.store.db.selectFrom('mails').select('recipient').where('kind', '=', 'host_missing')
      return (await mails.execute()).map(({ recipient }) => recipient)
    }
    dns.records.clear()
    assert.deepEqual(await queued(), [])
    await service.app.store.write((tx) =>
      tx.updateTable('named_hosts').set({ missing_since: '2026-11-02T09:00:00Z' }).where('for_pages', '=', 'served').execute(),
    )
    assert.deepEqual(await queued(), ['ada-desk@quay.example'])
    assert.deepEqual(await queued(), ['ada-desk@quay.example'])
    let text = ''
    await eventually(() => {
      text ||= mailbox.take('ada-desk@quay.example')[0]?.text ?? ''
      return text !== ''
    })
    assert.match(text, /that proves that reports\.quay\.example is yours has been missing since 2026-11-02/)
    assert.match(text, /TXT record of _marquee\.reports\.quay\.example with this text:\s+marquee-proof=[0-9a-f]{32}/)
    assert.match(text, /\/desk\/brand\/address/)
    dns.records.set(`_marquee.${host}`, own)
    assert.equal((await queued()).length, 1)
    assert.equal((await named()).find(({ for_pages }) => for_pages === 'served')?.missing_since, null)
  })

  test('stays although its record is missing, which is told; another one who proves it gets it', async () => {
    const own = dns.records.get(`_marquee.${host}`) ?? []
    dns.records.clear()
    await passTime()
    await lookAtDueHosts(service.app)
    assert.equal(await hostNow(), host)
    assert.match((await ada.get(path)).text, /class="notice wrong">The record is missing since/)
    const rival = (await named()).find(({ for_pages }) => for_pages === 'wanted')?.partner_id ?? 0
    dns.records.set(`_marquee.${host}`, own)
    await publish(rival)
    await passTime()
    await service.app.store.write((tx) => tx.updateTable('named_hosts').set({ look_at: null }).where('partner_id', '=', rival).execute())
    await lookAtDueHosts(service.app)
    await passTime()
    await lookAtDueHosts(service.app)
    assert.deepEqual([await hostNow(), await hostNow(rival)], [host, undefined], 'both records are there: it stays where it was')
    dns.records.set(`_marquee.${host}`, [])
    await passTime()
    await lookAtDueHosts(service.app)
    await publish(rival)
    await passTime()
    await lookAtDueHosts(service.app)
    assert.deepEqual([await hostNow(), await hostNow(rival)], [undefined, host])
    assert.deepEqual(
      new Set(await actions()),
      new Set(['partner.host', 'partner.host_proved', 'partner.host_unproved', 'partner.host_served', 'partner.host_lost']),
    )
  })

  test('is not taken from whoever has it from the operator, and needs no proof then', async () => {
    const [rival = 0] = (await named()).filter(({ for_pages }) => for_pages === 'served').map(({ partner_id }) => partner_id)
    await setBrand(service.operator, rival, { hostName: 'set.quay.example' })
    await send(ada, path, { host: 'set.quay.example', do: 'name' })
    await publish(agency.world.partnerId, 'set.quay.example')
    await passTime()
    await lookAtDueHosts(service.app)
    assert.deepEqual([await hostNow(), await hostNow(rival)], [undefined, 'set.quay.example'])
    assert.match((await ada.get(path)).text, /another customer of this service has the host/)
    await send(ada, path, { do: 'remove' })
    assert.equal((await named()).length, 0)
  })

  test('is a matter of admins', async () => {
    const ben = await at('ben-desk')
    assert.equal((await ben.get(path)).status, 404)
    assert.equal((await send(ben, path, { host, do: 'name' }, '/desk')).status, 404)
    assert.equal((await named()).length, 0)
  })
})

onEngine('sqlite', 'a host of one’s own, in a browser', (place) => {
  const { service } = agencyOn(place, env)
  const browser = testBrowser()

  for (const [hasScript, width] of [
    [true, 390],
    [false, 1440],
  ] as const)
    test(`is named and looked for ${hasScript ? 'with' : 'without'} script at ${width}`, async () => {
      const { page, mishaps, close } = await browser.enter(service.url, 'ada-desk', { hasScript, width })
      await page.goto(`${service.url}/desk/brand`)
      await page.getByRole('link', { name: 'Addresses of your pages and mails' }).click()
      await page.getByLabel('Host', { exact: true }).fill(`w${width}.a-long-name-of-a-host.quay.example`)
      await page.getByRole('button', { name: 'Use this host' }).click()
      await page.getByText('It was not looked for yet').waitFor()
      await page.getByRole('button', { name: 'Look again' }).click()
      await page.getByText('it was not there').waitFor()
      if (hasScript) await inspect(page, path)
      await page.getByRole('button', { name: 'Use the address of the service' }).click()
      await page.getByText('at the address of the service.').first().waitFor()
      assert.deepEqual(mishaps, [])
      await close()
    })
})
