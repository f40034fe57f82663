/** The end of a login, by the person whose it is. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onPageEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { type Mailbox, openMailbox, type ReceivedMail } from '../support/mailbox.ts'
import { makePeople, type PeopleWorld, password } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { staffIn } from '../support/sample-world.ts'
import { startTestService, type TestService } from '../support/service.ts'

onPageEngine('a login that its person deletes', (place) => {
  let [mailbox, service, world] = [] as unknown as [Mailbox, TestService, PeopleWorld]
  before(async () => {
    mailbox = await openMailbox()
    service = await startTestService(place, { MARQUEE_SMTP_URL: mailbox.url, MARQUEE_MAIL_FROM: 'desk@service.example' })
    world = await makePeople(service.operator)
    const partners = service.app.store.db.selectFrom('partners').select('account_id').where('id', '=', world.partnerId)
    await staffIn(service, world.partnerId, (await partners.executeTakeFirstOrThrow()).account_id ?? 0, 'quay')
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
  const end = async (browser: PlainBrowser, fields: Record<string, string> = {}) =>
    browser.post('/me', { form_token: await browser.token('/me'), do: 'end', sure: 'yes', 'end-password': password, ...fields })
  const mailTo = async (address: string): Promise<ReceivedMail> => {
    let mail: ReceivedMail | undefined
    await eventually(() => {
      mail ??= mailbox.take(address)[0]
      return mail !== undefined
    })
    return mail ?? assert.fail(address)
  }
  const stateOf = async (id: number) =>
    (await service.app.store.db.selectFrom('users').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
  const others = (id: number) => service.app.store.db.selectFrom('users').selectAll().where('id', '!=', id).orderBy('id').execute()

  test('ends at once, like a deleted user, and the owner of the account is told', async () => {
    const id = world.users['kim-one-site']
    const browser = await at('kim-one-site')
    const second = await at('kim-one-site')
    const neighbours = await others(id)
    const ended = await end(browser)
    assert.deepEqual([ended.status, ended.headers.location], [303, '/login?session=deleted'])
    assert.match((await browser.get('/login?session=deleted')).text, /role="status">Your login is deleted/)
    assert.equal(await stateOf(id), 'deleted')
    assert.equal((await second.get('/')).status, 303, 'the other session ended too')
    assert.equal((await new PlainBrowser(service.stranger).logIn('kim-one-site')).status, 403)
    const { subject, text } = await mailTo('dana-owner@people.example')
    assert.match(subject, /kim-one-site has left/)
    assert.match(text, /can no longer see anything there/)
    assert.deepEqual(await others(id), neighbours)
    const abilities = await service.app.store.db.selectFrom('abilities').select('scope_id').where('user_id', '=', id).execute()
    assert.deepEqual(abilities, [])
  })

  test('of the owner is told to an admin of the partner, and the account then has no owner', async () => {
    await end(await at('dana-owner'))
    assert.match((await mailTo('cara-quay@staff.example')).subject, /has left/)
    const { owner_id } = await service.app.store.db
      .selectFrom('accounts')
      .select('owner_id')
      .where('id', '=', world.accountId)
      .executeTakeFirstOrThrow()
    assert.equal(owner_id, null)
  })

  test('is kept where the password is wrong, nothing was ticked, or the person is staff', async () => {
    const browser = await at('lee-business')
    assert.match((await end(browser, { 'end-password': 'wrong' })).text, /role="alert">This is not your password/)
    assert.match((await end(browser, { sure: '' })).text, /role="alert">Tick that you want to delete/)
    assert.equal(await stateOf(world.users['lee-business']), 'active')
    const staff = await at('cara-quay')
    assert.match((await staff.get('/me')).text, /an admin removes you from the team first/)
    const refused = await end(staff)
    assert.deepEqual([refused.status, /You work at the desk/.test(refused.text)], [422, true])
    assert.equal((await staff.get('/desk')).status, 200)
  })
})
