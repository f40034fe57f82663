/** A new email of a person: asked for at `/me`, confirmed at the new address, told to the old. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSchedule } from '../../src/model/mail/schedules.ts'
import { onPageEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { type Mailbox, openMailbox, type ReceivedMail } from '../support/mailbox.ts'
import { loginToken, makePeople, type PeopleWorld, password } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { startTestService, type TestService } from '../support/service.ts'

onPageEngine('a new email', (place) => {
  let [mailbox, service, world] = [] as unknown as [Mailbox, TestService, PeopleWorld]
  before(async () => {
    mailbox = await openMailbox()
    service = await startTestService(place, { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'desk@service.example' })
    world = await makePeople(service.operator)
  })
  after(async () => {
    await service?.stop()
    await mailbox?.close()
  })

  const at = async (name: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(name)).status, 303)
    return browser
  }
  const ask = async (browser: PlainBrowser, email: string, current = password) =>
    browser.post('/me', { form_token: await browser.token('/me'), do: 'email', email, current })
  const mailTo = async (address: string): Promise<ReceivedMail> => {
    let mail: ReceivedMail | undefined
    await eventually(() => {
      mail ??= mailbox.take(address)[0]
      return mail !== undefined
    })
    return mail ?? assert.fail(address)
  }
  const linkTo = async (address: string) => {
    const { text, html } = await mailTo(address)
    const path = /http:\/\/[^/]+(\/email\/\S+)/.exec(text)?.[1] ?? assert.fail(text)
    assert.ok(html.includes(path))
    return path
  }
  const press = async (path: string) => {
    const stranger = new PlainBrowser(service.stranger)
    return stranger.post(path, { form_token: await stranger.token() })
  }
  const userOf = (id: number) =>
    service.app.store.db.selectFrom('users').select(['email', 'login']).where('id', '=', id).executeTakeFirstOrThrow()
  const others = (id: number) => service.app.store.db.selectFrom('users').selectAll().where('id', '!=', id).orderBy('id').execute()

  test('is taken once its mail is confirmed; the old address is told, reports follow, and links to the old address end', async () => {
    const id = world.users['kim-one-site']
    const old = 'kim-one-site@people.example'
    const schedule = { rhythm: 'weekly', siteIds: null } as const
    await createSchedule(service.operator, world.accountId, { ...schedule, recipients: [old, 'dana-owner@people.example'] })
    assert.match((await mailTo(old)).subject, /confirm/i)
    const browser = await at('kim-one-site')
    const neighbours = await others(id)
    const asked = await ask(browser, 'kim@new.example')
    assert.deepEqual([asked.status, asked.headers.location], [303, '/me?asked'])
    assert.match((await browser.get('/me?asked')).text, /A mail is on its way[\s\S]*The mail to kim@new\.<wbr>example waits/)
    assert.deepEqual(await userOf(id), { email: old, login: 'kim-one-site' }, 'nothing changes before')
    const path = await linkTo('kim@new.example')
    assert.equal((await new PlainBrowser(service.stranger).get(path)).status, 200, 'mail scanners open every link')
    const link = await loginToken(service.operator, id)
    const done = await press(path)
    assert.equal(done.status, 200, done.text)
    assert.deepEqual(await userOf(id), { email: 'kim@new.example', login: 'kim-one-site' })
    const told = await mailTo(old)
    assert.match(told.subject, /was changed/)
    assert.doesNotMatch(told.text, /new\.example/, 'the old mailbox may be of somebody else by now')
    const recipients = await service.app.store.db.selectFrom('report_recipients').select('email').orderBy('email').execute()
    assert.deepEqual(
      recipients.map(({ email }) => email),
      ['dana-owner@people.example', 'kim@new.example'],
    )
    assert.equal((await new PlainBrowser(service.stranger).get(`/login-link/${link}`)).status, 410)
    assert.equal((await press(path)).status, 410, 'used once')
    assert.equal((await at('kim@new.example')).cookies.size > 0, true)
    assert.deepEqual(await others(id), neighbours)
  })

  test('becomes the login where the login was the old one', async () => {
    const id = world.users['rosa-account']
    await service.app.store.write(async (tx) => {
      await tx.updateTable('users').set({ login: 'rosa-account@people.example' }).where('id', '=', id).execute()
      await tx.deleteFrom('user_names').where('name', '=', 'rosa-account').execute()
    })
    await ask(await at('rosa-account@people.example'), 'rosa@new.example')
    assert.equal((await press(await linkTo('rosa@new.example'))).status, 200)
    assert.deepEqual(await userOf(id), { email: 'rosa@new.example', login: 'rosa@new.example' })
    const names = await service.app.store.db.selectFrom('user_names').select('name').where('user_id', '=', id).execute()
    assert.deepEqual(names, [{ name: 'rosa@new.example' }])
    assert.equal((await new PlainBrowser(service.stranger).logIn('rosa-account@people.example')).status, 403)
  })

  test('that somebody else has is told only to who reads its mail, and changes nothing', async () => {
    const id = world.users['lee-business']
    const before = await userOf(id)
    const asked = await ask(await at('lee-business'), 'gina-globex@people.example')
    assert.deepEqual([asked.status, asked.headers.location], [303, '/me?asked'])
    const taken = await press(await linkTo('gina-globex@people.example'))
    assert.deepEqual([taken.status, /Another login has this address/.test(taken.text)], [422, true])
    assert.deepEqual(await userOf(id), before)
  })

  test('is refused with a wrong password, an address that is none, and the same one; what was typed stays', async () => {
    const browser = await at('lee-business')
    const wrong = await ask(browser, 'lee@new.example', 'wrong')
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /role="alert">This is not your password/)
    assert.match(wrong.text, /id="email"[^>]*value="lee@new\.example"/)
    assert.match((await ask(browser, 'lee at home')).text, /role="alert">This is no email address/)
    assert.match((await ask(browser, 'LEE-business@people.example')).text, /This is your address already/)
    assert.equal((await userOf(world.users['lee-business'])).email, 'lee-business@people.example')
  })

  test('asked for anew replaces the one that waited, and a new password ends it', async () => {
    const browser = await at('lee-business')
    await ask(browser, 'first@new.example')
    const first = await linkTo('first@new.example')
    await ask(browser, 'meanwhile@new.example')
    await ask(browser, 'second@new.example')
    const second = await linkTo('second@new.example')
    assert.equal((await press(first)).status, 410)
    for (const { text } of mailbox.take('meanwhile@new.example')) {
      const [, path = ''] = /http:\/\/[^/]+(\/email\/\S+)/.exec(text) ?? []
      assert.doesNotMatch((await new PlainBrowser(service.stranger).get(path)).text, /second@new/)
    }
    const form_token = await browser.token('/password')
    const fresh = 'another good password'
    assert.equal((await browser.post('/password', { form_token, current: password, fresh, again: fresh })).status, 303)
    assert.equal((await press(second)).status, 410)
    assert.equal((await userOf(world.users['lee-business'])).email, 'lee-business@people.example')
  })

  test('a forged link and one of a day ago open nothing', async () => {
    const id = world.users['kim-one-site']
    const browser = await at('kim-one-site')
    await ask(browser, 'late@new.example')
    const path = await linkTo('late@new.example')
    assert.equal((await press(`${path.slice(0, -1)}${path.endsWith('0') ? '1' : '0'}`)).status, 410)
    assert.equal((await press(path.replace(`/${id}.`, `/${world.users['rosa-account']}.`))).status, 410)
    await service.app.store.write((tx) => tx.updateTable('email_changes').set({ expires_at: '2020-01-01T00:00:00Z' }).execute())
    assert.equal((await press(path)).status, 410)
  })

  test('cannot be asked for ever', async () => {
    const browser = await at('dana-owner')
    for (let time = 0; time < 3; time += 1) assert.equal((await ask(browser, 'again@new.example')).status, 303)
    const refused = await ask(browser, 'again@new.example')
    assert.deepEqual([refused.status, /wait until tomorrow/.test(refused.text)], [422, true])
    for (let time = 0; time < 6; time += 1) await ask(browser, `other-${time}@new.example`)
    assert.match((await ask(browser, 'one-more@new.example')).text, /wait a quarter of an hour/)
  })
})
