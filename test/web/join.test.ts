/** An invitation to the staff, from the request to the first page of somebody who has joined. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { draftOf } from '../../src/fields/read.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { createUser } from '../../src/model/people/users.ts'
import { newUser } from '../../src/resources/user.ts'
import { onPageEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { type Mailbox, openMailbox, type ReceivedMail } from '../support/mailbox.ts'
import { makePeople, type PeopleWorld, password } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { startTestService, type TestService } from '../support/service.ts'

onPageEngine('an invitation to the staff', (place) => {
  let [mailbox, service, world, credentials] = [] as unknown as [Mailbox, TestService, PeopleWorld, string]
  before(async () => {
    mailbox = await openMailbox()
    service = await startTestService(place, { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'desk@service.example' })
    world = await makePeople(service.operator)
    const { key, password } = await issueKey(service.operator, world.partnerId, { scopes: ['staff'] })
    credentials = `${key}:${password}`
  })
  after(async () => {
    await service?.stop()
    await mailbox?.close()
  })

  const invite = async (email: string) => {
    const reply = await service.stranger.post('/api/staff.json', { email, role: 'member' }, { credentials })
    assert.equal(reply.status, 201, reply.text)
    assert.doesNotMatch(reply.text, /join|token/, 'the link is in the mail and nowhere else')
    let mail: ReceivedMail | undefined
    await eventually(() => {
      mail ??= mailbox.take(email)[0]
      return mail !== undefined
    })
    assert.ok(mail)
    const path = /http:\/\/[^/]+(\/join\/\S+)/.exec(mail.text)?.[1] ?? assert.fail(mail.text)
    assert.ok(mail.html.includes(path))
    return path
  }
  const join = async (path: string, fields: Record<string, string>) => {
    const browser = new PlainBrowser(service.stranger)
    const form_token = await browser.token(path)
    return { browser, reply: await browser.post(path, { form_token, ...fields }) }
  }

  test('opens a page that asks for a password, and then the sites of all customers', async () => {
    const path = await invite('ben@quay.example')
    const short = await join(path, { name: 'Ben Ålesund', fresh: 'short', again: 'short' })
    assert.equal(short.reply.status, 422)
    assert.match(short.reply.text, /at least 8 characters/)
    assert.match(short.reply.text, /value="Ben Ålesund"/, 'what was typed stays')
    const lines = await join(path, { name: 'Ben\u0007 Ålesund', fresh: 'a good password', again: 'a good password' })
    assert.equal(lines.reply.status, 422)
    assert.match(lines.reply.text, /id="name-wrong"[^>]*>[^<]*one line/)
    const unequal = await join(path, { name: 'Ben', fresh: 'a good password', again: 'another password' })
    assert.match(unequal.reply.text, /not the same/)
    const { browser, reply } = await join(path, { name: 'Ben', fresh: 'a good password', again: 'a good password' })
    assert.deepEqual([reply.status, reply.headers.location], [303, '/'])
    const home = (await browser.get('/?view=list')).text
    assert.match(home, /Hello Ben\./)
    for (const domain of ['chicago', 'evanston', 'oldtown'])
      assert.ok(home.includes(`/sites/${world[domain === 'oldtown' ? 'closed' : (domain as 'chicago')]}/`), domain)
    assert.ok(!home.includes('globex'))
    assert.equal((await browser.get(`/sites/${world.chicago}/share`)).status, 200)
    assert.equal((await browser.get(`/sites/${world.globexSite}/share`)).status, 404)
    assert.equal((await new PlainBrowser(service.stranger).get(path)).status, 410)
  })

  test('takes over the login of a client, whose old password then no longer works', async () => {
    const old = new PlainBrowser(service.stranger)
    await old.logIn('kim-one-site')
    const path = await invite('kim-one-site@people.example')
    const { browser, reply } = await join(path, { name: '', fresh: 'a good password', again: 'a good password' })
    assert.equal(reply.status, 303)
    assert.match((await browser.get('/?view=list')).text, /evanston/)
    assert.match((await old.get('/')).headers.location ?? '', /^\/login/)
    assert.equal((await new PlainBrowser(service.stranger).logIn('kim-one-site')).status, 403)
  })

  test('is no longer mailed once it was withdrawn', async () => {
    const { staff_invitation } = (
      await service.stranger.post('/api/staff.json?dry_run=1', { email: 'dry@quay.example', role: 'admin' }, { credentials })
    ).json() as { staff_invitation: { id: number } }
    assert.equal((await service.stranger.get(`/api/staff_invitations/${staff_invitation.id}.json`, { credentials })).status, 404)
    const path = await invite('fay@quay.example')
    const { staff_invitations } = (await service.stranger.get('/api/staff_invitations.json', { credentials })).json() as {
      staff_invitations: { id: number }[]
    }
    const id = staff_invitations[0]?.id
    assert.equal((await service.stranger.ask('DELETE', `/api/staff_invitations/${id}.json`, { credentials })).status, 200)
    const page = await new PlainBrowser(service.stranger).get(path)
    assert.equal(page.status, 410)
    assert.match(page.text, /no longer works/)
    assert.deepEqual(mailbox.take('dry@quay.example'), [])
  })

  test('leaves the login alone of whoever reads another mailbox of that name', async () => {
    const email = '\uFF4Aoe@quay.example'
    const path = await invite(email)
    const draft = { login: 'joe-there', email: 'joe@quay.example', password, account_id: world.accountId }
    await createUser(service.operator, draftOf(newUser, draft))
    assert.equal((await new PlainBrowser(service.stranger).get(path)).status, 410)
    const again = await service.stranger.post('/api/staff.json', { email, role: 'admin' }, { credentials })
    assert.equal(again.status, 422)
    assert.match(again.text, /"code":"taken"/)
    assert.equal((await new PlainBrowser(service.stranger).logIn('joe-there')).status, 303)
  })
})
