/** People of an account invite each other, take access away and hand the account over; everybody else reads whom to ask. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { draftOf } from '../../src/fields/read.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { listAbilities, updateAbilities } from '../../src/model/people/abilities.ts'
import { addEditor, listEditors, removeEditor } from '../../src/model/people/staff/editors.ts'
import { suspendUser, unsuspendUser } from '../../src/model/people/user-states.ts'
import { createUser } from '../../src/model/people/users.ts'
import { newUser } from '../../src/resources/user.ts'
import { onPageEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { type Mailbox, openMailbox, type ReceivedMail } from '../support/mailbox.ts'
import { makePeople, type PeopleWorld, password } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { startTestService, type TestService } from '../support/service.ts'

onPageEngine('the people of an account', (place) => {
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

  const entered = new Map<string, PlainBrowser>()
  const enter = async (login: string, secret = password) => {
    const known = entered.get(`${login} ${secret}`)
    if (known !== undefined) return known
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login, secret)).status, 303, login)
    entered.set(`${login} ${secret}`, browser)
    return browser
  }
  const send = async (browser: PlainBrowser, fields: Record<string, string>) =>
    browser.post('/people', { form_token: await browser.token('/people'), ...fields })
  const mailTo = async (email: string): Promise<ReceivedMail> => {
    let mail: ReceivedMail | undefined
    await eventually(() => {
      mail ??= mailbox.take(email)[0]
      return mail !== undefined
    })
    return mail ?? assert.fail(email)
  }
  const linkIn = ({ text }: ReceivedMail) => /http:\/\/[^/]+(\/invitation\/\S+)/.exec(text)?.[1] ?? assert.fail(text)
  const invited = async (browser: PlainBrowser, email: string, sees: string, more: Record<string, string> = {}) => {
    const reply = await send(browser, { do: 'invite', email, sees, ...more })
    assert.equal(reply.status, 303, reply.text)
    return linkIn(await mailTo(email.toLowerCase()))
  }
  const follow = async (path: string, fields: Record<string, string> = {}, browser = new PlainBrowser(service.stranger)) => {
    const secret = 'a good password'
    const reply = await browser.post(path, { form_token: await browser.token(path), name: '', fresh: secret, again: secret, ...fields })
    return { browser, reply }
  }
  const sees = async (userId: number) =>
    (await listAbilities(service.operator, userId)).map(({ scope_type, scope_id }) => `${scope_type} ${scope_id}`)
  const made = 'the password of the key'
  const idOf = async (email: string) =>
    (await service.app.store.db.selectFrom('user_names').select('user_id').where('name', '=', email).executeTakeFirst())?.user_id

  test('are listed with what they see, and only the owner and editors have forms', async () => {
    const [dana, kim] = [await enter('dana-owner'), await enter('kim-one-site')]
    const own = (await dana.get('/people')).text
    for (const words of [
      'everything of Harbor Dental, as its owner',
      'chicago.harbor.example',
      'all sites of Harbor Dental Evanston',
      'lee-business',
    ])
      assert.ok(own.includes(words), words)
    assert.match(own, /value="invite"/)
    const other = (await kim.get('/people')).text
    assert.match(other, /Ask dana-owner to invite someone\./)
    assert.doesNotMatch(other, /name="do"|@people\.example|evanston|lee-business|newcomer/i, 'nothing of what Kim does not see')
    assert.match(other, /rosa-account/)
    const search = /Find a site|All sites/
    assert.doesNotMatch(other + (await kim.get(`/sites/${world.chicago}/search`)).text, search, 'one site is all there is')
    assert.match(own, search)
    const refused = await send(kim, { do: 'invite', email: 'a@b.example', sees: `Site:${world.chicago}` })
    assert.equal(refused.status, 403)
    for (const account of [999_999_999, world.accountId + 1]) assert.equal((await kim.get(`/people?account=${account}`)).status, 404)
  })

  test('get a login when they accept, once', async () => {
    const dana = await enter('dana-owner')
    const before = await idOf('new@clinic.example')
    const path = await invited(dana, 'New@clinic.example', `Site:${world.evanston}`, { edits: 'yes' })
    assert.equal(before, undefined)
    assert.equal(await idOf('new@clinic.example'), undefined, 'nobody is made before')
    assert.match((await dana.get('/people')).text, /evanston\.harbor\.example; may also share/)
    const unequal = await follow(path, { name: 'Nia', again: 'another password' })
    assert.match(unequal.reply.text, /not the same/)
    assert.match(unequal.reply.text, /value="Nia"/, 'what was typed stays')
    const { browser, reply } = await follow(path, { name: 'Nia' })
    assert.deepEqual([reply.status, reply.headers.location], [303, '/'], reply.text)
    const id = (await idOf('new@clinic.example')) ?? 0
    assert.deepEqual(await sees(id), [`Site ${world.evanston}`])
    assert.ok((await listEditors(service.operator, world.accountId)).some(({ user_id }) => user_id === id))
    assert.equal((await browser.get(`/sites/${world.evanston}/search`)).status, 200)
    assert.equal((await browser.get(`/sites/${world.chicago}/search`)).status, 404)
    const again = await new PlainBrowser(service.stranger).get(path)
    assert.equal(again.status, 410)
    assert.match(again.text, /used already/)
    await removeEditor(service.operator, world.accountId, id)
  })

  test('who have a login at the partner prove it, or choose a new password', async () => {
    const draft = draftOf(newUser, { login: 'elsewhere', email: 'known@quay.example', password: made, account_id: await otherAccount() })
    const { id } = await createUser(service.operator, draft)
    const dana = await enter('dana-owner')
    const path = await invited(dana, 'known@quay.example', `Site:${world.chicago}`)
    assert.match((await new PlainBrowser(service.stranger).get(path)).text, /Your login <strong>elsewhere<\/strong> gets a new password/)
    const old = await enter('elsewhere', made)
    assert.equal((await follow(path)).reply.status, 303)
    assert.equal((await new PlainBrowser(service.stranger).logIn('elsewhere', made)).status, 403, 'whoever made the login gains nothing')
    assert.match((await old.get('/')).headers.location ?? '', /^\/login/)
    assert.deepEqual(await sees(id), [`Site ${world.chicago}`])
    const here = await enter('elsewhere', 'a good password')
    const more = await invited(dana, 'known@quay.example', `Site:${world.evanston}`)
    assert.match((await here.get(more)).text, /Add it to my login/)
    assert.equal((await follow(more, {}, here)).reply.status, 303)
    assert.deepEqual((await sees(id)).toSorted(), [`Site ${world.chicago}`, `Site ${world.evanston}`].toSorted())
    await enter('elsewhere', 'a good password')
  })

  test('keep their login when another mailbox has the same name here', async () => {
    const typed = '\uFF4Aoe@quay.example'
    const account_id = await otherAccount()
    const path = await invited(await enter('dana-owner'), typed, `Site:${world.chicago}`)
    const draft = { login: 'joe-there', email: 'joe@quay.example', password: made, account_id }
    const { id } = await createUser(service.operator, draftOf(newUser, draft))
    const joe = await enter('joe-there', made)
    const reply = await joe.post(path, { form_token: await joe.token('/me'), fresh: 'a good password', again: 'a good password' })
    assert.equal(reply.status, 422)
    assert.match(reply.text, /cannot be used for it/)
    await send(await enter('dana-owner'), { do: 'invite', email: typed, sees: `Site:${world.chicago}` })
    assert.doesNotMatch((await mailTo(typed)).text, /\/invitation\//)
    assert.deepEqual(await sees(id), [])
  })

  test('read the same page whoever has the address, and only its mail says so', async () => {
    const dana = await enter('dana-owner')
    const told = new Set<string>()
    const addresses = ['gina-globex@people.example', 'nobody@quay.example', 'kim-one-site@people.example']
    for (const email of addresses) {
      const reply = await send(dana, { do: 'invite', email, sees: `Site:${world.chicago}` })
      const page = await dana.get(reply.headers.location ?? '')
      told.add(`${reply.status} ${page.text.match(/<p class="notice"[^>]*>[^<]*/)?.[0]}`)
    }
    assert.equal(told.size, 1)
    const foreign = await mailTo('gina-globex@people.example')
    assert.match(foreign.text, /another address/)
    assert.doesNotMatch(foreign.text + foreign.html, /\/invitation\/|Globex/)
    assert.match((await mailTo('nobody@quay.example')).text, /\/invitation\//)
    await mailTo('kim-one-site@people.example')
  })

  test('lose the invitation with the right of its maker, and with its end they read why', async () => {
    const [lee, kim] = [world.users['lee-business'], world.users['kim-one-site']]
    await addEditor(service.operator, world.accountId, lee)
    const editor = await enter('lee-business')
    const page = (await editor.get('/people')).text
    assert.doesNotMatch(page, /name="edits"|chicago/, 'an editor gives what they see')
    for (const scope of [`Site:${world.chicago}`, `Account:${world.accountId}`, `Site:${world.globexSite}`])
      assert.match(
        (await send(editor, { do: 'invite', email: 'x@quay.example', sees: scope })).text,
        /no longer there; please choose again/,
        scope,
      )
    assert.equal((await send(editor, { do: 'invite', email: 'x@quay.example', sees: `Site:${world.evanston}`, edits: 'yes' })).status, 403)
    const path = await invited(editor, 'fay@quay.example', `Site:${world.evanston}`)
    await removeEditor(service.operator, world.accountId, lee)
    assert.match((await new PlainBrowser(service.stranger).get(path)).text, /may no longer invite you/)
    await addEditor(service.operator, world.accountId, lee)
    assert.equal((await new PlainBrowser(service.stranger).get(path)).status, 200)
    await suspendUser(service.operator, lee)
    assert.equal((await new PlainBrowser(service.stranger).get(path)).status, 410)
    await unsuspendUser(service.operator, lee)
    const dana = await enter('dana-owner')
    const form = /name="invitation" value="(\d+)"(?=.*?fay@quay)/s
    const list = (await dana.get('/people')).text
    const id = form.exec(list.slice(list.indexOf('fay@quay')))?.[1] ?? ''
    assert.equal((await send(await enter('kim-one-site'), { do: 'withdraw', invitation: id })).status, 404)
    assert.equal((await send(dana, { do: 'again', invitation: id })).status, 303)
    const fresh = linkIn(await mailTo('fay@quay.example'))
    assert.match((await new PlainBrowser(service.stranger).get(path)).text, /A newer mail has replaced it/)
    const [again] = await waiting('fay@quay.example')
    assert.equal((await send(dana, { do: 'withdraw', invitation: String(again?.id) })).status, 303)
    assert.match((await new PlainBrowser(service.stranger).get(fresh)).text, /It was withdrawn/)
    await removeEditor(service.operator, world.accountId, lee)
    assert.deepEqual(await sees(kim), [`Site ${world.chicago}`])
  })

  test('lose what they see here and nothing elsewhere', async () => {
    const kim = world.users['kim-one-site']
    const elsewhere = { key: 'show', scope_type: 'Account', scope_id: await otherAccount() } as const
    await updateAbilities(service.operator, kim, { entries: [elsewhere], faults: [] }, 'merge')
    const dana = await enter('dana-owner')
    const card = (await dana.get(`/people?person=${kim}`)).text
    const was = /name="was" value="([^"]+)"/.exec(card)?.[1] ?? ''
    const stale = await send(dana, { do: 'remove', person: String(kim), was: 'x' })
    assert.match(stale.text, /changed this meanwhile/)
    assert.equal((await send(dana, { do: 'remove', person: String(world.users['gina-globex']), was })).status, 404)
    assert.equal((await send(dana, { do: 'remove', person: '999999999', was })).status, 404)
    assert.equal((await send(dana, { do: 'remove', person: String(kim), was })).status, 303)
    assert.deepEqual(await sees(kim), [`Account ${elsewhere.scope_id}`])
    assert.deepEqual(await sees(world.users['rosa-account']), [`Account ${world.accountId}`])
  })

  test('read dates as their account writes them, unless they choose themselves', async () => {
    const [dana, rosa] = [await enter('dana-owner'), await enter('rosa-account')]
    const ask = async () => (await rosa.get('/sessions', { headers: { 'accept-language': 'en-GB' } })).text
    assert.match(await ask(), /data-l="Logged in">\d{1,2} [A-Z][a-z]{2} \d{4}/)
    assert.equal((await send(dana, { do: 'region', region: 'US', was: '' })).status, 303)
    assert.match(await ask(), /data-l="Logged in">[A-Z][a-z]{2} \d{1,2}, \d{4}/)
    assert.match((await send(dana, { do: 'region', region: 'CH', was: '' })).text, /changed this meanwhile/)
    assert.equal((await send(rosa, { do: 'region', region: 'CH', was: 'US' })).status, 403)
    const { region } = await service.app.store.db
      .selectFrom('accounts')
      .select('region')
      .where('id', '=', world.accountId)
      .executeTakeFirstOrThrow()
    assert.equal(region, 'US')
    const others = service.app.store.db
      .selectFrom('accounts')
      .select('id')
      .where('region', 'is not', null)
      .where('id', '!=', world.accountId)
    assert.deepEqual(await others.execute(), [])
  })

  test('get another owner by the password of the one who is', async () => {
    const rosa = world.users['rosa-account']
    const dana = await enter('dana-owner')
    const wrong = await send(dana, { do: 'hand', person: String(rosa), current: 'guessed' })
    assert.match(wrong.text, /This is not your password/)
    assert.equal((await send(await enter('rosa-account'), { do: 'hand', person: String(rosa), current: password })).status, 403)
    assert.equal((await send(dana, { do: 'hand', person: String(rosa), current: password })).status, 303)
    const { owner_id } = await service.app.store.db
      .selectFrom('accounts')
      .select('owner_id')
      .where('id', '=', world.accountId)
      .executeTakeFirstOrThrow()
    assert.equal(owner_id, rosa)
    assert.deepEqual(await sees(world.users['dana-owner']), [`Account ${world.accountId}`])
    assert.match((await dana.get('/people')).text, /value="invite"/, 'who owned it goes on as an editor')
    assert.equal((await send(dana, { do: 'hand', person: String(rosa), current: password })).status, 403)
  })

  let other: number | undefined
  async function otherAccount(): Promise<number> {
    other ??= (await createAccount(service.operator, world.partnerId, 'Quay Clinic')).id
    return other
  }

  function waiting(name: string) {
    return service.app.store.db.selectFrom('people_invitations').select('id').where('name', '=', name).where('ended', 'is', null).execute()
  }
})
