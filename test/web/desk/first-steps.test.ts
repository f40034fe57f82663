/** The first steps of a new agency, and what its admins read about the service. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { lastBackupName, setStoredValue } from '../../../src/model/core/stored-values.ts'
import { renewFigures } from '../../../src/model/dashboard/desk/site-figures.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { setBrand } from '../../../src/model/partners/brand-changes.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { bytesOf } from '../../support/data.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { password } from '../../support/people.ts'
import { withMail } from '../../support/people-service.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { serviceOn } from '../../support/service.ts'

onPageEngine('the first steps of an agency', (place) => {
  const service = serviceOn(place, withMail)
  let partnerId: number
  before(async () => {
    const { partner, account } = await createPartner(service.operator, 'Quay')
    partnerId = partner.id
    await colleague('ada', 'admin', account.id)
    await colleague('ben', 'member', account.id)
  })
  const colleague = async (name: string, role: 'admin' | 'member', account_id: number) => {
    const draft = draftOf(newUser, { login: `${name}-quay`, email: `${name}@quay.example`, password, account_id })
    const { id } = await createUser(service.operator, draft)
    await appointStaff(service.operator, partnerId, id, { role, customers: 'all' })
  }
  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const db = () => service.app.store.db
  const stateOf = (text: string) => {
    const done = [...text.matchAll(/<li class="quiet">([^<]+) <span class="badge">done/g)].map(([, title]) => title)
    return { done, open: /<details open><summary>([^<]+)</.exec(text)?.[1] }
  }

  test('are done one after the other, each on the page that it leads to', async () => {
    const browser = await at('ada-quay')
    const form_token = await browser.token('/desk')
    const now = async () => stateOf((await browser.get('/desk')).text)
    assert.deepEqual(await now(), { done: [], open: 'Add your first customer' })
    const added = await browser.post('/desk/add', { form_token, name: 'Harbor <Dental>', domain: 'harbor.example' })
    const [, id = ''] = /customers\/(\d+)/.exec(added.headers.location ?? '') ?? []
    assert.deepEqual(await now(), { done: ['Add your first customer'], open: 'Bring in data' })
    const lines = [
      {
        type: 'ranking',
        site: 'harbor.example',
        phrase: 'dentist',
        search_engine: 'Google',
        locale: 'en-us',
        ranked_at: '2026-11-18 04:00:00',
        rank: 3,
      },
    ]
    await importObservations(service.operator, { partnerId }, readNdjson(bytesOf(lines)), { createMissing: true })
    assert.equal((await now()).open, 'Show your name and colours')
    await setBrand(service.operator, partnerId, { name: 'Quay' })
    const { text } = await browser.get('/desk')
    assert.equal(stateOf(text).open, 'Invite the client')
    assert.match(text, /Email of somebody at Harbor &lt;Dental&gt;/)
    const invited = await browser.post(`/desk/customers/${id}`, {
      form_token,
      do: 'invite',
      email: 'dana@harbor.example',
      sees: `Account:${id}`,
    })
    assert.equal(invited.status, 303)
    assert.equal((await now()).open, 'Mail the reports')
    assert.match((await browser.get('/desk')).text, new RegExp(`/desk/reports/new\\?customer=${id}`))
    const wishes = { rhythm: 'monthly' as const, siteIds: null, recipients: ['dana@harbor.example'] }
    const { id: schedule } = await createSchedule(service.operator, Number(id), wishes)
    assert.doesNotMatch((await browser.get('/desk')).text, /First steps/)
    await service.app.store.write((tx) => tx.deleteFrom('report_recipients').where('schedule_id', '=', schedule).execute())
    await service.app.store.write((tx) => tx.deleteFrom('report_schedules').where('id', '=', schedule).execute())
    assert.match((await browser.get('/desk')).text, /First steps/)
  })

  test('fill the pages with sample data, which undoing the file takes back', async () => {
    const browser = await at('ada-quay')
    const form_token = await browser.token('/desk')
    const added = await browser.post('/desk/add', { form_token, name: 'Empty', domain: 'empty.example' })
    const [, customer = ''] = /customers\/(\d+)/.exec(added.headers.location ?? '') ?? []
    const site = async () =>
      (await db().selectFrom('sites').select('id').where('domain', '=', 'empty.example').executeTakeFirstOrThrow()).id
    const stored = (state: string) =>
      eventually(async () => {
        const { text } = await browser.get(file)
        return text.includes(state)
      })
    const file = (await browser.post('/desk/first-steps', { form_token, do: 'sample', customer })).headers.location ?? ''
    assert.match(file, /^\/desk\/data\/\d+$/)
    await stored('is stored')
    const page = (await browser.get(`/sites/${await site()}/search`)).text
    for (const phrase of ['near me', 'book online']) assert.ok(page.includes(phrase), phrase)
    assert.match((await browser.get(`/sites/${await site()}/reputation`)).text, /Sample: /)
    assert.equal((await browser.post(file, { form_token, do: 'undo' })).status, 303)
    await stored('is undone')
    assert.doesNotMatch((await browser.get(`/sites/${await site()}/search`)).text, /book online/)
    await renewFigures(service.app, AbortSignal.timeout(60_000))
    const measured = /customers\/(\d+)/.exec((await browser.get('/desk')).text)?.[1]
    assert.ok(measured)
    for (const absent of ['999999', '']) {
      const refused = await browser.post('/desk/first-steps', { form_token, do: 'sample', customer: absent })
      assert.equal(refused.status, 404, absent)
    }
  })

  test('are for admins, who may want no more of them', async () => {
    const ben = await at('ben-quay')
    assert.doesNotMatch((await ben.get('/desk')).text, /First steps|Last backup|backup/)
    const token = await ben.token('/desk')
    assert.equal((await ben.post('/desk/first-steps', { form_token: token })).status, 404)
    const ada = await at('ada-quay')
    assert.match((await ada.get('/desk')).text, /First steps/)
    assert.equal((await ada.post('/desk/first-steps', { form_token: await ada.token('/desk') })).headers.location, '/desk')
    assert.doesNotMatch((await ada.get('/desk')).text, /First steps/)
  })

  test('come with a line about the service, where the agency has it to itself', async () => {
    const browser = await at('ada-quay')
    const { text } = await browser.get('/desk')
    assert.match(
      text,
      place.engine === 'sqlite' ? /No backup has been made yet\..*GB of the disk are free, enough/s : /tools of the database server/,
    )
    assert.match(text, /Mail: (nothing has been sent yet|[12] mails? did not go out)/)
    await service.app.store.write((tx) => setStoredValue(tx, lastBackupName, '2026-11-18T03:00:00Z'))
    await service.app.store.write((tx) => tx.updateTable('mails').set({ state: 'queued', error: 'refused' }).execute())
    const later = (await browser.get('/desk')).text
    assert.match(later, /Last backup: .*18/)
    assert.match(later, /2 mails did not go out/, 'the invitation, and the question whether reports are wanted')
    await createPartner(service.operator, 'Globex')
    assert.doesNotMatch((await browser.get('/desk')).text, /Last backup/)
  })
})
