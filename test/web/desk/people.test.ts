/** People of a customer at the desk: invited with what they may see, and changed, by whoever reaches both. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { updateAbilities } from '../../../src/model/people/abilities.ts'
import { personInvitationToken } from '../../../src/model/people/keepers/people-invitations.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { type Mailbox, openMailbox, type ReceivedMail } from '../../support/mailbox.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'

onPageEngine('people of a customer', (place) => {
  let mailbox: Mailbox
  const env: Record<string, string> = { MARQUEE_MAIL_FROM: 'desk@service.example' }
  before(async () => {
    mailbox = await openMailbox()
    env['MARQUEE_SMTP_URL'] = mailbox.url
  })
  after(() => mailbox?.close())
  const { service, agency, at, send } = agencyOn(place, env)
  const db = () => service.app.store.db
  const customer = () => `/desk/customers/${agency.world.accountId}`
  const pageOf = (id: number) => `${customer()}/people/${id}`
  const abilities = async (user_id: number) =>
    (
      await db().selectFrom('abilities').select(['scope_type', 'scope_id']).where('user_id', '=', user_id).orderBy('scope_id').execute()
    ).map(({ scope_type, scope_id }) => `${scope_type}:${scope_id}`)
  const idOf = async (email: string) => (await db().selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())?.id ?? 0
  const mailTo = async (address: string): Promise<ReceivedMail> => {
    let mail: ReceivedMail | undefined
    await eventually(() => {
      mail ??= mailbox.take(address)[0]
      return mail !== undefined
    })
    return mail ?? assert.fail('no mail came')
  }
  const wasIn = (text: string) => /name="was" value="([\w-]{22})"/.exec(text)?.[1] ?? ''

  const linkIn = ({ text }: ReceivedMail) => /http:\/\/[^/]+(\/invitation\/\S+)/.exec(text)?.[1] ?? assert.fail(text)
  const accept = async (path: string, client = new PlainBrowser(service.stranger)) => {
    const secret = 'a good password'
    const reply = await client.post(path, { form_token: await client.token(path), name: 'Nora New', fresh: secret, again: secret })
    return { client, reply }
  }
  const invited = (email: string) =>
    db().selectFrom('people_invitations').selectAll().where('email', '=', email).where('ended', 'is', null).executeTakeFirstOrThrow()
  const invitationOf = async (email: string) => String((await invited(email)).id)
  const linkOf = async (email: string) => `/invitation/${personInvitationToken(service.app, await invited(email))}`

  test('are invited by mail, choose a password, and see what was opened to them', async () => {
    const browser = await at('ben-desk')
    const form = { do: 'invite', email: 'new@harbor.example', sees: `Site:${agency.world.evanston}`, edits: 'yes' }
    assert.equal((await send(browser, customer(), form)).headers.location, `${customer()}?done=invited`)
    const { text } = await browser.get(`${customer()}?done=invited`)
    for (const said of ['a mail with a link is on its way', 'new@harbor.example', 'evanston.harbor.example; may also share'])
      assert.ok(text.includes(said), said)
    assert.equal(await idOf('new@harbor.example'), 0, 'nobody is made before')
    const mail = await mailTo('new@harbor.example')
    assert.match(mail.text, /ben-desk invites you to see dashboards of Harbor Dental/)
    const path = linkIn(mail)
    const { client, reply } = await accept(path)
    assert.equal(reply.headers.location, '/', reply.text)
    assert.equal((await client.get(`/sites/${agency.world.evanston}/search`)).status, 200)
    assert.equal((await client.get(`/sites/${agency.world.chicago}/search`)).status, 404)
    assert.equal((await client.get(path)).status, 410, 'the link works once')
    assert.match((await browser.get(customer())).text, /Nora New/)
    const actors = db().selectFrom('audit_entries').select('actor').where('action', '=', 'account.invite')
    assert.equal((await actors.executeTakeFirstOrThrow()).actor, `user:${agency.staff.ben}`)
  })

  test('are invited again, and no more once it is withdrawn or whoever invited them no longer looks after the customer', async () => {
    const mia = await at('mia-desk')
    const assign = (looked_after_by: number | null) =>
      service.app.store.write((tx) =>
        tx.updateTable('accounts').set({ looked_after_by }).where('id', '=', agency.world.accountId).execute(),
      )
    await assign(agency.staff.mia)
    const sees = `Site:${agency.world.evanston}`
    await send(mia, customer(), { do: 'invite', email: 'late@harbor.example', sees })
    const first = await linkOf('late@harbor.example')
    const again = { do: 'again', invitation: await invitationOf('late@harbor.example') }
    assert.equal((await send(mia, customer(), again)).headers.location, `${customer()}?done=invited`)
    const second = await linkOf('late@harbor.example')
    assert.notEqual(first, second)
    const stranger = new PlainBrowser(service.stranger)
    assert.match((await stranger.get(first)).text, /A newer mail has replaced it/)
    assert.equal((await stranger.get(second)).status, 200)
    await assign(null)
    assert.match((await stranger.get(second)).text, /may no longer invite you/)
    const ben = await at('ben-desk')
    const waiting = await invitationOf('late@harbor.example')
    assert.equal((await send(mia, customer(), { do: 'withdraw', invitation: waiting }, '/me')).status, 404)
    assert.equal((await send(ben, customer(), { do: 'withdraw', invitation: '999999' })).status, 404)
    assert.equal((await send(ben, customer(), { do: 'withdraw', invitation: waiting })).headers.location, `${customer()}?done=withdrawn`)
    await assign(agency.staff.mia)
    assert.match((await stranger.get(second)).text, /It was withdrawn/)
    assert.equal(await idOf('late@harbor.example'), 0)
    await assign(null)
  })

  test('are refused with what was typed, and the page says the same whoever has the address', async () => {
    const browser = await at('ben-desk')
    const sees = `Site:${agency.world.evanston}`
    for (const [email, said] of [
      ['', 'Please type an email address.'],
      ['no <b>body', 'This is no email address.'],
      ['mia-desk@quay.example', 'This is a colleague of yours'],
    ] as const) {
      const refused = await send(browser, customer(), { do: 'invite', email, sees })
      assert.equal(refused.status, 422, email)
      assert.ok(refused.text.includes(said), said)
      assert.ok(refused.text.includes(`value="${email.replace('<b>', '&lt;b&gt;')}"`))
    }
    for (const there of [`Site:${agency.world.globexSite}`, 'Account:1', 'Business:999999']) {
      const refused = await send(browser, customer(), { do: 'invite', email: 'x@harbor.example', sees: there })
      assert.match(refused.text, /This is no longer there/, there)
    }
    const told = new Set<string>()
    for (const email of ['gina-globex@people.example', 'nobody@harbor.example', 'kim-one-site@people.example']) {
      const { status, headers } = await send(browser, customer(), { do: 'invite', email, sees })
      told.add(`${status} ${headers.location}`)
    }
    assert.equal(told.size, 1)
    const foreign = await mailTo('gina-globex@people.example')
    assert.match(foreign.text, /another address/)
    assert.doesNotMatch(foreign.text + foreign.html, /\/invitation\/|Globex/)
    for (const email of ['nobody@harbor.example', 'kim-one-site@people.example']) linkIn(await mailTo(email))
  })

  test('of another customer add it to their login, and mia, who does not look after that one, learns nothing', async () => {
    const other = (await createAccount(service.operator, agency.world.partnerId, 'Sunrise')).id
    const draft = { login: 'sue-sunrise', email: 'sue@sunrise.example', password: 'the password of the key', account_id: other }
    const { id: sue } = await createUser(service.operator, draftOf(newUser, draft))
    await service.app.store.write((tx) =>
      tx.updateTable('accounts').set({ looked_after_by: agency.staff.mia }).where('id', '=', agency.world.accountId).execute(),
    )
    const mia = await at('mia-desk')
    const form = { do: 'invite', email: 'sue@sunrise.example', sees: `Site:${agency.world.chicago}` }
    assert.equal((await send(mia, customer(), form)).headers.location, `${customer()}?done=invited`)
    assert.deepEqual(await abilities(sue), [], 'nothing before she accepts')
    assert.equal((await accept(await linkOf('sue@sunrise.example'))).reply.status, 303)
    assert.deepEqual(await abilities(sue), [`Site:${agency.world.chicago}`])
    assert.equal(
      (await new PlainBrowser(service.stranger).logIn('sue-sunrise', draft.password)).status,
      403,
      'whoever made the login gains nothing',
    )
    assert.match((await mia.get(pageOf(sue))).text, /They belong to a customer whom you do not look after/)
    assert.equal((await send(mia, pageOf(sue), { was: 'x' }, customer())).status, 404)
    const browser = await at('ben-desk')
    await service.app.store.write((tx) =>
      tx.insertInto('abilities').values({ user_id: sue, key: 'show', scope_type: 'Account', scope_id: other }).execute(),
    )
    const { text } = await browser.get(pageOf(sue))
    assert.equal((await send(browser, pageOf(sue), { was: wasIn(text) })).status, 303)
    assert.deepEqual(await abilities(sue), [`Account:${other}`], 'what they see elsewhere stays')
  })

  test('who have a login of a program are mailed a link until they have logged in, but not too often', async () => {
    const browser = await at('ben-desk')
    const draft = { login: 'pat-harbor', email: 'pat@harbor.example', password: 'a good password', account_id: agency.world.accountId }
    const { id } = await createUser(service.operator, draftOf(newUser, draft))
    assert.match((await browser.get(pageOf(id))).text, /They have not logged in yet/)
    for (const n of [1, 2, 3]) {
      assert.equal((await send(browser, pageOf(id), { do: 'again' })).headers.location, `${pageOf(id)}?done=invited`)
      await service.app.store.write((tx) =>
        tx
          .updateTable('mails')
          .set({ key: `welcome ${n}` })
          .where('key', 'like', `welcome:${id}:%`)
          .execute(),
      )
    }
    const often = await send(browser, pageOf(id), { do: 'again' })
    assert.equal(often.status, 422)
    assert.match(often.text, /has been invited 3 times within a day/)
    const known = agency.world.users['kim-one-site']
    await service.app.store.write((tx) => tx.updateTable('users').set({ state: 'active' }).where('id', '=', known).execute())
    assert.doesNotMatch((await browser.get(pageOf(known))).text, /not logged in yet/)
    assert.match((await send(browser, pageOf(known), { do: 'again' })).text, /has logged in already/)
  })

  test('are made the owner, unless somebody else was meanwhile', async () => {
    const { accountId, users } = agency.world
    const [dana, rosa, kim] = [users['dana-owner'], users['rosa-account'], users['kim-one-site']]
    const ownerNow = async () =>
      (await db().selectFrom('accounts').select('owner_id').where('id', '=', accountId).executeTakeFirstOrThrow()).owner_id
    const ben = await at('ben-desk')
    assert.match((await ben.get(pageOf(rosa))).text, /dana-owner owns it now/)
    const form = { do: 'own', owner: String(dana) }
    assert.equal((await send(ben, pageOf(rosa), form)).headers.location, `${pageOf(rosa)}?done=owner`)
    assert.equal(await ownerNow(), rosa)
    assert.ok((await abilities(dana)).includes(`Account:${accountId}`), 'who owned it goes on seeing everything')
    assert.match((await (await at('dana-owner')).get('/people')).text, /value="invite"/, 'and may invite')
    assert.doesNotMatch((await ben.get(pageOf(rosa))).text, /value="own"/)
    assert.match((await send(ben, pageOf(kim), form)).text, /changed this meanwhile/)
    assert.equal(
      (await send(await at('mia-desk'), pageOf(kim), { do: 'own', owner: String(rosa) }, '/me')).status,
      303,
      'mia looks after it',
    )
    assert.equal(await ownerNow(), kim)
    assert.equal((await send(await at('rosa-account'), pageOf(rosa), { do: 'own', owner: String(kim) }, '/me')).status, 404)
    assert.equal((await send(ben, pageOf(dana), { do: 'own', owner: String(kim) })).status, 303)
  })

  test('are changed by ticking, unless somebody did meanwhile', async () => {
    const { accountId, users, evanston } = agency.world
    const lee = users['lee-business']
    const browser = await at('ben-desk')
    const { text } = await browser.get(pageOf(lee))
    const [held] = await abilities(lee)
    assert.match(text, new RegExp(`value="${held}" checked`))
    const was = wasIn(text)
    const saved = await send(browser, pageOf(lee), { was, sees: `Site:${evanston}`, edits: 'yes' })
    assert.equal(saved.headers.location, `${pageOf(lee)}?done=changed`)
    assert.deepEqual(await abilities(lee), [`Site:${evanston}`])
    const late = await send(browser, pageOf(lee), { was, sees: `Account:${accountId}` })
    assert.equal(late.status, 422)
    assert.match(late.text, /changed this meanwhile/)
    assert.match(late.text, new RegExp(`value="Site:${evanston}" checked`), 'as it is now')
    assert.deepEqual(await abilities(lee), [`Site:${evanston}`])
    const now = wasIn((await browser.get(pageOf(lee))).text)
    for (const sees of [`Site:${agency.world.globexSite}`, 'Business:999999'])
      assert.equal((await send(browser, pageOf(lee), { was: now, sees })).status, 404, sees)
    assert.equal((await send(browser, pageOf(lee), { was: now })).status, 303)
    assert.deepEqual(await abilities(lee), [])
    assert.match((await browser.get(customer())).text, /nothing yet/)
  })

  test('are suspended and let in again, and lose their login for good, unless somebody did meanwhile', async () => {
    const { users, chicago } = agency.world
    const kim = users['kim-one-site']
    const ben = await at('ben-desk')
    const client = await at('kim-one-site')
    const stateOf = async (id: number) => (await db().selectFrom('users').select('state').where('id', '=', id).executeTakeFirst())?.state
    assert.equal((await client.get(`/sites/${chicago}/search`)).status, 200)
    assert.equal((await send(ben, pageOf(kim), { do: 'suspend', was: 'open client' })).headers.location, `${pageOf(kim)}?done=changed`)
    assert.equal(await stateOf(kim), 'suspended')
    assert.equal((await client.get(`/sites/${chicago}/search`)).status, 303, 'logged out')
    const late = await send(ben, pageOf(kim), { do: 'end', was: 'open client', sure: 'yes' })
    assert.deepEqual([late.status, /changed this meanwhile/.test(late.text), await stateOf(kim)], [422, true, 'suspended'])
    assert.match((await ben.get(pageOf(kim))).text, /Let them in again/)
    assert.equal((await send(ben, pageOf(kim), { do: 'unsuspend', was: 'suspended client' })).status, 303)
    assert.notEqual(await stateOf(kim), 'suspended')

    const unsure = await send(ben, pageOf(kim), { do: 'end', was: 'open client' })
    assert.deepEqual([unsure.status, /please tick that as well/.test(unsure.text), (await stateOf(kim)) === 'deleted'], [422, true, false])
    const ended = await send(ben, pageOf(kim), { do: 'end', was: 'open client', sure: 'yes' })
    assert.equal(ended.headers.location, `${customer()}?done=ended#people`)
    assert.equal(await stateOf(kim), 'deleted')
    assert.equal((await ben.get(pageOf(kim))).status, 404)
  })

  test('of another customer keep their login: it is changed at the page of that one', async () => {
    const { users } = agency.world
    const ben = await at('ben-desk')
    await send(ben, '/desk/add', { name: 'Elm', domain: 'elm.example', email: 'erin@elm.example' })
    const erin = await idOf('erin@elm.example')
    const all = { key: 'show', scope_type: 'Account', scope_id: agency.world.accountId } as const
    await updateAbilities(service.operator, erin, { entries: [all], faults: [] }, 'merge')
    assert.doesNotMatch((await ben.get(pageOf(erin))).text, /value="suspend"/)
    for (const act of ['suspend', 'end'])
      assert.equal((await send(ben, pageOf(erin), { do: act, was: 'open client', sure: 'yes' })).status, 404, act)
    const client = await at('dana-owner')
    const suspended = await send(client, pageOf(users['lee-business']), { do: 'suspend', was: 'open client' }, '/password')
    assert.equal(suspended.status, 404)
  })

  test('are nobody’s to change but those who look after the customer', async () => {
    const { users, accountId } = agency.world
    const lee = users['lee-business']
    const elsewhere = `/desk/customers/${agency.home}/people/${lee}`
    const ben = await at('ben-desk')
    assert.equal((await ben.get(elsewhere)).status, 404)
    for (const id of [agency.staff.mia, users['gina-globex'], 999_999]) assert.equal((await ben.get(pageOf(id))).status, 404)
    await service.app.store.write((tx) => tx.updateTable('accounts').set({ looked_after_by: null }).where('id', '=', accountId).execute())
    const mia = await at('mia-desk')
    const client = await at('dana-owner')
    for (const browser of [mia, client]) {
      assert.equal((await browser.get(pageOf(lee))).status, 404)
      const invited = await send(browser, customer(), { do: 'invite', email: 'y@harbor.example', sees: '' }, '/password')
      assert.equal(invited.status, 404)
      assert.equal((await send(browser, pageOf(lee), { was: '', sees: `Account:${accountId}` }, '/password')).status, 404)
      assert.equal((await send(browser, pageOf(lee), { do: 'end', was: 'open client', sure: 'yes' }, '/password')).status, 404)
    }
    assert.equal(await idOf('y@harbor.example'), 0)
    assert.equal((await send(ben, customer(), { do: 'nonsense' })).status, 404)
  })
})

onPageEngine('people of a customer where no mail is sent', (place) => {
  const { service, agency, at, send } = agencyOn(place)

  test('get a link by hand, which the page tells once', async () => {
    const path = `/desk/customers/${agency.world.accountId}`
    const browser = await at('ben-desk')
    const { headers } = await send(browser, path, { do: 'invite', email: 'new@harbor.example', sees: '' })
    const page = headers.location ?? ''
    assert.match(page, /\/people\/\d+$/)
    const first = (await browser.get(page)).text
    const link = /<code>http:\/\/[^/]+(\/login-link\/[\w-]+)<\/code>/.exec(first)?.[1] ?? assert.fail(first)
    assert.doesNotMatch((await browser.get(page)).text, /<code>/, 'a second look does not tell it')
    const client = new PlainBrowser(service.stranger)
    assert.equal((await client.post(link, { form_token: await client.token(link) })).headers.location, '/password')
    assert.equal((await send(browser, page, { do: 'link' })).status, 303)
  })
})
