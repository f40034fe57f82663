/** The desk: what staff see of their customers, what nobody else does, and that the list reads no measurements. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { dayNumber, dayText } from '../../../src/lib/time/days.ts'
import { openCustomer } from '../../../src/model/dashboard/desk/customer.ts'
import { listCustomers } from '../../../src/model/dashboard/desk/customers.ts'
import { areFiguresStale, renewFigures } from '../../../src/model/dashboard/desk/site-figures.ts'
import { homeFigures } from '../../../src/model/dashboard/home.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { createShareLink } from '../../../src/model/people/share-links.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { newUser } from '../../../src/resources/user.ts'
import { bytesOf } from '../../support/data.ts'
import { onPageEngine } from '../../support/engines.ts'
import { makePeople, type PeopleWorld, password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { serviceOn } from '../../support/service.ts'
import { hearStatements, type Statements } from '../../support/statements.ts'

onPageEngine('the desk', (place) => {
  let statements: Statements
  before(() => {
    statements = hearStatements()
  })
  after(() => statements.close())
  const service = serviceOn(place)
  let world: PeopleWorld
  let [home, garage, ben, mia] = [0, 0, 0, 0]
  const db = () => service.app.store.db

  before(async () => {
    world = await makePeople(service.operator)
    const { account_id } = await db()
      .selectFrom('partners')
      .select('account_id')
      .where('id', '=', world.partnerId)
      .executeTakeFirstOrThrow()
    home = account_id ?? 0
    ben = await colleague('ben-desk', world.partnerId, home, 'all')
    mia = await colleague('mia-desk', world.partnerId, home, 'assigned')
    garage = (await createAccount(service.operator, world.partnerId, 'Northside Garages')).id
    const { id } = await createBusiness(service.operator, draftOf(newBusiness, { name: 'Northside Tires', account_id: garage }))
    await createSite(service.operator, id, 'tires.example')
    await assign(world.accountId, mia)
    await measure(world.partnerId, 'chicago.harbor.example', [3, 30, null])
    await renew()
  })

  const colleague = async (login: string, partnerId: number, accountId: number, customers: 'all' | 'assigned') => {
    const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: accountId })
    const { id } = await createUser(service.operator, draft)
    await appointStaff(service.operator, partnerId, id, { role: 'member', customers })
    return id
  }
  const assign = (account: number, to: number | null) =>
    service.app.store.write((tx) => tx.updateTable('accounts').set({ looked_after_by: to }).where('id', '=', account).execute())
  const renew = () => renewFigures(service.app, AbortSignal.timeout(60_000))
  /** The places of three keywords today; sixty days before and until a month ago each was first. */
  const measure = async (partnerId: number, site: string, ranks: readonly (number | null)[]) => {
    const today = dayNumber(service.app.clock.now().slice(0, 10))
    const line = (phrase: string, ago: number, rank: number | null) => ({
      type: 'ranking',
      site,
      phrase,
      search_engine: 'Google',
      locale: 'en-us',
      ranked_at: `${dayText(today - ago)} 04:00:00`,
      rank,
    })
    const lines = ranks.flatMap((rank, n) => [line(`phrase ${n}`, 31, 1), line(`phrase ${n}`, 0, rank)])
    await importObservations(service.operator, { partnerId }, readNdjson(bytesOf(lines)), { createMissing: true })
  }
  const at = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    return browser
  }
  const caller = (userId: number, customers: 'all' | 'assigned') => ({
    kind: 'staff' as const,
    app: service.app,
    requestId: 'test',
    partnerId: world.partnerId,
    accountId: home,
    userId,
    role: 'member' as const,
    customers,
  })
  const namesIn = (text: string) => [...text.matchAll(/href="\/desk\/customers\/\d+">([^<]+)</g)].map(([, name]) => name)

  test('is where staff begin, with the customers that lost most first', async () => {
    const browser = await at('ben-desk')
    assert.equal((await browser.get('/')).headers.location, '/desk')
    const { status, text } = await browser.get('/desk')
    assert.equal(status, 200)
    assert.deepEqual(namesIn(text), ['Harbor Dental', 'Northside Garages'])
    assert.match(text, /1 keyword is no longer found · 2 keywords left the top 10/)
    assert.match(text, /2 customers with 3 active sites\./)
    assert.doesNotMatch(text, /globex/i)
    assert.match((await browser.get('/?view=list')).text, /tires\.<wbr>example/, 'dashboards show the sites of all customers')
  })

  test('shows the figures that the home page works out from the measurements', async () => {
    const today = service.app.clock.now().slice(0, 10)
    const from = (ago: number) => dayText(dayNumber(today) - ago)
    const period = { from: from(29), to: today, before: { from: from(59), to: from(30) } }
    const person = { ...caller(ben, 'all'), kind: 'person' as const, post: { role: 'member' as const, customers: 'all' as const } }
    const measured = (await homeFigures(person, period)).find(({ site }) => site.id === world.chicago)
    const [harbor] = await listCustomers(caller(ben, 'all'))
    assert.equal(harbor?.visibility, measured?.standings.now.visibility)
    assert.deepEqual(harbor?.compared, { now: measured?.standings.compared?.now.visibility, before: 100, pairs: 3 })
    assert.equal(harbor?.measuredOn, today)
    assert.deepEqual(harbor?.reasons, measured?.reasons)
  })

  test('reads stored rows for it, and no measurement', async () => {
    statements.take()
    await listCustomers(caller(ben, 'all'))
    const heard = statements.take()
    assert.ok(heard.some((text) => text.includes('site_figures')))
    assert.deepEqual(
      heard.filter((text) => /ranking_months|"keywords"|"reviews"|"subjects"|"pages"|review_count/.test(text)),
      [],
    )
  })

  test('renews the figures after an import and at the turn of the day', async () => {
    assert.equal(await areFiguresStale(service.app), false)
    const visibility = async () => (await listCustomers(caller(ben, 'all')))[0]?.visibility
    const before = await visibility()
    await measure(world.partnerId, 'evanston.harbor.example', [1, 1, 1])
    assert.equal(await areFiguresStale(service.app), true)
    await renew()
    assert.ok(Number(await visibility()) > Number(before))
    await service.app.store.write((tx) =>
      tx.updateTable('account_figures').set({ day: '2020-01-01' }).where('account_id', '=', garage).execute(),
    )
    assert.equal(await areFiguresStale(service.app), true)
    await renew()
    assert.equal(await areFiguresStale(service.app), false)
  })

  test('finds a customer by a domain, a person, a business and an id of the partner', async () => {
    await service.app.store.write((tx) =>
      tx
        .insertInto('external_ids')
        .values({ partner_id: world.partnerId, kind: 'account', external_id: 'crm-4711', record_id: garage })
        .execute(),
    )
    const browser = await at('ben-desk')
    const found = async (words: string) => namesIn((await browser.get(`/desk?q=${encodeURIComponent(words)}`)).text)
    for (const words of ['evanston', 'kim-one', 'HARBOR dental chicago']) assert.deepEqual(await found(words), ['Harbor Dental'], words)
    for (const words of ['tires.example', 'Northside', 'crm-4711']) assert.deepEqual(await found(words), ['Northside Garages'], words)
    for (const words of ['globex', 'gina', '%', 'ben-desk']) assert.deepEqual(await found(words), [], words)
    assert.deepEqual(namesIn((await browser.get('/desk?reason=nobody')).text), ['Northside Garages'])
    assert.deepEqual(namesIn((await browser.get('/desk?reason=nonsense&page=9&sort=x')).text).length, 2)
    assert.deepEqual(namesIn((await browser.get(`/desk?colleague=${mia}`)).text), ['Harbor Dental'])
    assert.deepEqual(namesIn((await browser.get('/desk?colleague=0')).text), ['Northside Garages'])
    assert.deepEqual(namesIn((await browser.get('/desk?sort=name&order=down')).text), ['Northside Garages', 'Harbor Dental'])
    const csv = (await browser.get('/desk.csv?q=tires')).text.trim().split('\r\n')
    assert.equal(csv.length, 2)
    assert.match(csv[1] ?? '', /^Northside Garages,\d+,1,/)
  })

  test('shows a colleague the assigned customers alone, and without any says so', async () => {
    const browser = await at('mia-desk')
    assert.deepEqual(namesIn((await browser.get('/desk')).text), ['Harbor Dental'])
    assert.equal((await browser.get(`/desk/customers/${garage}`)).status, 404)
    assert.deepEqual(namesIn((await browser.get('/desk?q=tires')).text), [])
    await assign(world.accountId, null)
    assert.match((await browser.get('/desk')).text, /No customer is assigned to you yet/)
    assert.equal((await browser.get(`/desk/customers/${world.accountId}`)).status, 404)
    assert.equal((await browser.get(`/sites/${world.chicago}/search`)).status, 404)
    await assign(world.accountId, mia)
    assert.equal((await browser.get(`/desk/customers/${world.accountId}`)).status, 200)
  })

  test('lets a colleague who has all customers assign one, unless somebody did meanwhile', async () => {
    const path = `/desk/customers/${garage}`
    const browser = await at('ben-desk')
    const send = async (who: PlainBrowser, fields: Record<string, string>) =>
      who.post(path, { form_token: await who.token(`/desk/customers/${world.accountId}`), do: 'assign', ...fields })
    assert.equal((await send(browser, { colleague: String(mia), was: '' })).headers.location, path)
    const colleague = await at('mia-desk')
    assert.equal((await colleague.get(path)).status, 200)
    const late = await send(browser, { colleague: String(ben), was: '' })
    assert.equal(late.status, 422)
    assert.match(late.text, /changed this meanwhile/)
    assert.match(late.text, new RegExp(`value="${ben}" selected`), 'what was chosen stays')
    assert.equal((await send(browser, { colleague: '999999', was: String(mia) })).status, 422)
    assert.equal((await send(colleague, { colleague: '', was: String(mia) })).status, 403)
    assert.doesNotMatch((await colleague.get(path)).text, /name="colleague"/)
    assert.equal((await send(browser, { colleague: '', was: String(mia) })).status, 303)
    assert.equal((await colleague.get(path)).status, 404)
  })

  test('is nothing that clients, strangers or staff of others can open', async () => {
    const paths = ['/desk', '/desk.csv', `/desk/customers/${world.accountId}`]
    const client = await at('dana-owner')
    for (const path of paths) assert.equal((await client.get(path)).status, 404, path)
    assert.doesNotMatch((await client.get('/?view=list')).text, /\/desk/)
    const stranger = new PlainBrowser(service.stranger)
    for (const path of paths) assert.match((await stranger.get(path)).headers.location ?? '', /^\/login\?next=/, path)
    const globex = await db()
      .selectFrom('sites')
      .innerJoin('accounts', 'accounts.id', 'sites.account_id')
      .select(['account_id', 'partner_id'])
      .where('sites.id', '=', world.globexSite)
      .executeTakeFirstOrThrow()
    await colleague('gus-desk', globex.partner_id, globex.account_id, 'all')
    const other = await at('gus-desk')
    assert.equal((await other.get(`/desk/customers/${world.accountId}`)).status, 404)
    assert.deepEqual(namesIn((await other.get('/desk')).text), ['Globex'], 'its own account has a business, so it is listed')
    const suspended = await at('ben-desk')
    await service.app.store.write((tx) => tx.updateTable('staff').set({ role: 'admin' }).where('user_id', '=', mia).execute())
    await service.app.store.write((tx) => tx.deleteFrom('staff').where('user_id', '=', ben).execute())
    assert.equal((await suspended.get('/desk')).status, 404, 'who is removed has no desk with the very next request')
    await appointStaff(service.operator, world.partnerId, ben, { role: 'member', customers: 'all' })
    await service.app.store.write((tx) => tx.updateTable('staff').set({ role: 'member' }).where('user_id', '=', mia).execute())
  })

  test('says in words what each person of a customer sees, and why', async () => {
    await createShareLink(service.operator, world.chicago, { label: 'the accountant', days: 30, password: null })
    await createSchedule(service.operator, world.accountId, { rhythm: 'monthly', siteIds: null, recipients: ['dana-owner@people.example'] })
    const browser = await at('ben-desk')
    const path = `/desk/customers/${world.accountId}`
    const { text } = await browser.get(path)
    for (const said of [
      'everything of Harbor Dental, as its owner',
      'all sites of Harbor Dental Evanston',
      'all sites of Harbor Dental<',
      'nothing yet',
      'the accountant',
      'Every month',
      'Looked after by mia-desk',
    ])
      assert.ok(text.includes(said), said)
    const why = async (login: keyof PeopleWorld['users'], site: number) =>
      /<p class="notice" role="status">([^<]+)</.exec((await browser.get(`${path}?person=${world.users[login]}&site=${site}`)).text)?.[1]
    assert.equal(
      await why('lee-business', world.evanston),
      'lee-business sees evanston.harbor.example, because all sites of Harbor Dental Evanston are open to them.',
    )
    assert.equal(
      await why('lee-business', world.chicago),
      'lee-business does not see chicago.harbor.example: nothing that contains it has been opened to them.',
    )
    assert.match(
      (await why('rosa-account', world.closed)) ?? '',
      /although all sites of Harbor Dental are open to them: its business is deactivated/,
    )
    const { people, sites } = await openCustomer(caller(ben, 'all'), world.accountId)
    assert.deepEqual([people.length, sites.length], [5, 3])
  })
})
