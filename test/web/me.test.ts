/** What people change of themselves at `/me`, what is mailed to them, and what they can download. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { confirmRecipient, recipientToken } from '../../src/model/mail/recipients.ts'
import { createSchedule } from '../../src/model/mail/schedules.ts'
import { onPageEngine } from '../support/engines.ts'
import { makePeople, type PeopleWorld } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { type Reply, startTestService, type TestService } from '../support/service.ts'

onPageEngine('the page of a person about themselves', (place) => {
  let [service, world] = [] as unknown as [TestService, PeopleWorld]
  before(async () => {
    service = await startTestService(place)
    world = await makePeople(service.operator)
  })
  after(() => service?.stop())

  const at = async (name: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(name)).status, 303)
    return browser
  }
  const wasIn = ({ text }: Reply) => (/name="was" value="([^"]*)"/.exec(text)?.[1] ?? assert.fail(text)).replaceAll('&quot;', '"')
  const save = async (browser: PlainBrowser, fields: Record<string, string>, was?: string) =>
    browser.post('/me', { form_token: await browser.token('/me'), was: was ?? wasIn(await browser.get('/me')), ...fields })
  const usersWithout = (id: number) => service.app.store.db.selectFrom('users').selectAll().where('id', '!=', id).orderBy('id').execute()

  test('a name, the way of writing dates and a time zone are kept, and all pages follow them', async () => {
    const browser = await at('rosa-account')
    const neighbours = await usersWithout(world.users['rosa-account'])
    const saved = await save(browser, { name: ' Rosa Marín ', region: 'US', time_zone: 'America/Chicago' })
    assert.deepEqual([saved.status, saved.headers.location], [303, '/me?saved'])
    const page = await browser.get('/me?saved')
    assert.match(page.text, /role="status">It is saved/)
    assert.match(page.text, /value="Rosa Marín"/)
    assert.match(page.text, /<option value="US" selected>United States: [A-Z][a-z]{2} \d/)
    assert.match(page.text, /<summary><span>Rosa Marín</)
    assert.match((await browser.get('/sessions')).text, /data-l="Logged in">[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M</)
    const list = (await browser.get('/?view=list', { headers: { 'accept-language': 'en-GB' } })).text
    assert.match(list, /[A-Z][a-z]{2} \d{1,2}(, \d{4})?\s–\s/, 'dates go by the choice, and not by the browser')
    await save(browser, { name: 'Rosa', region: '', time_zone: '' })
    assert.match(
      (await browser.get('/sessions', { headers: { 'accept-language': 'en-GB' } })).text,
      /data-l="Logged in">\d{1,2} [A-Z][a-z]{2} \d{4}/,
    )
    assert.deepEqual(await usersWithout(world.users['rosa-account']), neighbours)
  })

  test('pages are light or dark in one browser, or as the device is', async () => {
    const browser = await at('rosa-account')
    for (const theme of ['dark', 'light', '']) {
      const chosen = await browser.post('/theme', { form_token: await browser.token('/me'), next: '/me', theme })
      assert.equal(chosen.headers.location, '/me')
      const { text } = await browser.get('/me')
      assert.match(text, new RegExp(`<option value="${theme}" selected>`))
      assert.equal(/<html[^>]* data-theme="(\w+)"/.exec(text)?.[1] ?? '', theme)
    }
  })

  test('what is wrong is said, keeps what was typed, and changes nothing', async () => {
    const browser = await at('rosa-account')
    const zone = await save(browser, { name: 'Typed', time_zone: 'Europe/Atlantis' })
    assert.equal(zone.status, 422)
    assert.match(zone.text, /role="alert">There is no time zone of this name\. It is a name such as Europe\/Berlin/)
    assert.match(zone.text, /value="Europe\/Atlantis"/)
    assert.match(zone.text, /name="name"[^>]*value="Typed"/)
    assert.equal((await save(browser, { name: 'Two\nlines' })).status, 422)
    assert.equal((await save(browser, { name: 'x'.repeat(256) })).status, 422)
    assert.equal((await save(browser, { name: 'Rosa', region: 'XX' })).status, 422)
    assert.match((await browser.get('/me')).text, /name="name"[^>]*value="Rosa"/)
  })

  test('a second tab does not overwrite what the first one saved', async () => {
    const browser = await at('lee-business')
    const was = wasIn(await browser.get('/me'))
    assert.equal((await save(browser, { name: 'First' }, was)).status, 303)
    const second = await save(browser, { name: 'Second' }, was)
    assert.deepEqual([second.status, /changed meanwhile/.test(second.text), /value="First"/.test(second.text)], [422, true, true])
    assert.equal((await save(browser, { name: 'First' })).status, 303, 'the same again is no fault')
  })

  test('reports mailed to the person are listed, stopped and started again; those of others are not theirs', async () => {
    const recipients = ['dana-owner@people.example', 'kim-one-site@people.example', 'other@people.example']
    await createSchedule(service.operator, world.accountId, { rhythm: 'weekly', siteIds: null, recipients })
    const rows = () => service.app.store.db.selectFrom('report_recipients').select(['id', 'email', 'state']).orderBy('id').execute()
    const [danas, kims, others] = await rows()
    assert.ok(danas && kims && others)
    for (const { id } of [danas, kims]) await confirmRecipient(service.app, recipientToken(service.app, id))
    const browser = await at('kim-one-site')
    const page = await browser.get('/me')
    assert.match(page.text, /Harbor Dental, every week: comes to you/)
    assert.equal(page.text.includes('other@people.example'), false)
    assert.equal((await save(browser, { do: 'stop', mail: String(kims.id) })).status, 303)
    assert.deepEqual(
      (await rows()).map(({ state }) => state),
      ['active', 'unsubscribed', 'unconfirmed'],
    )
    assert.match((await browser.get('/me')).text, /is stopped/)
    assert.equal((await save(browser, { do: 'start', mail: String(kims.id) })).status, 303)
    assert.equal((await save(browser, { do: 'start', mail: String(others.id) })).status, 404)
    assert.equal((await save(await at('gina-globex'), { do: 'stop', mail: String(kims.id) })).status, 404)
    assert.deepEqual(
      (await rows()).map(({ state }) => state),
      ['active', 'active', 'unconfirmed'],
    )
    await service.app.store.write((tx) =>
      tx.updateTable('report_recipients').set({ state: 'unconfirmed' }).where('id', '=', kims.id).execute(),
    )
    await save(browser, { do: 'start', mail: String(kims.id) })
    assert.equal((await rows())[1]?.state, 'unconfirmed', 'only the mail that asked confirms')
  })

  test('the download has what is stored of the person, and no hash, token or word of others', async () => {
    const browser = await at('kim-one-site')
    const { headers, text } = await browser.get('/me/data.json')
    assert.match(headers['content-disposition'] ?? '', /attachment; filename="my-data\.json"/)
    const data = JSON.parse(text)
    assert.equal(data.user.login, 'kim-one-site')
    assert.deepEqual(
      data.abilities.map((each: { scope_id: number }) => each.scope_id),
      [world.chicago],
    )
    assert.ok(data.sessions.length > 0)
    const stored = await service.app.store.db.selectFrom('sessions').select('token_hash').execute()
    const { verifier } = await service.app.store.db
      .selectFrom('user_passwords')
      .select('verifier')
      .where('user_id', '=', world.users['kim-one-site'])
      .executeTakeFirstOrThrow()
    for (const secret of [verifier, ...stored.map((row) => row.token_hash)]) assert.equal(text.includes(secret), false)
    for (const word of ['dana-owner', 'gina', 'crypted_password', 'salt']) assert.equal(text.includes(word), false, word)
  })
})
