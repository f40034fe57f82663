/** The mail as it will be read: at the desk before it goes, and in the mailbox of whoever asks for one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { lastPeriod } from '../../../src/model/mail/periods.ts'
import { createSchedule, deleteSchedule } from '../../../src/model/mail/schedules.ts'
import { changeCustomer } from '../../../src/model/partners/customers.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { changedCustomer } from '../../../src/resources/account.ts'
import { newUser } from '../../../src/resources/user.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { type Mailbox, openMailbox, type ReceivedMail } from '../../support/mailbox.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { makePeople, measurePeople, type PeopleWorld, password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { startTestService, type TestService } from '../../support/service.ts'

onPageEngine('the preview of a report', (place) => {
  let mailbox: Mailbox
  let service: TestService
  let world: PeopleWorld
  let path = ''
  before(async () => {
    mailbox = await openMailbox()
    service = await startTestService(place, { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'reports@service.example' })
    world = await makePeople(service.operator)
    await measurePeople(service.operator, world.partnerId)
    const partners = service.app.store.db.selectFrom('partners').select('account_id').where('id', '=', world.partnerId)
    const home = (await partners.executeTakeFirstOrThrow()).account_id ?? 0
    for (const [login, customers] of [
      ['ben-desk', 'all'],
      ['mia-desk', 'assigned'],
    ] as const) {
      const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: home })
      const { id } = await createUser(service.operator, draft)
      await appointStaff(service.operator, world.partnerId, id, { role: 'member', customers })
    }
    path = `/desk/reports/${await schedule('monthly')}`
  })
  after(async () => {
    await service?.stop()
    await mailbox?.close()
  })

  /** By dana herself, so that nobody asks her. */
  const schedule = async (rhythm: 'weekly' | 'monthly') => {
    const { app, requestId } = service.operator
    const dana = {
      kind: 'person',
      app,
      requestId,
      partnerId: world.partnerId,
      accountId: world.accountId,
      userId: world.users['dana-owner'],
      post: null,
    } as const
    return (await createSchedule(dana, world.accountId, { rhythm, siteIds: null, recipients: ['dana-owner@people.example'] })).id
  }
  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const sendMe = async (browser: PlainBrowser) => browser.post(path, { form_token: await browser.token(path), do: 'sample' })
  const received = async (address: string): Promise<ReceivedMail> => {
    const mails: ReceivedMail[] = []
    await eventually(() => mails.push(...mailbox.take(address)) > 0)
    return mails[0] as ReceivedMail
  }
  /** As a mail program shows it. */
  const withPictures = (mail: ReceivedMail) =>
    mail.attachments.reduce(
      (text, { cid, type, content }) =>
        cid === '' ? text : text.replaceAll(`cid:${cid}`, `data:${type};base64,${Buffer.from(content).toString('base64')}`),
      mail.html,
    )

  test('has dates as the account writes them', async () => {
    const { operator } = service
    const browser = await at('ben-desk')
    const shown = async (region: string) => {
      await changeCustomer(operator, world.accountId, draftOf(changedCustomer, { region }))
      return (await browser.get(`${path}/preview`)).text
    }
    assert.match(await shown('US'), />[A-Z][a-z]{2} \d{1,2}\s–\s\d{1,2}, \d{4}</)
    assert.match(await shown('GB'), />\d{1,2}\s?–\s?\d{1,2} [A-Z][a-z]{2} \d{4}</)
    await shown('')
  })

  test('is the very mail that the recipients get, in a page that can run and load nothing', async () => {
    const { status, text, headers } = await (await at('ben-desk')).get(`${path}/preview`)
    assert.equal(status, 200)
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*style-src 'unsafe-inline'.*sandbox/)
    assert.doesNotMatch(String(headers['content-security-policy']), /script-src/)
    assert.match(text, /<img src="data:image\/png;base64,/)
    assert.doesNotMatch(text, /cid:|\/reports\/unsubscribe\/\d/)
    await service.app.store.write((tx) => tx.updateTable('report_schedules').set({ last_period: '2020-01-31' }).execute())
    const mail = await received('dana-owner@people.example')
    const stop = /\/reports\/unsubscribe\/[\w.]+/
    assert.equal(text.replace(stop, ''), withPictures(mail).replace(stop, '').trimEnd())
    const { from } = lastPeriod('monthly', service.app.clock.now().slice(0, 10))
    assert.ok(mail.subject.includes(String(Number(from.slice(8)))), mail.subject)
  })

  test('is mailed to the own address of whoever asks, a few times a day, and cannot be unsubscribed', async () => {
    const browser = await at('ben-desk')
    const sentence = 'We have moved\nour <office>.'
    await service.app.store.write((tx) => tx.updateTable('report_runs').set({ sentence }).execute())
    assert.equal((await sendMe(browser)).headers.location, `${path}?done=sample`)
    const mail = await received('ben-desk@quay.example')
    assert.equal(mail.headers['list-unsubscribe'], undefined)
    assert.doesNotMatch(mail.html + mail.text, /unsubscribe/)
    assert.match(mail.text, /Sent once to you alone/)
    const pdf = mail.attachments.find(({ type }) => type === 'application/pdf')
    assert.ok(textOfPdf(Buffer.from(pdf?.content ?? '')).includes('our <office>.'))
    assert.match(mail.text, /\n\nWe have moved\nour <office>\.\n\n/)
    assert.match(mail.html, /<p[^>]*>We have moved<br>our &lt;office&gt;\.<\/p>/)
    assert.match((await browser.get(`${path}/preview`)).text, /We have moved<br>our &lt;office&gt;\./)
    assert.doesNotMatch((await browser.get(`${path}/preview?period=2026-01`)).text, /We have moved/)
    const { db } = service.app.store
    const { id: _, ...sent } = await db.selectFrom('mails').selectAll().where('key', 'like', 'sample:%').executeTakeFirstOrThrow()
    await service.app.store.write((tx) =>
      tx
        .insertInto('mails')
        .values(Array.from({ length: 9 }, (_, n) => ({ ...sent, key: `sample:${n}` })))
        .execute(),
    )
    const often = await sendMe(browser)
    assert.equal(often.status, 422)
    assert.match(often.text, /sent yourself 10 reports within a day/)
    assert.deepEqual(mailbox.take('dana-owner@people.example'), [], 'nobody else gets it')
  })

  test('is nobody else’s to see or to ask for', async () => {
    for (const login of ['mia-desk', 'gina-globex', 'dana-owner']) {
      const browser = await at(login)
      assert.equal((await browser.get(`${path}/preview`)).status, 404, login)
      const asked = await browser.post(path, { form_token: await browser.token('/password'), do: 'sample' })
      assert.equal(asked.status, 404, login)
    }
  })

  test('says so where there is nothing to mail, or no report', async () => {
    const browser = await at('ben-desk')
    await service.app.store.write((tx) => tx.updateTable('businesses').set({ aasm_state: 'deactivated' }).execute())
    assert.match((await browser.get(`${path}/preview`)).text, /Nothing to mail/)
    await service.app.store.write((tx) => tx.updateTable('businesses').set({ aasm_state: 'active' }).execute())
    await deleteSchedule(service.operator, world.accountId, Number(path.split('/').at(-1)))
    assert.equal((await browser.get(`${path}/preview`)).status, 404)
  })
})
