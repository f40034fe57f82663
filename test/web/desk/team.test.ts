/** The page of the staff: for admins whose login is fresh; invited, changed, removed, and a second factor demanded. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { type Mailbox, openMailbox } from '../../support/mailbox.ts'
import { password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'

const path = '/desk/team'

onPageEngine('the page of the staff', (place) => {
  let mailbox: Mailbox
  const env: Record<string, string> = { MARQUEE_MAIL_FROM: 'desk@service.example' }
  before(async () => {
    mailbox = await openMailbox()
    env['MARQUEE_SMTP_URL'] = mailbox.url
  })
  after(() => mailbox?.close())
  const { service, agency, at, send } = agencyOn(place, env)
  const db = () => service.app.store.db
  const staffRow = (id: number) => db().selectFrom('staff').select(['role', 'customers']).where('user_id', '=', id).executeTakeFirst()
  const grow = (seconds: number) =>
    service.app.store.write((tx) =>
      tx
        .updateTable('sessions')
        .set({ proved_at: secondsAfter(service.app.clock.now(), -seconds) })
        .execute(),
    )
  const mailOf = async (address: string) => {
    let text = ''
    await eventually(() => {
      text ||= mailbox.take(address)[0]?.text ?? ''
      return text !== ''
    })
    return text
  }

  test('asks for the password in place after half an hour, and keeps what was typed', async () => {
    const browser = await at('ada-desk')
    assert.match((await browser.get(path)).text, /<h1>Team<\/h1>/)
    assert.match((await browser.get('/desk')).text, /href="\/desk\/team"/)
    await grow(31 * 60)
    const asked = (await browser.get(`${path}?member=7`)).text
    assert.match(asked, /Is it you\?.*action="\/fresh".*name="next" value="\/desk\/team\?member=7"/s)
    const wrong = await browser.post('/fresh', { form_token: await browser.token('/me'), fresh_password: 'wrong', next: path })
    assert.equal(wrong.status, 403)
    assert.match(wrong.text, /name="next" value="\/desk\/team".*This is not right/s)
    const form = { do: 'change', member: String(agency.staff.mia), was: 'member assigned', new_post: 'member all' }
    const kept = await send(browser, path, form, '/me')
    assert.equal(kept.status, 200)
    assert.match(kept.text, /action="\/desk\/team".*name="new_post" value="member all"/s)
    assert.deepEqual(await staffRow(agency.staff.mia), { role: 'member', customers: 'assigned' })
    assert.equal((await send(browser, path, { ...form, fresh_password: 'wrong' }, '/me')).status, 403)
    const proved = await send(browser, path, { ...form, fresh_password: password, fresh_code: '' }, '/me')
    assert.equal(proved.headers.location, `${path}?done=changed`)
    assert.deepEqual(await staffRow(agency.staff.mia), { role: 'member', customers: 'all' })
    assert.match((await browser.get(path)).text, /<h1>Team<\/h1>/)
    await send(browser, path, { ...form, was: 'member all', new_post: 'member assigned' })
    await grow(31 * 60)
    const elsewhere = await browser.post('/fresh', {
      form_token: await browser.token('/me'),
      fresh_password: password,
      next: '//evil.example',
    })
    assert.equal(elsewhere.headers.location, '/')
    await service.app.store.write((tx) => tx.updateTable('sessions').set({ proved_at: null, opened_by: 'link' }).execute())
    assert.match((await browser.get(path)).text, /Is it you.*Set a password first/s, 'a login link proves nothing')
  })

  test('shows roles, second factors and logins, and changes a role unless somebody did meanwhile', async () => {
    const browser = await at('ada-desk')
    const { text } = await browser.get(`${path}?member=${agency.staff.ben}`)
    for (const said of ['everything, as an admin', 'the customers assigned to them', 'ben-desk@', 'Remove from the staff'])
      assert.ok(text.includes(said), said)
    const form = { do: 'change', member: String(agency.staff.ben), was: 'member all', new_post: 'admin all' }
    assert.equal((await send(browser, path, form)).status, 303)
    assert.deepEqual(await staffRow(agency.staff.ben), { role: 'admin', customers: 'all' })
    const late = await send(browser, path, { ...form, new_post: 'member assigned' })
    assert.equal(late.status, 422)
    assert.match(late.text, /changed this meanwhile/)
    assert.equal((await send(browser, path, { ...form, was: 'admin all', new_post: 'owner all' })).status, 422)
    assert.equal((await send(browser, path, { ...form, was: 'admin all', new_post: 'member all' })).status, 303)
    const last = { do: 'change', member: String(agency.staff.ada), was: 'admin all', new_post: 'member all' }
    const refused = await send(browser, path, last)
    assert.equal(refused.status, 422)
    assert.match(refused.text, /last admin/)
    for (const member of [agency.world.users['gina-globex'], agency.world.users['dana-owner'], 999_999])
      assert.equal((await send(browser, path, { ...form, member: String(member) })).status, 404)
  })

  test('invites by mail, mails again and withdraws', async () => {
    const browser = await at('ada-desk')
    const form = { do: 'invite', email: 'new@quay.example', post: 'member assigned' }
    assert.equal((await send(browser, path, form)).headers.location, `${path}?done=invited`)
    const first = /\/join\/\S+/.exec(await mailOf('new@quay.example'))?.[0] ?? ''
    const invitation = async () => /name="invitation" value="(\d+)"/.exec((await browser.get(path)).text)?.[1] ?? ''
    assert.equal((await send(browser, path, { do: 'again', invitation: await invitation() })).status, 303)
    const second = /\/join\/\S+/.exec(await mailOf('new@quay.example'))?.[0] ?? ''
    const stranger = new PlainBrowser(service.stranger)
    assert.equal((await stranger.get(first)).status, 410)
    assert.equal((await stranger.get(second)).status, 200)
    assert.equal((await send(browser, path, { do: 'withdraw', invitation: await invitation() })).headers.location, `${path}?done=withdrawn`)
    assert.equal((await stranger.get(second)).status, 410)
    assert.equal((await send(browser, path, { do: 'withdraw', invitation: '999999' })).status, 404)
    for (const [email, said] of [
      ['', 'Please type an email address.'],
      ['nobody', 'This is no email address.'],
    ] as const) {
      const refused = await send(browser, path, { ...form, email })
      assert.equal(refused.status, 422)
      assert.ok(refused.text.includes(said), said)
    }
    assert.match((await send(browser, path, { ...form, email: 'ben-desk@quay.example' })).text, /is staff already/)
    const foreign = await send(browser, path, { ...form, email: 'gina-globex@people.example' })
    assert.equal(foreign.headers.location, `${path}?done=invited`, 'the page says the same whoever has the address')
    const mail = await mailOf('gina-globex@people.example')
    assert.match(mail, /cannot be used for it/)
    assert.doesNotMatch(mail, /\/join\/|Globex/)
  })

  test('mails a link to log in, and demands a second factor of everybody', async () => {
    const browser = await at('ada-desk')
    assert.equal((await send(browser, path, { do: 'link', member: String(agency.staff.ben) })).headers.location, `${path}?done=link`)
    assert.match(await mailOf('ben-desk@quay.example'), /\/login-link\//)
    assert.equal((await send(browser, path, { do: 'link', member: String(agency.world.users['dana-owner']) })).status, 404)
    const ben = await at('ben-desk')
    const token = await browser.token(path)
    assert.equal((await browser.post(path, { form_token: token, do: 'demand', wanted: 'yes' })).status, 303)
    assert.equal((await ben.get('/desk')).headers.location, '/second-factor')
    await service.app.store.write((tx) => tx.updateTable('partners').set({ demands_second_factor: 0 }).execute())
    const entries = db().selectFrom('audit_entries').select('actor').where('action', '=', 'partner.set').execute()
    assert.deepEqual(await entries, [{ actor: `user:${agency.staff.ada}` }])
  })

  test('removes a colleague, whose customers and links go to another', async () => {
    const { accountId } = agency.world
    await service.app.store.write((tx) =>
      tx.updateTable('accounts').set({ looked_after_by: agency.staff.mia }).where('id', '=', accountId).execute(),
    )
    const browser = await at('ada-desk')
    const mia = await at('mia-desk')
    const form = { do: 'remove', member: String(agency.staff.mia), successor: '' }
    const mailed = async (recipients: readonly string[]) => {
      const { id } = await createSchedule(service.operator, accountId, { rhythm: 'weekly', siteIds: null, recipients })
      await service.app.store.write((tx) =>
        tx.updateTable('report_recipients').set({ state: 'active' }).where('schedule_id', '=', id).execute(),
      )
      return id
    }
    const [hers, both] = [await mailed(['mia-desk@quay.example']), await mailed(['ben-desk@quay.example', 'mia-desk@quay.example'])]
    assert.equal((await send(browser, path, form)).status, 422)
    assert.equal((await send(browser, path, { ...form, successor: String(agency.world.users['dana-owner']) })).status, 422)
    assert.equal((await send(browser, path, { ...form, successor: String(agency.staff.ben) })).headers.location, `${path}?done=removed`)
    assert.equal(await staffRow(agency.staff.mia), undefined)
    const { looked_after_by: now } = await db()
      .selectFrom('accounts')
      .select('looked_after_by')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    assert.equal(now, agency.staff.ben)
    const recipients = db().selectFrom('report_recipients').select(['schedule_id', 'email']).orderBy('schedule_id')
    assert.deepEqual(
      await recipients.execute(),
      [hers, both].map((schedule_id) => ({ schedule_id, email: 'ben-desk@quay.example' })),
    )
    assert.match((await mia.get('/desk')).headers.location ?? '', /^\/login/)
    const self = await send(browser, path, { do: 'remove', member: String(agency.staff.ada), successor: String(agency.staff.ben) })
    assert.match(self.text, /last admin/)
  })

  test('is nothing for members, clients and strangers', async () => {
    for (const login of ['ben-desk', 'dana-owner']) {
      const browser = await at(login)
      assert.equal((await browser.get(path)).status, 404, login)
      assert.equal((await send(browser, path, { do: 'invite', email: 'x@quay.example', post: 'admin all' }, '/me')).status, 404, login)
      if (login === 'ben-desk') assert.doesNotMatch((await browser.get('/desk')).text, /desk\/team/)
    }
    const stranger = new PlainBrowser(service.stranger)
    assert.match((await stranger.get(path)).headers.location ?? '', /^\/login/)
  })
})
