/** The reports by mail at the desk: what staff see of all their customers, and what nobody else does. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { daysLater } from '../../../src/lib/time/days.ts'
import { confirmRecipient, recipientToken } from '../../../src/model/mail/recipients.ts'
import type { RunReason } from '../../../src/model/mail/run-reasons.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { onPageEngine } from '../../support/engines.ts'
import { makePeople, type PeopleWorld, password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { serviceOn } from '../../support/service.ts'
import { suppress } from '../../support/suppressed.ts'

onPageEngine('the reports at the desk', (place) => {
  const service = serviceOn(place)
  let world: PeopleWorld
  let [garage, harborMail, garageMail] = [0, 0, 0]
  const db = () => service.app.store.db

  before(async () => {
    world = await makePeople(service.operator)
    const { account_id } = await db()
      .selectFrom('partners')
      .select('account_id')
      .where('id', '=', world.partnerId)
      .executeTakeFirstOrThrow()
    await colleague('ben-desk', world.partnerId, account_id ?? 0, 'all')
    const mia = await colleague('mia-desk', world.partnerId, account_id ?? 0, 'assigned')
    garage = (await createAccount(service.operator, world.partnerId, 'Northside Garages')).id
    harborMail = await schedule(world.accountId, 'monthly', ['dana-owner@people.example', 'friend@else.example'])
    const [dana] = await db().selectFrom('report_recipients').select('id').where('email', '=', 'dana-owner@people.example').execute()
    await confirmRecipient(service.app, recipientToken(service.app, dana?.id ?? 0))
    garageMail = await schedule(garage, 'weekly', ['gary@garages.example'])
    await service.app.store.write((tx) =>
      tx.updateTable('accounts').set({ looked_after_by: mia }).where('id', '=', world.accountId).execute(),
    )
  })

  const colleague = async (login: string, partnerId: number, accountId: number, customers: 'all' | 'assigned') => {
    const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: accountId })
    const { id } = await createUser(service.operator, draft)
    await appointStaff(service.operator, partnerId, id, { role: 'member', customers })
    return id
  }
  const schedule = async (account: number, rhythm: 'weekly' | 'monthly', recipients: readonly string[]) =>
    (await createSchedule(service.operator, account, { rhythm, siteIds: null, recipients })).id
  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const customersIn = (text: string) => [...text.matchAll(/<a class="rowlink"[^>]*>([^<]+)</g)].map(([, name]) => name)
  /** The mail of the latest period to a recipient of the schedule, in some state. */
  const mail = async (scheduleId: number, email: string, state: 'queued' | 'sent' | 'failed' | 'uncertain', error: string | null) => {
    const { id, account_id } = await db()
      .selectFrom('report_recipients')
      .select(['id', 'account_id'])
      .where('schedule_id', '=', scheduleId)
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const { last_period } = await db()
      .selectFrom('report_schedules')
      .select('last_period')
      .where('id', '=', scheduleId)
      .executeTakeFirstOrThrow()
    const at = '2026-11-01T06:00:00Z'
    const values = { kind: 'report' as const, account_id, recipient: email, payload: '{}', state, error, attempts: 1 }
    const times = { due_at: at, created_at: at, settled_at: state === 'queued' ? null : at }
    const key = `report:${scheduleId}:${last_period}:${id}`
    await service.app.store.write(async (tx) => {
      await tx.deleteFrom('mails').where('key', '=', key).execute()
      await tx
        .insertInto('mails')
        .values({ key, ...values, ...times })
        .execute()
    })
  }
  const path = '/desk/reports'

  test('are all those of the customers, with recipients and dates', async () => {
    const { status, text } = await (await at('ben-desk')).get(path)
    assert.equal(status, 200)
    assert.deepEqual(customersIn(text), ['Harbor Dental', 'Northside Garages'])
    assert.match(text, /2 reports of 2 customers to 3 recipients\./)
    assert.match(text, /dana-owner@people\.<wbr>example <span class="quiet">gets the next one/)
    assert.match(text, /friend@else\.<wbr>example <span class="quiet">has not confirmed yet/)
    assert.match(text, /every month.*every week/s)
  })

  test('say what became of each mail', async () => {
    const browser = await at('ben-desk')
    const said = async () => (await browser.get(path)).text
    await mail(harborMail, 'dana-owner@people.example', 'sent', null)
    assert.match(await said(), /sent on 1 Nov.*?data-l="Last mail">1 Nov</s)
    await mail(harborMail, 'dana-owner@people.example', 'failed', '550 no such <user>')
    assert.match(await said(), /refused for good on 1 Nov: 550 no such &lt;user&gt;/)
    assert.deepEqual(customersIn((await browser.get(`${path}?state=refused`)).text), ['Harbor Dental'])
    await mail(harborMail, 'dana-owner@people.example', 'uncertain', 'ended')
    assert.match(await said(), /may not have arrived on 1 Nov/)
    await mail(harborMail, 'dana-owner@people.example', 'queued', '451 later')
    assert.match(await said(), /is waiting; the last try failed: 451 later/)
    assert.deepEqual(customersIn((await browser.get(`${path}?state=waiting`)).text), ['Harbor Dental'])
  })

  test('name the addresses without mail to who sees all customers, and mail one of them again', async () => {
    await suppress(service.operator, world.partnerId, 'quiet@else.example')
    const browser = await at('ben-desk')
    const shown = async (q = '') => (await browser.get(`${path}/suppressed?q=${q}`)).text
    assert.match(await shown('Quinn@else.example'), /q…@else\.<wbr>example.*They unsubscribed/s)
    assert.match(await shown('rosa@else.example'), /No address on the list looks like this one/)
    const [, entry = ''] = /name="entry" value="(\d+)"/.exec(await shown()) ?? []
    const form_token = await browser.token(`${path}/suppressed`)
    assert.equal((await browser.post(`${path}/suppressed`, { form_token, entry })).status, 303)
    assert.match(await shown(), /There is none/)
    const mia = await at('mia-desk')
    assert.match((await mia.get(`${path}/suppressed`)).text, /Colleagues who look after all customers see this list/)
    assert.doesNotMatch((await mia.get(path)).text, /without mail/)
  })

  test('are found by customer and address, and sorted', async () => {
    const browser = await at('ben-desk')
    const found = async (query: string) => customersIn((await browser.get(`${path}?${query}`)).text)
    assert.deepEqual(await found('q=GARY%40'), ['Northside Garages'])
    assert.deepEqual(await found('q=harbor'), ['Harbor Dental'])
    assert.deepEqual(await found('q=globex'), [])
    assert.deepEqual(await found('sort=customer&order=down'), ['Northside Garages', 'Harbor Dental'])
    assert.deepEqual(await found('sort=rhythm&order=down'), ['Northside Garages', 'Harbor Dental'])
    assert.deepEqual(await found('state=unconfirmed&q=friend'), ['Harbor Dental'])
    assert.deepEqual(await found('state=nonsense&page=9&sort=x'), ['Harbor Dental', 'Northside Garages'])
  })

  test('are those of assigned customers alone where customers are assigned, and of nobody else', async () => {
    const { text } = await (await at('mia-desk')).get(path)
    assert.deepEqual(customersIn(text), ['Harbor Dental'])
    assert.doesNotMatch(text, /gary/)
    assert.equal((await (await at('dana-owner')).get(path)).status, 404)
    const globex = await db()
      .selectFrom('sites')
      .innerJoin('accounts', 'accounts.id', 'sites.account_id')
      .select(['account_id', 'partner_id'])
      .where('sites.id', '=', world.globexSite)
      .executeTakeFirstOrThrow()
    await colleague('gus-desk', globex.partner_id ?? 0, globex.account_id, 'all')
    assert.match((await (await at('gus-desk')).get(path)).text, /No reports are mailed to customers yet/)
  })

  test('leave out customers who are archived', async () => {
    const archive = (at: string | null) =>
      service.app.store.write((tx) => tx.updateTable('accounts').set({ archived_at: at }).where('id', '=', garage).execute())
    await archive('2026-11-01T00:00:00Z')
    assert.deepEqual(customersIn((await (await at('ben-desk')).get(path)).text), ['Harbor Dental'])
    await archive(null)
    assert.ok(garageMail > 0)
  })

  test('are changed in place, unless somebody did meanwhile', async () => {
    const browser = await at('ben-desk')
    const here = `${path}/${harborMail}`
    const before = (await browser.get(here)).text
    const was = /name="was" value="(\w+)"/.exec(before)?.[1] ?? ''
    const form = { form_token: await browser.token(here), was, rhythm: 'weekly', recipients: 'dana-owner@people.example, new@else.example' }
    assert.equal((await browser.post(here, { ...form, site: String(world.chicago) })).headers.location, `${here}?done=changed`)
    const { text } = await browser.get(`${here}?done=changed`)
    assert.match(text, /The change is saved/)
    assert.match(text, /value="weekly" selected/)
    assert.match(text, new RegExp(`value="${world.chicago}" checked`))
    assert.match(text, /new@else\.<wbr>example <span class="quiet">has not confirmed yet/)
    assert.doesNotMatch(text, /friend@else/)
    const late = await browser.post(here, { ...form, recipients: 'late@else.example' })
    assert.equal(late.status, 422)
    assert.match(late.text, /changed this meanwhile.*value="late@else\.example"/s)
    const now = /name="was" value="(\w+)"/.exec(text)?.[1] ?? ''
    for (const [wrong, said] of [
      [{ recipients: 'nonsense' }, /Recipients must be email addresses/],
      [{ recipients: '' }, /Recipients can&#39;t be blank|Recipients can't be blank/],
      [{ rhythm: 'daily' }, /Rhythm is not included in the list: weekly, monthly/],
      [{ site: String(world.globexSite) }, /Site ids does not exist/],
    ] as const) {
      const refused = await browser.post(here, { ...form, was: now, ...wrong })
      assert.equal(refused.status, 422, JSON.stringify(wrong))
      assert.match(refused.text, said)
    }
  })

  test('are added for a customer who is found, and removed', async () => {
    const browser = await at('ben-desk')
    const found = (await browser.get(`${path}/new?q=north`)).text
    assert.deepEqual(
      [...found.matchAll(/new\?customer=(\d+)/g)].map(([, id]) => Number(id)),
      [garage],
    )
    const form = { form_token: await browser.token(`${path}/new?customer=${garage}`), customer: String(garage), rhythm: 'monthly' }
    const wrong = await browser.post(`${path}/new`, { ...form, recipients: 'gary at garages' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /Add a report for Northside Garages.*value="gary at garages"/s)
    const { location = '' } = (await browser.post(`${path}/new`, { ...form, recipients: 'gary@garages.example' })).headers
    assert.match(location, /^\/desk\/reports\/\d+\?done=added$/)
    assert.equal((await browser.get(location)).status, 200)
    const was = () => browser.get(location).then(({ text }) => /name="was" value="(\w{20})"/.exec(text)?.[1] ?? '')
    const seen = await was()
    const more = { form_token: form.form_token, was: seen, rhythm: 'weekly', recipients: 'gary@garages.example' }
    assert.equal((await browser.post(location, more)).status, 303)
    const late = await browser.post(location, { form_token: form.form_token, do: 'remove', was: seen })
    assert.match(late.text, /changed this meanwhile/)
    const removed = await browser.post(location, { form_token: form.form_token, do: 'remove', was: await was() })
    assert.equal(removed.headers.location, path)
    assert.equal((await browser.get(location)).status, 404)
    const mia = await at('mia-desk')
    assert.equal((await mia.get(`${path}/new?customer=${garage}`)).status, 404)
    const foreign = { ...form, form_token: await mia.token(path), recipients: 'gary@garages.example' }
    assert.equal((await mia.post(`${path}/new`, foreign)).status, 404)
  })

  test('ask a recipient again who has not confirmed, but not too often', async () => {
    const browser = await at('ben-desk')
    const here = `${path}/${garageMail}`
    const recipient = /name="recipient" value="(\d+)"/.exec((await browser.get(here)).text)?.[1] ?? ''
    const asked = () =>
      db().selectFrom('mails').select('key').where('kind', '=', 'confirmation').where('recipient', '=', 'gary@garages.example').execute()
    const before = (await asked()).length
    await service.app.store.write((tx) =>
      tx.updateTable('mails').set({ created_at: '2026-01-01T00:00:00Z' }).where('kind', '=', 'confirmation').execute(),
    )
    const ask = async (id = recipient) => browser.post(here, { form_token: await browser.token(here), do: 'ask', recipient: id })
    assert.equal((await ask()).headers.location, `${here}?done=asked`)
    assert.equal((await asked()).length, before + 1)
    assert.equal((await ask('987654')).status, 404)
    const now = service.app.clock.now()
    const { id: account_id } = { id: garage }
    for (const n of [1, 2])
      await service.app.store.write((tx) =>
        tx
          .insertInto('mails')
          .values({
            key: `asked ${n}`,
            kind: 'confirmation',
            account_id,
            recipient: 'gary@garages.example',
            payload: '{}',
            state: 'sent',
            attempts: 1,
            error: null,
            due_at: now,
            created_at: now,
            settled_at: now,
          })
          .execute(),
      )
    const often = await ask()
    assert.equal(often.status, 422)
    assert.match(often.text, /asked to confirm 3 times within a day/)
    await service.app.store.write((tx) =>
      tx.updateTable('report_recipients').set({ state: 'unsubscribed' }).where('id', '=', Number(recipient)).execute(),
    )
    assert.match((await ask()).text, /gary@garages\.example has unsubscribed meanwhile/)
    assert.doesNotMatch((await browser.get(here)).text, /Ask again/)
  })

  test('that are held say so and why, and are sent or skipped', async () => {
    const browser = await at('ben-desk')
    const here = `${path}/${harborMail}`
    const { account_id, rhythm, last_period } = await db()
      .selectFrom('report_schedules')
      .select(['account_id', 'rhythm', 'last_period'])
      .where('id', '=', harborMail)
      .executeTakeFirstOrThrow()
    const hold = (reasons: readonly RunReason[], period_to = last_period, state: 'held' | 'missed' = 'held') => {
      const run = { schedule_id: harborMail, account_id, rhythm, period_from: daysLater(period_to, -6), period_to, state, sentence: '' }
      return service.app.store.write(async (tx) => {
        await tx.deleteFrom('report_runs').where('period_to', '=', period_to).execute()
        await tx
          .insertInto('report_runs')
          .values({ ...run, reasons: JSON.stringify(reasons), updated_at: service.app.clock.now() })
          .execute()
      })
    }
    await hold([], daysLater(last_period, -7), 'missed')
    await hold([
      { kind: 'stale', since: '2026-11-06', sites: 1, site: 'a.example' },
      { kind: 'file', files: 2, name: '<x>.csv', on: '2026-11-07', isRefused: false },
    ])
    const listed = await browser.get(`${path}?state=held`)
    assert.deepEqual(customersIn(listed.text), ['Harbor Dental'])
    const why =
      /held, not sent, nothing measured since 6 Nov at a\.example; the file &lt;x&gt;\.csv of 7 Nov has lines that were left out, and 1 more/
    assert.match(listed.text, why)
    assert.match(listed.text, /not sent: nobody let it go/)
    assert.deepEqual(customersIn((await browser.get(`${path}?state=unsent`)).text), ['Harbor Dental'])
    const form = async (act: string, page = browser) => {
      const was = /name="was" value="(\w+)">\s*<button class="button soft" name="do" value="send"/.exec((await browser.get(here)).text)?.[1]
      return page.post(here, { form_token: await page.token('/password'), do: act, period: daysLater(last_period, -6), was: was ?? 'gone' })
    }
    const mia = await at('mia-desk')
    await service.app.store.write((tx) => tx.updateTable('accounts').set({ looked_after_by: null }).where('id', '=', account_id).execute())
    assert.equal((await form('send', mia)).status, 404)
    const queued = () => db().selectFrom('mails').select('key').where('key', 'like', `report:${harborMail}:${last_period}:%`).execute()
    await service.app.store.write((tx) => tx.deleteFrom('mails').where('kind', '=', 'report').execute())
    assert.equal((await form('skip')).headers.location, `${here}?done=skipped`)
    assert.match((await browser.get(here)).text, /skipped, not sent/)
    await hold([])
    assert.equal((await queued()).length, 0)
    assert.equal((await form('send')).headers.location, `${here}?done=released`)
    assert.equal((await queued()).length, 1)
    assert.match((await form('send')).text, /changed this meanwhile/)
    assert.equal((await queued()).length, 1)
  })

  test('that are new do when they are due what somebody with all customers has chosen', async () => {
    const browser = await at('ben-desk')
    const choose = async (release: string, was: string, page = browser) =>
      page.post(path, { form_token: await page.token('/password'), release, was })
    assert.match((await browser.get(path)).text, /value="unless_wrong" selected/)
    assert.equal((await choose('by_hand', 'unless_wrong')).headers.location, path)
    assert.match((await browser.get(path)).text, /value="by_hand" selected/)
    assert.match((await browser.get(`${path}/new?customer=${garage}`)).text, /value="by_hand" selected/)
    assert.match((await choose('automatic', 'unless_wrong')).text, /changed this meanwhile.*value="automatic" selected/s)
    assert.match((await choose('never', 'by_hand')).text, /Release is not included in the list/)
    const mia = await at('mia-desk')
    assert.doesNotMatch((await mia.get(path)).text, /When a new report is due/)
    assert.equal((await choose('automatic', 'by_hand', mia)).status, 404)
    assert.equal((await choose('unless_wrong', 'by_hand')).status, 303)
  })

  test('are not found, changed or removed by anybody else', async () => {
    const here = `${path}/${garageMail}`
    for (const login of ['mia-desk', 'gus-desk', 'dana-owner']) {
      const browser = await at(login)
      assert.equal((await browser.get(here)).status, 404, login)
      const form_token = await browser.token('/password')
      for (const act of ['remove', 'ask', 'change']) assert.equal((await browser.post(here, { form_token, do: act })).status, 404, login)
    }
    assert.equal((await (await at('ben-desk')).get(here)).status, 200)
    const stranger = new PlainBrowser(service.stranger)
    assert.match((await stranger.get(here)).headers.location ?? '', /^\/login/)
  })
})
