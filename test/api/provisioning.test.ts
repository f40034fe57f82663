/** The life of a partner's people and places through the API: changed, suspended, let in, deleted; accounts with owners; sites. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueKey } from '../../src/model/partners/keys.ts'
import { newPerson, xmlOf } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { matchesGolden, withoutChance } from '../support/golden.ts'
import { codes, refusedInBoth } from '../support/refusals.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

type Known = Record<string, unknown> & { id: number }

onEachEngine('what a partner provisions', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let count = 0

  before(async () => {
    acme = await house.partner('Acme')
  })

  const only = (reply: Reply): Known => {
    assert.ok(reply.status < 300, reply.text)
    return Object.values(reply.json() as Record<string, Known>)[0] as Known
  }
  const person = async (login = `person-${++count}`): Promise<Known> =>
    only(await acme.post('/api/users.json', newPerson(acme.accountId, { login, email: `${login}@example.com` })))
  const audits = async (action: string) =>
    (await house.app.store.db.selectFrom('audit_entries').select('id').where('action', '=', action).execute()).length
  const keep = (name: string, { text }: Reply) =>
    matchesGolden(name, withoutChance(text).replace(/login-link\/[\w-]+/, 'login-link/{token}'))

  test('changes of a user: what is given changes, the rest stays, a repetition is nothing', async () => {
    const { id } = await person('dana-scully')
    const changed = await acme.put(`/api/users/${id}.xml`, xmlOf('user', { email: 'd@example.com', name: ' Dana & Co ' }))
    assert.equal(changed.status, 200, changed.text)
    const shown = only(await acme.get(`/api/users/${id}.json`))
    assert.deepEqual([shown.email, shown.login, shown.name], ['d@example.com', 'dana-scully', 'Dana & Co'])
    const before = await audits('user.change')
    assert.deepEqual(only(await acme.put(`/api/users/${id}.json`, { email: 'd@example.com' })), shown)
    assert.deepEqual(only(await acme.put(`/api/users/${id}.json`, {})), shown)
    assert.equal(await audits('user.change'), before)
    assert.equal(only(await acme.put(`/api/users/${id}.json`, { name: '' })).name, '')
    assert.equal(
      only(
        await acme.post(
          '/api/users.json',
          newPerson(acme.accountId, { login: 'dana-scully@example.com', email: 'dana-scully@example.com' }),
        ),
      ).state,
      'passive',
    )
  })

  test('another password ends what the old one opened and shows another hash', async () => {
    const { id, crypted_password } = await person()
    assert.notEqual(only(await acme.put(`/api/users/${id}.json`, { password: 'other-horse' })).crypted_password, crypted_password)
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
    await put({ email: String(other.email).toUpperCase() }, ['email taken'])
    await put({ login: String(other.login) }, ['login taken'])
    await put({ login: 'some@where.example' }, ['login invalid'])
    await put({ account_id: 999_999 }, ['account_id does_not_exist'])
    assert.deepEqual(only(await acme.get(`/api/users/${one.id}.json`)), one)
  })

  test('who moves to another account no longer owns the one they left', async () => {
    const { id } = await person()
    const account = only(await acme.post('/api/accounts.json', { name: 'Second' }))
    assert.equal(only(await acme.put(`/api/accounts/${acme.accountId}/owner.json`, { user_id: id })).owner_id, id)
    assert.equal(only(await acme.put(`/api/users/${id}.json`, { account_id: account.id })).account_id, account.id)
    assert.equal(only(await acme.get(`/api/accounts/${acme.accountId}.json`)).owner_id, null)
    assert.equal(only(await acme.put(`/api/accounts/${account.id}/owner.json`, { user_id: id })).owner_id, id)
  })

  test('suspended, unsuspended, deleted: a repetition is 200 and unchanged, a deleted user is not found', async () => {
    const { id } = await person()
    const suspended = await acme.post(`/api/users/${id}/suspend.json`)
    assert.equal(only(suspended).state, 'suspended')
    assert.equal((await acme.post(`/api/users/${id}/suspend.json`)).text, suspended.text)
    assert.equal(only(await acme.post(`/api/users/${id}/unsuspend.json`)).state, 'passive')
    const gone = only(await acme.ask('DELETE', `/api/users/${id}.json`))
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
    const again = await acme.post('/api/users.json', newPerson(acme.accountId, { login: String(gone.login), email: 'fresh@example.com' }))
    assert.deepEqual(codes(again, 422), ['login taken'])
  })

  test('a login link needs its scope, lets in once, and is kept encrypted', async () => {
    const { id } = await person()
    assert.equal((await acme.post(`/api/users/${id}/login_link.json`, {})).status, 403)
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['login_link'] })
    const question = { credentials: `${key}:${password}`, headers: { 'idempotency-key': `link-${id}` } }
    const link = await acme.post(`/api/users/${id}/login_link.json`, { seconds: 60 }, question)
    const { url, user_id } = only(link)
    assert.equal(user_id, id)
    assert.equal((await acme.post(`/api/users/${id}/login_link.json`, { seconds: 60 }, question)).text, link.text)
    const token = String(url).split('/').at(-1) ?? ''
    const kept = await house.app.store.db
      .selectFrom('idempotency_records')
      .selectAll()
      .where('key', '=', `link-${id}`)
      .executeTakeFirstOrThrow()
    assert.ok(!Buffer.from(kept.body).includes(token) && !JSON.stringify(kept.headers).includes(token))
    assert.equal((await house.stranger.get(new URL(String(url)).pathname)).status, 200)
    const other = { credentials: question.credentials }
    for (const seconds of [59, 86_401, 'soon']) {
      const reply = await acme.post(`/api/users/${id}/login_link.json`, { seconds }, other)
      assert.deepEqual(codes(reply, 422), [seconds === 'soon' ? 'seconds not_an_integer' : 'seconds invalid'])
    }
    assert.deepEqual(codes(await acme.post('/api/users/999999/login_link.json', { seconds: 1 }, other), 404), ['not_found'])
    await acme.post(`/api/users/${id}/suspend.json`)
    assert.deepEqual(codes(await acme.post(`/api/users/${id}/login_link.json`, {}, other), 409), ['conflict'])
  })

  test('users are narrowed by account and state, page by page', async () => {
    const account = only(await acme.post('/api/accounts.json', { name: 'Third' }))
    const { id } = await person()
    await acme.put(`/api/users/${id}.json`, { account_id: account.id })
    const ids = async (query: string) =>
      ((await acme.get(`/api/users.json?${query}`)).json() as { users: Known[] }).users.map((user) => user.id)
    assert.deepEqual(await ids(`account_id=${account.id}`), [id])
    assert.deepEqual(await ids(`account_id=${account.id}&state=suspended`), [])
    await acme.post(`/api/users/${id}/suspend.json`)
    assert.deepEqual(await ids(`account_id=${account.id}&state=suspended`), [id])
    assert.deepEqual(codes(await acme.get('/api/users.json?state=deleted'), 400), ['bad_request'])
  })

  test('an account is created, shown, renamed, given an owner and relieved of one', async () => {
    const created = await acme.post('/api/accounts.json', { name: ' Harbor ' })
    assert.equal(created.status, 201)
    const { id } = only(created)
    assert.match(String(created.headers.location), new RegExp(`/api/accounts/${id}\\.json$`))
    const renamed = await acme.put(`/api/accounts/${id}.json`, { name: 'Pier' })
    assert.equal(only(renamed).name, 'Pier')
    assert.equal((await acme.put(`/api/accounts/${id}.json`, { name: 'Pier' })).text, renamed.text)
    const stranger = await person()
    assert.deepEqual(codes(await acme.put(`/api/accounts/${id}/owner.json`, { user_id: stranger.id }), 422), ['user_id does_not_exist'])
    await acme.put(`/api/users/${stranger.id}.json`, { account_id: id })
    assert.equal(only(await acme.put(`/api/accounts/${id}/owner.json`, { user_id: stranger.id })).owner_id, stranger.id)
    assert.equal(only(await acme.ask('DELETE', `/api/accounts/${id}/owner.json`)).owner_id, null)
    await refusedInBoth(acme, 'PUT', `/api/accounts/${id}`, 422, ['name blank'], { body: '{"name":" "}', type: 'application/json' })
  })

  test('a site is created, changed and deleted with all that was measured of it', async () => {
    const business = only(await acme.post('/api/businesses.json', { name: 'Shop' }))
    assert.equal(only(await acme.put(`/api/businesses/${business.id}.json`, { name: 'Store' })).name, 'Store')
    const site = only(await acme.post('/api/sites.json', { business_id: business.id, domain: ' BÜCHER.example ' }))
    assert.equal(site.domain, 'xn--bcher-kva.example')
    assert.deepEqual(codes(await acme.post('/api/sites.json', { business_id: business.id, domain: 'bücher.example' }), 422), [
      'domain taken',
    ])
    assert.deepEqual(codes(await acme.post('/api/sites.json', { business_id: business.id, domain: 'http://x' }), 422), ['domain invalid'])
    assert.equal(only(await acme.put(`/api/sites/${site.id}.json`, { domain: 'shop.example' })).domain, 'shop.example')
    const elsewhere = only(await acme.post('/api/accounts.json', { name: 'Elsewhere' }))
    const other = only(await acme.post('/api/businesses.json', { name: 'Other', account_id: elsewhere.id }))
    assert.deepEqual(codes(await acme.put(`/api/sites/${site.id}.json`, { business_id: other.id }), 422), ['business_id invalid'])
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['ingest'] })
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
    ]
    const pushed = await acme.post('/api/observations.json', records, { credentials: `${key}:${password}` })
    assert.equal(pushed.status, 200, pushed.text)
    const user = await person()
    await acme.put(`/api/users/${user.id}/abilities.json`, { abilities: [{ key: 'show', scope_type: 'Site', scope_id: site.id }] })
    assert.equal(only(await acme.ask('DELETE', `/api/sites/${site.id}.json`)).domain, 'shop.example')
    assert.deepEqual(codes(await acme.get(`/api/sites/${site.id}.json`), 404), ['not_found'])
    assert.doesNotMatch((await acme.get('/api/seo_report.json')).text, /plumber|rival/)
    assert.deepEqual((await acme.get(`/api/users/${user.id}/abilities.json`)).json(), { abilities: [] })
    const list = (await acme.get('/api/sites.json?domain=shop.example')).json()
    assert.deepEqual(list, { sites: [] })
  })

  test('keywords and competitors are added many at a time, found by their addresses and deleted with what was measured', async () => {
    const business = only(await acme.post('/api/businesses.json', { name: 'Tracked' }))
    const site = only(await acme.post('/api/sites.json', { business_id: business.id, domain: 'tracked.example' }))
    const below = `/api/sites/${site.id}`
    const idsOf = (reply: Reply, noun: string) => (reply.json() as Record<string, Known[]>)[noun]?.map(({ id }) => id) ?? []
    const added = await acme.post(`${below}/keywords.json`, {
      keywords: [{ phrase: ' plumber ' }, { phrase: 'roofer' }, { phrase: 'plumber' }],
    })
    const [plumber = 0, roofer = 0, ...more] = idsOf(added, 'keywords')
    assert.deepEqual(more, [])
    const again = await acme.post(
      `${below}/keywords.xml`,
      '<keywords type="array"><keyword><phrase>roofer</phrase></keyword><keyword><phrase>tiler</phrase></keyword></keywords>',
    )
    assert.match(again.text, new RegExp(`<id type="integer">${roofer}</id>`))
    assert.equal(idsOf(await acme.get(`${below}/keywords.json`), 'keywords').length, 3)
    assert.equal(only(await acme.get(`${below}/keywords/${plumber}.json`)).phrase, 'plumber')
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['ingest'] })
    const told = { type: 'keyword', site: 'tracked.example', phrase: 'plumber', search_volume: 1900, tags: 'money,city' }
    const pushed = await acme.post('/api/observations.json', [told], { credentials: `${key}:${password}` })
    assert.equal(pushed.status, 200, pushed.text)
    const facts = (reply: Reply) => (reply.json() as Record<string, Known[]>)['keywords']?.map((one) => [one.search_volume, one.tags])
    assert.deepEqual(facts(await acme.get(`${below}/keywords.json`)), [
      [1900, 'city,money'],
      [null, null],
      [null, null],
    ])
    const faults = await acme.post(`${below}/keywords.json`, { keywords: [{ phrase: 'good' }, { phrase: ' ' }, 'x'] })
    assert.deepEqual(codes(faults, 422), ['keywords blank', 'keywords invalid'])
    assert.equal((await acme.post(`${below}/keywords.json`, { keywords: [] })).status, 200)
    const many = { keywords: Array.from({ length: 1001 }, (_, index) => ({ phrase: `phrase ${index}` })) }
    assert.deepEqual(codes(await acme.post(`${below}/keywords.json`, many), 422), ['keywords too_many'])
    const [rival = 0] = idsOf(await acme.post(`${below}/competitors.json`, { competitors: [{ domain: 'RIVAL.example' }] }), 'competitors')
    assert.equal(only(await acme.get(`${below}/competitors/${rival}.json`)).domain, 'rival.example')
    const report = await acme.get(`/api/seo_report.json?site_id=${site.id}`)
    assert.match(report.text, /"tiler":\[\]/)
    assert.equal(only(await acme.ask('DELETE', `${below}/keywords/${roofer}.json`)).phrase, 'roofer')
    assert.equal(only(await acme.ask('DELETE', `${below}/competitors/${rival}.json`)).domain, 'rival.example')
    assert.deepEqual(codes(await acme.ask('DELETE', `${below}/keywords/${roofer}.json`), 404), ['not_found'])
    const after = await acme.get(`/api/seo_report.json?site_id=${site.id}`)
    assert.doesNotMatch(after.text, /roofer|rival/)
    assert.notEqual(after.headers.etag, report.headers.etag)
  })

  test("the partner's own ids are set, read, found by, taken once, and gone with the record", async () => {
    const [one, other] = [await person(), await person()]
    const own = (id: number) => `/api/users/${id}/external_id.json`
    assert.deepEqual(only(await acme.get(own(one.id))), { id: one.id, external_id: null })
    assert.deepEqual(only(await acme.put(own(one.id), { external_id: ' crm-7 ' })), { id: one.id, external_id: 'crm-7' })
    const before = await audits('user.external_id')
    await acme.put(own(one.id), { external_id: 'crm-7' })
    assert.equal(await audits('user.external_id'), before)
    assert.deepEqual(codes(await acme.put(own(other.id), { external_id: 'crm-7' }), 422), ['external_id taken'])
    const found = async (partner: TestPartner, name: string) =>
      ((await partner.get(`/api/users.json?external_id=${name}`)).json() as { users: Known[] }).users.map(({ id }) => id)
    assert.deepEqual(await found(acme, 'crm-7'), [one.id])
    assert.deepEqual(await found(acme, 'crm-8'), [])
    const globex = await house.partner('Globex')
    const theirs = only(
      await globex.post('/api/users.json', newPerson(globex.accountId, { login: 'globex-one', email: 'x@globex.example' })),
    )
    assert.equal(only(await globex.put(own(theirs.id), { external_id: 'crm-7' })).external_id, 'crm-7')
    assert.deepEqual(await found(globex, 'crm-7'), [theirs.id])
    assert.equal(only(await acme.put(own(one.id), { external_id: '' })).external_id, null)
    await acme.put(own(other.id), { external_id: 'crm-7' })
    await acme.ask('DELETE', `/api/users/${other.id}.json`)
    assert.equal(only(await acme.put(own(one.id), { external_id: 'crm-7' })).external_id, 'crm-7')
    const business = only(await acme.post('/api/businesses.json', { name: 'Own' }))
    const site = only(await acme.post('/api/sites.json', { business_id: business.id, domain: 'own.example' }))
    for (const [noun, id] of [
      ['accounts', acme.accountId],
      ['businesses', business.id],
      ['sites', site.id],
    ] as const) {
      await acme.put(`/api/${noun}/${id}/external_id.xml`, xmlOf('external', { external_id: 'crm-7' }))
      const list = (await acme.get(`/api/${noun}.json?external_id=crm-7`)).json() as Record<string, Known[]>
      assert.deepEqual(
        list[noun]?.map((record) => record.id),
        [id],
      )
    }
  })

  test('golden answers', async () => {
    const golden = await house.partner('Golden')
    const user = only(await golden.post('/api/users.json', newPerson(golden.accountId, { login: 'golden-one', email: 'g@example.com' })))
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
      const business = only(await golden.post('/api/businesses.json', { name: 'Shop' }))
      keep(`external-id.${format}`, fixed(await golden.put(`/api/users/${user.id}/external_id.${format}`, { external_id: 'crm-7' })))
      const domain = `below-${format}.example`
      const site = only(await golden.post('/api/sites.json', { business_id: business.id, domain }))
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
