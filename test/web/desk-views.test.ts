/** Staff look at the dashboards as a person of a customer sees them: no login, nothing changed, what both may see. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../src/fields/read.ts'
import { secondsAfter } from '../../src/lib/time/clock.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { updateAbilities } from '../../src/model/people/abilities.ts'
import { appointStaff } from '../../src/model/people/staff/staff.ts'
import { endOverViews, isAnyViewOver } from '../../src/model/people/staff/views.ts'
import { createUser } from '../../src/model/people/users.ts'
import { newUser } from '../../src/resources/user.ts'
import { type Page, pages } from '../../src/web/pages.ts'
import { onPageEngine } from '../support/engines.ts'
import { makePeople, type PeopleWorld, password } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { serviceOn } from '../support/service.ts'

onPageEngine('staff who look as a person', (place) => {
  const service = serviceOn(place)
  let world: PeopleWorld
  let [home, mia] = [0, 0]
  const db = () => service.app.store.db

  before(async () => {
    world = await makePeople(service.operator)
    const partners = db().selectFrom('partners').select('account_id').where('id', '=', world.partnerId)
    home = (await partners.executeTakeFirstOrThrow()).account_id ?? 0
    await colleague('ben-desk', 'all')
    mia = await colleague('mia-desk', 'assigned')
    await assign(mia)
  })

  const colleague = async (login: string, customers: 'all' | 'assigned') => {
    const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: home })
    const { id } = await createUser(service.operator, draft)
    await appointStaff(service.operator, world.partnerId, id, { role: 'member', customers })
    return id
  }
  const assign = (to: number | null) =>
    service.app.store.write((tx) => tx.updateTable('accounts').set({ looked_after_by: to }).where('id', '=', world.accountId).execute())
  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const viewPath = (userId: number, accountId = world.accountId) => `/desk/customers/${accountId}/people/${userId}/view`
  const see = async (browser: PlainBrowser, login: keyof PeopleWorld['users']) =>
    browser.post(viewPath(world.users[login]), { form_token: await browser.token(`/desk/customers/${world.accountId}`) })
  const leave = async (browser: PlainBrowser) => browser.post('/desk/leave', { form_token: await browser.token('/?view=list') })
  const sitesIn = (text: string) =>
    [...text.matchAll(/class="rowlink"[^>]*>(.*?)<\/a>/gs)].map(([, name = '']) => name.replace(/<[^>]*>|\s/g, ''))
  const entries = async () => {
    const rows = db().selectFrom('audit_entries').select(['action', 'actor', 'subject_id', 'account_id']).orderBy('id', 'desc')
    return rows.where('action', 'like', 'user.%view%').limit(1).executeTakeFirst()
  }

  test('see the sites that the person sees, and the head of every page says so', async () => {
    const browser = await at('ben-desk')
    const begun = await see(browser, 'lee-business')
    assert.equal(begun.headers.location, '/')
    const { text } = await browser.get('/?view=list')
    assert.deepEqual(sitesIn(text), ['evanston.harbor.example'])
    assert.equal((await browser.get(`/sites/${world.chicago}/search`)).status, 404)
    assert.doesNotMatch((await browser.get('/sites.json?q=harbor')).text, /chicago/)
    assert.doesNotMatch((await browser.get('/sites.csv')).text, /chicago/)
    for (const path of ['/?view=list', `/sites/${world.evanston}/search`, `/sites/${world.evanston}/reputation`, '/desk', '/nothing']) {
      const page = await browser.get(path)
      assert.match(page.text, /You see what <strong>lee-business<\/strong> sees/, path)
      assert.match(page.text, /action="\/desk\/leave"/, path)
      assert.doesNotMatch(page.text, /Log out|\/share"/, path)
    }
    assert.deepEqual(await entries(), {
      action: 'user.begin_view',
      actor: `user:${await idOf('ben-desk')}`,
      subject_id: world.users['lee-business'],
      account_id: world.accountId,
    })
    const left = await leave(browser)
    assert.equal(left.headers.location, `/desk/customers/${world.accountId}`)
    assert.equal((await entries())?.action, 'user.end_view')
    assert.equal((await browser.get(`/sites/${world.chicago}/search`)).status, 200)
    assert.doesNotMatch((await browser.get('/?view=list')).text, /You see what/)
  })

  const idOf = async (login: string) =>
    (await db().selectFrom('users').select('id').where('login', '=', login).executeTakeFirstOrThrow()).id

  test('open every page of dashboards and nothing else, and no form', async () => {
    const browser = await at('ben-desk')
    const token = await browser.token('/desk')
    await see(browser, 'dana-owner')
    const addressOf = ({ path }: Page) =>
      path
        .replace('{site_id}', String(world.chicago))
        .replace('{account_id}', String(world.accountId))
        .replace('{user_id}', String(world.users['kim-one-site']))
        .replace(/\{\w+\}/g, '1')
    const others = pages.filter((page) => page.to !== 'reader' && !page.isStatic && !page.isOpenInViews)
    assert.ok(others.length > 30)
    for (const page of others) {
      const reply = await (page.method === 'GET'
        ? browser.get(addressOf(page))
        : browser.post(addressOf(page), { form_token: token, name: 'dana-owner', password, text: 'x', day: '2026-11-01' }))
      assert.equal(reply.status, 403, `${page.method} ${page.path}`)
    }
    assert.match((await browser.post('/password', { form_token: token })).text, /You see what dana-owner sees: .* Leave this view first\./)
    await leave(browser)
    assert.equal((await browser.get('/desk')).status, 200)
  })

  test('change nothing of the person', async () => {
    const rows = async () => {
      const users = await db().selectFrom('users').selectAll().where('id', '=', world.users['kim-one-site']).execute()
      const sessions = db().selectFrom('sessions').selectAll().where('user_id', '=', world.users['kim-one-site'])
      const links = db().selectFrom('login_links').selectAll().where('user_id', '=', world.users['kim-one-site'])
      return [users, await sessions.execute(), await links.execute()]
    }
    const before = await rows()
    const browser = await at('ben-desk')
    await see(browser, 'kim-one-site')
    assert.equal((await browser.get('/')).headers.location, `/sites/${world.chicago}/search`)
    assert.equal((await browser.get(`/sites/${world.chicago}/search`)).status, 200)
    await leave(browser)
    assert.deepEqual(await rows(), before)
  })

  test('see no more than they reach themselves', async () => {
    const other = await createAccount(service.operator, world.partnerId, 'Northside Garages')
    const draft = draftOf(newUser, { login: 'otto-elsewhere', email: 'otto@people.example', password, account_id: other.id })
    const otto = (await createUser(service.operator, draft)).id
    const show = (scope_type: 'Account' | 'Site', scope_id: number) => ({ key: 'show' as const, scope_type, scope_id })
    await updateAbilities(service.operator, otto, { entries: [show('Site', world.chicago)], faults: [] }, 'replace')
    const browser = await at('mia-desk')
    const token = await browser.token(`/desk/customers/${world.accountId}`)
    assert.equal((await browser.post(viewPath(otto, other.id), { form_token: token })).status, 404, 'a customer of a colleague')
    assert.equal((await browser.post(viewPath(otto), { form_token: token })).status, 303, 'a site of the customer is open to them')
    assert.equal((await browser.get(`/sites/${world.chicago}/search`)).status, 200)
    await assign(null)
    assert.equal((await browser.get(`/sites/${world.chicago}/search`)).status, 404, 'what was taken from the colleague')
    await assign(mia)
    await updateAbilities(service.operator, otto, { entries: [], faults: [] }, 'replace')
    assert.equal((await browser.get(`/sites/${world.chicago}/search`)).status, 404, 'what was taken from the person')
  })

  test('is never somebody of the staff, of another partner, absent or suspended; nor for clients', async () => {
    const browser = await at('ben-desk')
    const token = await browser.token(`/desk/customers/${world.accountId}`)
    for (const id of [mia, world.users['gina-globex'], 999_999]) {
      assert.equal((await browser.post(viewPath(id), { form_token: token })).status, 404)
      assert.equal((await browser.post(viewPath(id, home), { form_token: token })).status, 404)
    }
    const client = await at('dana-owner')
    const asked = await client.post(viewPath(world.users['kim-one-site']), { form_token: await client.token('/?view=list') })
    assert.equal(asked.status, 404)
    const stranger = new PlainBrowser(service.stranger)
    const sent = await stranger.post(viewPath(world.users['kim-one-site']), { form_token: await stranger.token() })
    assert.match(sent.headers.location ?? '', /^\/login/)
    const suspend = (state: 'suspended' | 'active') =>
      service.app.store.write((tx) => tx.updateTable('users').set({ state }).where('id', '=', world.users['rosa-account']).execute())
    await suspend('suspended')
    assert.equal((await see(browser, 'rosa-account')).status, 409)
    await suspend('active')
    await see(browser, 'rosa-account')
    await suspend('suspended')
    assert.doesNotMatch((await browser.get('/?view=list')).text, /You see what/, 'it ends with the person')
    await suspend('active')
  })

  test('it ends by itself after half an hour, which the log of changes tells', async () => {
    const browser = await at('ben-desk')
    await see(browser, 'lee-business')
    const hash = db().selectFrom('sessions').select(['token_hash', 'seen_until']).where('seen_user_id', '=', world.users['lee-business'])
    const { token_hash, seen_until } = await hash.executeTakeFirstOrThrow()
    const left = (Date.parse(seen_until ?? '') - Date.parse(service.app.clock.now())) / 60_000
    assert.ok(left > 29 && left <= 30, `${left} minutes`)
    const past = secondsAfter(service.app.clock.now(), -1)
    await service.app.store.write((tx) =>
      tx.updateTable('sessions').set({ seen_until: past }).where('token_hash', '=', token_hash).execute(),
    )
    assert.equal((await browser.get('/desk')).status, 200)
    assert.equal(await isAnyViewOver(service.app), true)
    await endOverViews(service.operator)
    assert.equal(await isAnyViewOver(service.app), false)
    assert.equal((await entries())?.action, 'user.view_ended')
  })
})
