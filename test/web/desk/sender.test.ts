/** An address of one's own for mails: named at the desk, used and signed once its key is in the DNS, and given up while the key is missing. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { examineSenders } from '../../../src/cli/doctor/mail.ts'
import type { StaffCaller } from '../../../src/model/core/caller.ts'
import { countSealed } from '../../../src/model/core/secrets/sealed-values.ts'
import { findMailSender, nameMailSender } from '../../../src/model/partners/senders/mail-senders.ts'
import { isAnySenderDue, lookAtDueSenders } from '../../../src/model/partners/senders/sender-looks.ts'
import { agencyOn } from '../../support/agency.ts'
import { signedBy } from '../../support/dkim.ts'
import { dnsServer } from '../../support/dns-server.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { type Mailbox, openMailbox, type ReceivedMail } from '../../support/mailbox.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'

const path = '/desk/brand/address'
const env: Record<string, string> = {}
const dns = dnsServer(env)
let mailbox: Mailbox
before(async () => {
  mailbox = await openMailbox()
  env['MARQUEE_SMTP_URL'] = mailbox.url
  env['MARQUEE_MAIL_FROM'] = 'Service <desk@service.example>'
})
after(() => mailbox?.close())

onPageEngine('an address of one’s own for mails', (place) => {
  const { service, agency, at, send } = agencyOn(place, env)
  let ada: PlainBrowser
  before(async () => {
    dns.records.clear()
    ada = await at('ada-desk')
  })
  const staffOf = (partnerId: number): StaffCaller => ({
    kind: 'staff',
    app: service.app,
    requestId: randomUUID(),
    partnerId,
    accountId: 0,
    userId: agency.staff.ada,
    role: 'admin',
    customers: 'all',
  })
  const sender = () => findMailSender(staffOf(agency.world.partnerId))
  /** Time passes: what was looked at may be looked at again. */
  const passTime = () =>
    service.app.store.write((tx) =>
      tx.updateTable('mail_senders').set({ looked_at: '2020-01-01T00:00:00Z', look_at: '2020-01-01T00:00:00Z' }).execute(),
    )
  /** Somebody of the partner, and of another one, asks for a link. */
  const mailTo = async (login: string) => {
    const stranger = new PlainBrowser(service.stranger)
    await stranger.post('/forgot', { form_token: await stranger.token('/forgot'), name: login })
    const came: ReceivedMail[] = []
    await eventually(() => came.push(...mailbox.take(`${login}@people.example`)) > 0)
    return came[0] ?? assert.fail()
  }

  test('is named, with the exact record to publish; until that is seen the mails come from the service', async () => {
    for (const wrong of ['acme', 'reports@localhost', 'reports@10.0.0.1', 'two@acme.example, more@acme.example'])
      assert.equal((await send(ada, path, { sender: wrong, do: 'send' })).status, 422, wrong)
    assert.equal((await send(ada, path, { sender: ' Reports@Quay.example', do: 'send' })).headers.location, `${path}?done=sending`)
    const shown = await sender()
    assert.equal(shown?.address, 'reports@quay.example')
    assert.match(shown?.record.name ?? '', /^marquee-[0-9a-f]{8}\._domainkey\.quay\.example$/)
    const { text } = await ada.get(path)
    assert.ok(text.replaceAll('<wbr>', '').includes(shown?.record.value ?? '-'))
    assert.match(text, /They come from <strong>desk@service/)
    const mail = await mailTo('dana-owner')
    assert.match(mail.headers['from'] ?? '', /<desk@service\.example>/)
    assert.equal(mail.headers['dkim-signature'], undefined)
  })

  test('is used once the record is there, and receivers find the signature true', async () => {
    await send(ada, path, { do: 'looksend' })
    assert.match((await ada.get(path)).text, /it was not there/)
    const { record } = (await sender()) ?? assert.fail()
    const broken = record.value.replace('; ', ';   ').replace('p=', 'p= ')
    dns.records.set(record.name.toLowerCase(), [broken])
    await passTime()
    assert.equal(await isAnySenderDue(service.app), true)
    await lookAtDueSenders(service.app)
    assert.match((await ada.get(path)).text, /your mails are signed by your domain/)
    const mail = await mailTo('rosa-account')
    assert.match(mail.headers['from'] ?? '', /<reports@quay\.example>/)
    assert.match(mail.headers['message-id'] ?? '', /@quay\.example>$/)
    assert.equal(mail.sender, 'desk@service.example', 'what cannot be delivered comes back to the service')
    const { domain, headers } = signedBy(mail.raw, dns.records)
    assert.equal(domain, 'quay.example')
    for (const name of ['from', 'to', 'subject']) assert.ok(headers.includes(name), name)
    const forged = Buffer.from(mail.raw.toString('latin1').replace('works once', 'works twice'), 'latin1')
    assert.throws(() => signedBy(forged, dns.records), /another one/)
    assert.match((await mailTo('gina-globex')).headers['from'] ?? '', /<desk@service\.example>/, 'another partner is as before')
  })

  test('keeps its key within the domain, and takes a new one with another', async () => {
    const before = (await sender())?.record
    await send(ada, path, { sender: 'hello@quay.example', do: 'send' })
    assert.deepEqual((await sender())?.record, before)
    assert.match((await mailTo('lee-business')).headers['from'] ?? '', /<hello@quay\.example>/)
    const globex = await service.app.store.db
      .selectFrom('partners')
      .select('id')
      .where('id', '!=', agency.world.partnerId)
      .executeTakeFirstOrThrow()
    await nameMailSender(staffOf(globex.id), 'hello@quay.example')
    const theirs = await findMailSender(staffOf(globex.id))
    assert.notEqual(theirs?.record.value, before?.value, 'whoever else names the domain proves it by another key')
  })

  test('is given up while the record is missing, which page and doctor say', async () => {
    const { record } = (await sender()) ?? assert.fail()
    const published = dns.records.get(record.name) ?? []
    dns.isSilent = true
    await passTime()
    await lookAtDueSenders(service.app)
    assert.match((await mailTo('kim-one-site')).headers['from'] ?? '', /<hello@quay\.example>/, 'a DNS that is silent says nothing')
    dns.isSilent = false
    dns.records.delete(record.name)
    await passTime()
    await lookAtDueSenders(service.app)
    assert.match((await ada.get(path)).text, /The record is missing since/)
    assert.match((await mailTo('newcomer')).headers['from'] ?? '', /<desk@service\.example>/)
    assert.match((await examineSenders(service.app.store)).complaint ?? '', /hello@quay\.example/)
    dns.records.set(record.name, published)
    await passTime()
    await lookAtDueSenders(service.app)
    assert.equal((await examineSenders(service.app.store)).complaint, undefined)
  })

  test('its key is stored encrypted, and goes with it', async () => {
    const row = await service.app.store.db.selectFrom('mail_senders').select('sealed').executeTakeFirstOrThrow()
    assert.doesNotMatch(row.sealed, /PRIVATE/)
    assert.equal((await countSealed(service.app)).unreadable, 0)
    assert.equal((await send(ada, path, { do: 'unsend' })).headers.location, `${path}?done=unsent`)
    assert.equal(await sender(), null)
    assert.match((await mailTo('dana-owner')).headers['from'] ?? '', /<desk@service\.example>/)
    const ben = await at('ben-desk')
    assert.equal((await ben.get(path)).status, 404, 'members name no address')
  })
})
