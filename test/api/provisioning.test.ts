/** The life of a partner's people and places through the API: changed, suspended, let in, deleted; accounts with owners; sites. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Account, type ListUsersQuery, type Marquee, PermissionError } from '../../src/client/client.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { newPerson, xmlOf } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { matchesGolden, withoutChance } from '../support/golden.ts'
import { codes, refusedInBoth } from '../support/refusals.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('what a partner provisions', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let client: Marquee
  let count = 0

  before(async () => {
    acme = await house.partner('Acme')
    client = acme.client
  })

  const person = (login = `person-${++count}`) => client.createUser(newPerson(acme.accountId, { login, email: `${login}@example.com` }))
  const audits = async (action: string) =>
    (await house.app.store.db.selectFrom('audit_entries').select('id').where('action', '=', action).execute()).length
  const keep = (name: string, { text }: Reply) =>
    matchesGolden(name, withoutChance(text).replace(/login-link\/[\w-]+/, 'login-link/{token}'))

  test('changes of a user: what is given changes, the rest stays, a repetition is nothing', async () => {
    const { id } = await person('dana-scully')
    const changed = await acme.put(`/api/users/${id}.xml`, xmlOf('user', { email: 'd@example.com', name: ' Dana & Co ' }))
    assert.equal(changed.status, 200, changed.text)
    const shown = await client.showUser(id)
    assert.deepEqual([shown.email, shown.login, shown.name], ['d@example.com', 'dana-scully', 'Dana & Co'])
    const before = await audits('user.change')
    assert.deepEqual(await client.changeUser(id, { email: 'd@example.com' }), shown)
    assert.deepEqual((await acme.put(`/api/users/${id}.json`, {})).json(), { user: shown })
    assert.equal(await audits('user.change'), before)
    assert.equal((await client.changeUser(id, { name: '' })).name, '')
    const freed = newPerson(acme.accountId, { login: 'dana-scully@example.com', email: 'dana-scully@example.com' })
    assert.equal((await client.createUser(freed)).state, 'passive')
  })

  test('another password ends what the old one opened and shows another hash', async () => {
    const { id, crypted_password } = await person()
    assert.notEqual((await client.changeUser(id, { password: 'other-horse' })).crypted_password, crypted_password)
  })

  test('changes that break a rule change nothing', async () => {
    const [one, other] = [await person(), await person()]
    const put = (body: object, expected: string[]) =>
      refusedInBoth(acme, 'PUT', `/api/users/${one.id}`, 422, expected, { body: JSON.stringify(body), type: 'application/json' })
    await put({ email: '', login: 'abc', password: 'x', account_id: 'y' }, [
      'email blank',
      'password too_short',
      'login too_short',
      'account_id not_an_integer',
    ])
    await put({ email: other.email.toUpperCase() }, ['email taken'])
    await put({ login: other.login }, ['login taken'])
    await put({ login: 'some@where.example' }, ['login invalid'])
    await put({ account_id: 999_999 }, ['account_id does_not_exist'])
    assert.deepEqual(await client.showUser(one.id), one)
  })

  test('who moves to another account no longer owns the one they left', async () => {
    const { id } = await person()
    const account = await client.createAccount({ name: 'Second' })
    assert.equal((await client.setAccountOwner(acme.accountId, { user_id: id })).owner_id, id)
    assert.equal((await client.changeUser(id, { account_id: account.id })).account_id, account.id)
    assert.equal((await client.showAccount(acme.accountId)).owner_id, null)
    assert.equal((await client.setAccountOwner(account.id, { user_id: id })).owner_id, id)
  })

  test('suspended, unsuspended, deleted: a repetition is 200 and unchanged, a deleted user is not found', async () => {
    const { id } = await person()
    const suspended = await client.suspendUser(id)
    assert.equal(suspended.state, 'suspended')
    assert.deepEqual(await client.suspendUser(id), suspended)
    assert.equal((await client.unsuspendUser(id)).state, 'passive')
    const gone = await client.deleteUser(id)
    assert.equal(gone.state, 'deleted')
    assert.notEqual(gone.deleted_at, null)
    for (const [method, path] of [
      ['DELETE', ''],
      ['PUT', ''],
      ['GET', ''],
      ['POST', '/suspend'],
      ['POST', '/login_link'],
    ] as const) {
      if (path !== '/login_link') assert.deepEqual(codes(await acme.ask(method, `/api/users/${id}${path}.json`), 404), ['not_found'])
    }
    const other = newPerson(acme.accountId, { login: gone.login, email: 'fresh@example.com' })
    assert.deepEqual(codes(await acme.post('/api/users.json', other), 422), ['login taken'])
  })

  test('a login link needs its scope, lets in once, and is kept encrypted', async () => {
    const { id } = await person()
    await assert.rejects(client.makeLoginLink(id, {}), PermissionError)
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['login_link'] })
    const make = () => house.client({ key, password }).makeLoginLink(id, { seconds: 60 }, { idempotencyKey: `link-${id}` })
    const link = await make()
    assert.equal(link.user_id, id)
    assert.deepEqual(await make(), link)
    const token = link.url.split('/').at(-1) ?? ''
    const kept = await house.app.store.db
      .selectFrom('idempotency_records')
      .selectAll()
      .where('key', '=', `link-${id}`)
      .executeTakeFirstOrThrow()
    assert.ok(!Buffer.from(kept.body).includes(token) && !JSON.stringify(kept.headers).includes(token))
    assert.equal((await house.stranger.get(new URL(link.url).pathname)).status, 200)
    const other = { credentials: `${key}:${password}` }
    for (const seconds of [59, 86_401, 'soon']) {
      const reply = await acme.post(`/api/users/${id}/login_link.json`, { seconds }, other)
      assert.deepEqual(codes(reply, 422), [seconds === 'soon' ? 'seconds not_an_integer' : 'seconds invalid'])
    }
    assert.deepEqual(codes(await acme.post('/api/users/999999/login_link.json', { seconds: 1 }, other), 404), ['not_found'])
    await client.suspendUser(id)
    assert.deepEqual(codes(await acme.post(`/api/users/${id}/login_link.json`, {}, other), 409), ['conflict'])
  })

  test('users are narrowed by account and state, page by page', async () => {
    const account = await client.createAccount({ name: 'Third' })
    const { id } = await person()
    await client.changeUser(id, { account_id: account.id })
    const ids = async (query: ListUsersQuery) => (await client.listUsers(query).toArray()).map((user) => user.id)
    assert.deepEqual(await ids({ account_id: account.id }), [id])
    assert.deepEqual(await ids({ account_id: account.id, state: 'suspended' }), [])
    await client.suspendUser(id)
    assert.deepEqual(await ids({ account_id: account.id, state: 'suspended' }), [id])
    assert.deepEqual(codes(await acme.get('/api/users.json?state=deleted'), 400), ['bad_request'])
  })

  test('an account is created, shown, renamed, given an owner and relieved of one', async () => {
    const created = await acme.post('/api/accounts.json', { name: ' Harbor ' })
    assert.equal(created.status, 201)
    const { id } = (created.json() as { account: Account }).account
    assert.match(String(created.headers.location), new RegExp(`/api/accounts/${id}\\.json$`))
    const renamed = await client.renameAccount(id, { name: 'Pier' })
    assert.equal(renamed.name, 'Pier')
    assert.deepEqual(await client.renameAccount(id, { name: 'Pier' }), renamed)
    const stranger = await person()
    assert.deepEqual(codes(await acme.put(`/api/accounts/${id}/owner.json`, { user_id: stranger.id }), 422), ['user_id does_not_exist'])
    await client.changeUser(stranger.id, { account_id: id })
    assert.equal((await client.setAccountOwner(id, { user_id: stranger.id })).owner_id, stranger.id)
    assert.equal((await client.clearAccountOwner(id)).owner_id, null)
    await refusedInBoth(acme, 'PUT', `/api/accounts/${id}`, 422, ['name blank'], { body: '{"name":" "}', type: 'application/json' })
  })

  test('a site is created, changed and deleted with all that was measured of it', async () => {
    const business = await client.createBusiness({ name: 'Shop' })
    assert.equal((await client.renameBusiness(business.id, { name: 'Store' })).name, 'Store')
    const site = await client.createSite({ business_id: business.id, domain: ' BÜCHER.example ' })
    assert.equal(site.domain, 'xn--bcher-kva.example')
    assert.deepEqual(codes(await acme.post('/api/sites.json', { business_id: business.id, domain: 'bücher.example' }), 422), [
      'domain taken',
    ])
    assert.deepEqual(codes(await acme.post('/api/sites.json', { business_id: business.id, domain: 'http://x' }), 422), ['domain invalid'])
    assert.equal((await client.changeSite(site.id, { domain: 'shop.example' })).domain, 'shop.example')
    const elsewhere = await client.createAccount({ name: 'Elsewhere' })
    const other = await client.createBusiness({ name: 'Other', account_id: elsewhere.id })
    assert.deepEqual(codes(await acme.put(`/api/sites/${site.id}.json`, { business_id: other.id }), 422), ['business_id invalid'])
    const records = [
      { type: 'keyword', site: 'shop.example', phrase: 'plumber' },
      {
        type: 'ranking',
        site: 'shop.example',
        phrase: 'plumber',
        search_engine: 'Google',
        locale: 'en-us',
        ranked_at: '2026-11-01 00:00:00',
        rank: 3,
      },
      { type: 'competitor', site: 'shop.example', competitor: 'rival.example' },
    ] as const
    const pusher = house.client(await issueKey(house.operator, acme.id, { scopes: ['ingest'] }))
    assert.deepEqual((await pusher.pushObservations(records)).refusals, [])
    const user = await person()
    await client.updateUserAbilities(user.id, [{ key: 'show', scope_type: 'Site', scope_id: site.id }])
    assert.equal((await client.deleteSite(site.id)).domain, 'shop.example')
    assert.deepEqual(codes(await acme.get(`/api/sites/${site.id}.json`), 404), ['not_found'])
    assert.doesNotMatch((await acme.get('/api/seo_report.json')).text, /plumber|rival/)
    assert.deepEqual(await client.viewUserAbilities(user.id), [])
    assert.deepEqual(await client.listSites({ domain: 'shop.example' }).toArray(), [])
  })

  test('keywords and competitors are added many at a time, found by their addresses and deleted with what was measured', async () => {
    const business = await client.createBusiness({ name: 'Tracked' })
    const site = await client.createSite({ business_id: business.id, domain: 'tracked.example' })
    const below = `/api/sites/${site.id}`
    const added = await client.addKeywords(site.id, [{ phrase: ' plumber ' }, { phrase: 'roofer' }, { phrase: 'plumber' }])
    const [plumber = 0, roofer = 0, ...more] = added.map(({ id }) => id)
    assert.deepEqual(more, [])
    const again = await acme.post(
      `${below}/keywords.xml`,
      '<keywords type="array"><keyword><phrase>roofer</phrase></keyword><keyword><phrase>tiler</phrase></keyword></keywords>',
    )
    assert.match(again.text, new RegExp(`<id type="integer">${roofer}</id>`))
    assert.equal((await client.listKeywords(site.id).toArray()).length, 3)
    assert.equal((await client.showKeyword(site.id, plumber)).phrase, 'plumber')
    const pusher = house.client(await issueKey(house.operator, acme.id, { scopes: ['ingest'] }))
    const told = { type: 'keyword', site: 'tracked.example', phrase: 'plumber', search_volume: 1900, tags: 'money,city' } as const
    assert.deepEqual((await pusher.pushObservations([told])).refusals, [])
    const facts = (await client.listKeywords(site.id).toArray()).map((one) => [one.search_volume, one.tags])
    assert.deepEqual(facts, [
      [1900, 'city,money'],
      [null, null],
      [null, null],
    ])
    const faults = await acme.post(`${below}/keywords.json`, { keywords: [{ phrase: 'good' }, { phrase: ' ' }, 'x'] })
    assert.deepEqual(codes(faults, 422), ['keywords blank', 'keywords invalid'])
    assert.deepEqual(await client.addKeywords(site.id, []), [])
    const many = { keywords: Array.from({ length: 1001 }, (_, index) => ({ phrase: `phrase ${index}` })) }
    assert.deepEqual(codes(await acme.post(`${below}/keywords.json`, many), 422), ['keywords too_many'])
    const [{ id: rival } = { id: 0 }] = await client.addCompetitors(site.id, [{ domain: 'RIVAL.example' }])
    assert.equal((await client.showCompetitor(site.id, rival)).domain, 'rival.example')
    const report = await acme.get(`/api/seo_report.json?site_id=${site.id}`)
    assert.match(report.text, /"tiler":\[\]/)
    assert.equal((await client.deleteKeyword(site.id, roofer)).phrase, 'roofer')
    assert.equal((await client.deleteCompetitor(site.id, rival)).domain, 'rival.example')
    assert.deepEqual(codes(await acme.ask('DELETE', `${below}/keywords/${roofer}.json`), 404), ['not_found'])
    const after = await acme.get(`/api/seo_report.json?site_id=${site.id}`)
    assert.doesNotMatch(after.text, /roofer|rival/)
    assert.notEqual(after.headers.etag, report.headers.etag)
  })

  test("the partner's own ids are set, read, found by, taken once, and gone with the record", async () => {
    const [one, other] = [await person(), await person()]
    const name = ({ id }: { id: number }, external_id: string, by = client) => by.setUserExternalId(id, { external_id })
    assert.deepEqual(await client.showUserExternalId(one.id), { id: one.id, external_id: null })
    assert.deepEqual(await name(one, ' crm-7 '), { id: one.id, external_id: 'crm-7' })
    const before = await audits('user.external_id')
    await name(one, 'crm-7')
    assert.equal(await audits('user.external_id'), before)
    const taken = await acme.put(`/api/users/${other.id}/external_id.json`, { external_id: 'crm-7' })
    assert.deepEqual(codes(taken, 422), ['external_id taken'])
    const found = async (external_id: string, by = client) => (await by.listUsers({ external_id }).toArray()).map(({ id }) => id)
    assert.deepEqual(await found('crm-7'), [one.id])
    assert.deepEqual(await found('crm-8'), [])
    const globex = await house.partner('Globex')
    const theirs = await globex.client.createUser(newPerson(globex.accountId, { login: 'globex-one', email: 'x@globex.example' }))
    assert.equal((await name(theirs, 'crm-7', globex.client)).external_id, 'crm-7')
    assert.deepEqual(await found('crm-7', globex.client), [theirs.id])
    assert.equal((await name(one, '')).external_id, null)
    await name(other, 'crm-7')
    await client.deleteUser(other.id)
    assert.equal((await name(one, 'crm-7')).external_id, 'crm-7')
    const business = await client.createBusiness({ name: 'Own' })
    const site = await client.createSite({ business_id: business.id, domain: 'own.example' })
    for (const [noun, id] of [
      ['accounts', acme.accountId],
      ['businesses', business.id],
      ['sites', site.id],
    ] as const) {
      await acme.put(`/api/${noun}/${id}/external_id.xml`, xmlOf('external', { external_id: 'crm-7' }))
      const list = (await acme.get(`/api/${noun}.json?external_id=crm-7`)).json() as Record<string, { id: number }[]>
      assert.deepEqual(
        list[noun]?.map((record) => record.id),
        [id],
      )
    }
  })

  test('golden answers', async () => {
    const golden = await house.partner('Golden')
    const user = await golden.client.createUser(newPerson(golden.accountId, { login: 'golden-one', email: 'g@example.com' }))
    const fixed = (reply: Reply): Reply => ({ ...reply, text: reply.text.replaceAll(/(id(?: type="integer")?[">:]+)\d+/g, '$1{id}') })
    const { key, password } = await issueKey(house.operator, golden.id, { scopes: ['login_link'] })
    for (const format of ['xml', 'json']) {
      keep(`user-changed.${format}`, fixed(await golden.put(`/api/users/${user.id}.${format}`, { name: 'Golden' })))
      keep(`user-suspended.${format}`, fixed(await golden.post(`/api/users/${user.id}/suspend.${format}`)))
      await golden.post(`/api/users/${user.id}/unsuspend.${format}`)
      keep(
        `login-link.${format}`,
        fixed(await golden.post(`/api/users/${user.id}/login_link.${format}`, {}, { credentials: `${key}:${password}` })),
      )
      keep(`account.${format}`, fixed(await golden.get(`/api/accounts/${golden.accountId}.${format}`)))
      const business = await golden.client.createBusiness({ name: 'Shop' })
      keep(`external-id.${format}`, fixed(await golden.put(`/api/users/${user.id}/external_id.${format}`, { external_id: 'crm-7' })))
      const site = await golden.client.createSite({ business_id: business.id, domain: `below-${format}.example` })
      const below = `/api/sites/${site.id}`
      keep(`keywords.${format}`, fixed(await golden.post(`${below}/keywords.${format}`, { keywords: [{ phrase: 'plumber & co' }] })))
      const competitors = { competitors: [{ domain: 'rival.example' }] }
      keep(`competitors.${format}`, fixed(await golden.post(`${below}/competitors.${format}`, competitors)))
      keep(
        `new-site.${format}`,
        fixed(await golden.post(`/api/sites.${format}`, { business_id: business.id, domain: `${format}.example` })),
      )
    }
  })
})
