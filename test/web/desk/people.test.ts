/** People of a customer at the desk: invited with what they may see, and changed, by whoever reaches both. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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

  test('are invited by mail, choose a password, and see what was opened to them', async () => {
    const browser = await at('ben-desk')
    const sees = `Site:${agency.world.evanston}`
    const form = { do: 'invite', email: 'new@harbor.example', contact: 'Nora New', sees, edits: 'yes' }
    assert.equal((await send(browser, customer(), form)).headers.location, `${customer()}?done=invited`)
    const { text } = await browser.get(`${customer()}?done=invited`)
    for (const said of ['a mail with a link is on its way', 'Nora New', 'evanston.harbor.example; may also share'])
      assert.ok(text.includes(said), said)
    const mail = await mailTo('new@harbor.example')
    assert.match(mail.text, /Harbor Dental.*You log in as new@harbor\.example/)
    const path = /http:\/\/[^/]+(\/login-link\/\S+)/.exec(mail.text)?.[1] ?? assert.fail(mail.text)
    const client = new PlainBrowser(service.stranger)
    const entered = await client.post(path, { form_token: await client.token(path) })
    assert.equal(entered.headers.location, '/password')
    const set = { form_token: await client.token('/password'), current: '', fresh: 'a good password', again: 'a good password' }
    assert.equal((await client.post('/password', set)).status, 303)
    assert.equal((await client.get(`/sites/${agency.world.evanston}/search`)).status, 200)
    assert.equal((await client.get(`/sites/${agency.world.chicago}/search`)).status, 404)
    assert.equal((await client.get(path)).status, 410, 'the link works once')
    const { actor } = await db()
      .selectFrom('audit_entries')
      .select('actor')
      .where('action', '=', 'user.create')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(actor, `user:${agency.staff.ben}`)
  })

  test('are invited again until they have logged in, but not too often', async () => {
    const browser = await at('ben-desk')
    await send(browser, customer(), { do: 'invite', email: 'late@harbor.example', sees: '' })
    const id = await idOf('late@harbor.example')
    assert.match((await browser.get(pageOf(id))).text, /They have not logged in yet/)
    await mailTo('late@harbor.example')
    for (const n of [2, 3]) {
      await service.app.store.write((tx) =>
        tx
          .updateTable('mails')
          .set({ key: `welcome ${n}` })
          .where('key', 'like', `welcome:${id}:%`)
          .execute(),
      )
      assert.equal((await send(browser, pageOf(id), { do: 'again' })).headers.location, `${pageOf(id)}?done=invited`)
      await mailTo('late@harbor.example')
    }
    const often = await send(browser, pageOf(id), { do: 'again' })
    assert.equal(often.status, 422)
    assert.match(often.text, /has been invited 3 times within a day/)
    const known = agency.world.users['kim-one-site']
    await service.app.store.write((tx) => tx.updateTable('users').set({ state: 'active' }).where('id', '=', known).execute())
    assert.doesNotMatch((await browser.get(pageOf(known))).text, /not logged in yet/)
    assert.match((await send(browser, pageOf(known), { do: 'again' })).text, /has logged in already/)
  })

  test('are refused with what was typed, and nobody learns who else is there', async () => {
    const browser = await at('ben-desk')
    const users = async () => (await db().selectFrom('users').select('id').execute()).length
    const before = await users()
    for (const [email, said] of [
      ['', 'Please type an email address.'],
      ['nobody at all', 'This is no email address.'],
      ['gina-globex@people.example', 'This address cannot be invited here'],
    ] as const) {
      const refused = await send(browser, customer(), { do: 'invite', email, contact: 'Gi <b>', sees: `Account:${agency.world.accountId}` })
      assert.equal(refused.status, 422, email)
      assert.ok(refused.text.includes(said), said)
      assert.ok(refused.text.includes('value="Gi &lt;b&gt;"'))
    }
    for (const sees of [`Site:${agency.world.globexSite}`, 'Account:1', 'Business:999999']) {
      const refused = await send(browser, customer(), { do: 'invite', email: 'x@harbor.example', sees })
      assert.match(refused.text, /This is no longer there/, sees)
    }
    const colleague = await send(browser, customer(), { do: 'invite', email: 'mia-desk@quay.example', sees: '' })
    assert.match(colleague.text, /This is a colleague of yours/)
    assert.equal(await users(), before)
  })

  test('of another customer get the access alone, and mia, who does not look after that one, learns nothing', async () => {
    const browser = await at('ben-desk')
    const added = await send(browser, '/desk/add', { name: 'Sunrise', domain: 'sunrise.example', email: 'sue@sunrise.example' })
    const other = /customers\/(\d+)/.exec(added.headers.location ?? '')?.[1] ?? ''
    const sue = await idOf('sue@sunrise.example')
    await service.app.store.write((tx) =>
      tx.updateTable('accounts').set({ looked_after_by: agency.staff.mia }).where('id', '=', agency.world.accountId).execute(),
    )
    const mia = await at('mia-desk')
    const form = { do: 'invite', email: 'sue@sunrise.example', sees: `Site:${agency.world.chicago}` }
    assert.match((await send(mia, customer(), form)).text, /This address cannot be invited here/)
    assert.equal((await send(browser, customer(), form)).headers.location, `${customer()}?done=opened`)
    assert.deepEqual(
      await abilities(sue),
      [`Site:${agency.world.chicago}`, `Account:${other}`].toSorted((a, b) => Number(a.split(':')[1]) - Number(b.split(':')[1])),
    )
    assert.match((await mia.get(pageOf(sue))).text, /They belong to a customer whom you do not look after/)
    assert.equal((await send(mia, pageOf(sue), { was: 'x' }, customer())).status, 404)
    const { text } = await browser.get(pageOf(sue))
    assert.equal((await send(browser, pageOf(sue), { was: wasIn(text) })).status, 303)
    assert.deepEqual(await abilities(sue), [`Account:${other}`], 'what they see elsewhere stays')
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
