/** Share links: one site, read-only, for whoever holds the link, until it expires or is revoked. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isAnyMakerNeeded, noteLostLinks } from '../../src/model/people/lost-links.ts'
import { createShareLink, listShareLinks, openShareLink, revokeShareLink } from '../../src/model/people/share-links.ts'
import { onPageEngine } from '../support/engines.ts'
import { makePeople, type PeopleWorld } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { serviceOn } from '../support/service.ts'

onPageEngine('share links', (place) => {
  const service = serviceOn(place)
  let world: PeopleWorld
  before(async () => {
    world = await makePeople(service.operator)
  })
  const browser = () => new PlainBrowser(service.stranger)
  const entered = async (login: string) => {
    const person = browser()
    assert.equal((await person.logIn(login)).status, 303)
    return person
  }
  const share = (site: number, wishes: { days?: number; password?: string } = {}) =>
    createShareLink(service.operator, site, { label: 'a friend', days: wishes.days ?? 30, password: wishes.password ?? null })

  test('dana makes a link on the page, a stranger opens it and sees that site, and nothing else', async () => {
    const dana = await entered('dana-owner')
    const path = `/sites/${world.chicago}/share`
    assert.match((await dana.get(`/sites/${world.chicago}/search`)).text, new RegExp(`href="${path}"`))
    const made = await dana.post(path, { form_token: await dana.token(path), label: 'Ana <b>', days: '30', password: '' })
    assert.equal(made.headers.location, path, 'a reload makes no second link')
    const told = (await dana.get(path)).text
    assert.match(told, /Ana &lt;b&gt;/)
    const [, link = ''] = /<code>[^<]*(\/share\/[\w-]+)<\/code>/.exec(told) ?? []
    assert.doesNotMatch((await dana.get(path)).text, /<code>/, 'a second look does not tell it')
    const wrong = await dana.post(path, { form_token: await dana.token(path), label: 'Bo', days: '7', password: 'short' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /name="label" maxlength="100" value="Bo".*<option value="7" selected>/s, 'what was typed stays')
    assert.equal((await listShareLinks(service.operator, world.chicago)).length, 1)
    const guest = browser()
    const opened = await guest.get(link)
    assert.equal(opened.status, 303)
    assert.equal(opened.headers.location, `/sites/${world.chicago}/search`)
    for (const page of ['search', 'reputation', 'search.csv?table=keywords']) {
      assert.equal((await guest.get(`/sites/${world.chicago}/${page}`)).status, 200, page)
    }
    const shown = await guest.get(`/sites/${world.chicago}/search`)
    assert.equal(shown.headers['x-robots-tag'], 'noindex')
    assert.doesNotMatch(shown.text, /All sites|Log out|\/share"/)
    assert.equal((await guest.get(`/sites/${world.evanston}/search`)).status, 404)
    assert.equal((await guest.get('/')).headers.location, '/login')
    assert.equal((await guest.get(path)).status, 303, 'a guest is led to the login where only persons may go')
    assert.equal((await guest.get('/api/users.json')).status, 401)
  })

  test('kim, who may see the site but does not own the account, can neither make nor list links', async () => {
    const kim = await entered('kim-one-site')
    const path = `/sites/${world.chicago}/share`
    assert.equal((await kim.get(path)).status, 404)
    assert.equal((await kim.post(path, { form_token: await kim.token('/password'), label: '', days: '30', password: '' })).status, 404)
  })

  test('a link with a password asks for it, refuses a wrong one and slows down who guesses', async () => {
    const { token } = await share(world.chicago, { password: 'open sesame' })
    const guest = browser()
    const asked = await guest.get(`/share/${token}`)
    assert.match(asked.text, /needs a password/)
    assert.equal((await guest.get(`/sites/${world.chicago}/search`)).headers.location?.startsWith('/login'), true)
    const tryWith = async (password: string) =>
      guest.post(`/share/${token}`, { form_token: await guest.token(`/share/${token}`), password })
    assert.equal((await tryWith('guess')).status, 401)
    assert.equal((await tryWith('open sesame')).status, 303)
    assert.equal((await guest.get(`/sites/${world.chicago}/search`)).status, 200)
    // Each further guess waits twice as long as the one before, so however slow the machine is, some guess comes too early.
    let guesses = 0
    let status = 401
    for (; status === 401 && guesses < 20; guesses++) ({ status } = await tryWith(`guess ${guesses}`))
    assert.equal(status, 429)
    assert.ok(guesses > 4, 'the first four cost nothing')
  })

  test('guesses from many networks lock nobody out who has the link and the password', async () => {
    const { token } = await share(world.chicago, { password: 'open sesame' })
    const { app } = service
    const from = (network: string, password: string) =>
      openShareLink({ app, requestId: 'test', network, hostPartnerId: null }, token, password)
    for (let guess = 0; guess < 102; guess++) await assert.rejects(from(`203.0.113.${guess}`, 'guess'), { code: 'unauthorized' })
    assert.match(await from('198.51.100.7', 'open sesame'), new RegExp(`^${token}\\.`))
  })

  test('the page says who made a link, and whether they may still share the site', async () => {
    const dana = await entered('dana-owner')
    const path = `/sites/${world.chicago}/share`
    const made = (maker: string | undefined) => new RegExp(`<td data-l="By" class="wrap">${maker}`)
    const { id } = await share(world.chicago)
    assert.match((await dana.get(path)).text, made('–'))
    const by = (user: number) =>
      service.app.store.write((tx) => tx.updateTable('share_links').set({ created_by: user }).where('id', '=', id).execute())
    await by(world.users['dana-owner'])
    assert.match((await dana.get(path)).text, made('dana-owner</td>'))
    await by(world.users['kim-one-site'])
    assert.match((await dana.get(path)).text, made('kim-one-site, <span class="quiet">who may no longer share this site</span>'))
  })

  test('a link ends 14 days after its maker lost the right, at once while they are suspended, and not if somebody takes it over', async () => {
    const dana = await entered('dana-owner')
    const path = `/sites/${world.chicago}/share`
    const { id, token } = await share(world.chicago)
    const old = await share(world.chicago)
    const set = (link: number, values: object) =>
      service.app.store.write((tx) => tx.updateTable('share_links').set(values).where('id', '=', link).execute())
    const kim = { created_by: world.users['kim-one-site'] }
    await set(id, { ...kim, needs_maker: 1 })
    await set(old.id, kim)
    const state = async (login: 'suspended' | 'active') =>
      service.app.store.write((tx) => tx.updateTable('users').set({ state: login }).where('id', '=', kim.created_by).execute())
    const opens = async (one = token) => (await browser().get(`/share/${one}`)).status
    const note = () => noteLostLinks(service.operator, AbortSignal.timeout(60_000))
    await state('suspended')
    assert.deepEqual([await opens(), await opens(old.token)], [410, 303])
    await state('active')
    assert.equal(await isAnyMakerNeeded(service.app), true)
    await note()
    assert.equal(await opens(), 303)
    assert.match((await dana.get(path)).text, /<p>Ends on [^<]+<\/p>/)
    const lostAt = async (link: number) =>
      (await service.app.store.db.selectFrom('share_links').select('maker_lost_at').where('id', '=', link).executeTakeFirstOrThrow())
        .maker_lost_at
    assert.deepEqual([(await lostAt(id)) === null, await lostAt(old.id)], [false, null])
    await set(id, { created_by: world.users['dana-owner'] })
    await note()
    assert.equal(await lostAt(id), null, 'whoever may share again keeps it')
    await set(id, { ...kim, maker_lost_at: '2020-01-01T00:00:00Z' })
    assert.match((await browser().get(`/share/${token}`)).text, /It ended on .*, because whoever made it may no longer share these pages/)
    const keep = async (link: number) => dana.post(`${path}/${link}`, { form_token: await dana.token(path), do: 'keep' })
    assert.equal((await keep(id)).status, 409)
    await set(id, { maker_lost_at: null })
    await note()
    for (const one of [id, old.id]) assert.equal((await keep(one)).headers.location, path)
    assert.equal((await keep(id)).headers.location, path, 'twice is once')
    await note()
    assert.deepEqual([await lostAt(id), await opens(), await opens(old.token)], [null, 303, 303])
    const { id: programs } = await share(world.chicago)
    assert.equal((await keep(programs)).status, 409)
  })

  test('a revoked link, an expired one and one that never was are dead at the next click', async () => {
    const { id, token } = await share(world.chicago)
    const guest = browser()
    await guest.get(`/share/${token}`)
    assert.equal((await guest.get(`/sites/${world.chicago}/search`)).status, 200)
    const dana = await entered('dana-owner')
    const path = `/sites/${world.chicago}/share`
    const revoked = await dana.post(`${path}/${id}`, { form_token: await dana.token(path) })
    assert.equal(revoked.status, 303)
    assert.match((await dana.get(path)).text, /revoked/)
    assert.equal((await guest.get(`/sites/${world.chicago}/search`)).status, 303)
    const over = await guest.get(`/share/${token}`)
    assert.equal(over.status, 410)
    assert.match(over.text, /It was revoked on [^<]+ by dana-owner\./)
    assert.equal((await guest.get('/share/never-was')).status, 410)
    const short = await share(world.chicago, { days: 1 })
    await service.app.store.write((tx) =>
      tx.updateTable('share_links').set({ expires_at: '2020-01-01T00:00:00Z' }).where('id', '=', short.id).execute(),
    )
    const late = await guest.get(`/share/${short.token}`)
    assert.equal(late.status, 410)
    assert.match(late.text, /It expired on /)
  })

  test('a site has 50 links that open it; expired and revoked ones do not count, nor those of another site', async () => {
    const { store } = service.app
    await share(world.evanston)
    const expired = { expires_at: '2020-01-01T00:00:00Z' }
    await store.write((tx) => tx.updateTable('share_links').set(expired).where('site_id', '=', world.chicago).execute())
    const links: { id: number }[] = []
    for (let made = 0; made < 50; made++) links.push(await share(world.chicago))
    const refused = () => assert.rejects(share(world.chicago), { code: 'validation_failed' })
    await refused()
    await store.write((tx) =>
      tx
        .updateTable('share_links')
        .set(expired)
        .where('id', '=', links[0]?.id ?? 0)
        .execute(),
    )
    await share(world.chicago)
    await refused()
    await revokeShareLink(service.operator, world.chicago, links[1]?.id ?? 0)
    await share(world.chicago)
    await refused()
  })

  test('the list tells when a link was last used, and the store holds neither token nor password', async () => {
    const { id, token } = await share(world.evanston, { password: 'open sesame' })
    const guest = browser()
    await guest.post(`/share/${token}`, { form_token: await guest.token(`/share/${token}`), password: 'open sesame' })
    await guest.get(`/sites/${world.evanston}/search`)
    const link = (await listShareLinks(service.operator, world.evanston)).find((one) => one.id === id)
    assert.ok(link?.last_used_at)
    const rows = JSON.stringify(await service.app.store.db.selectFrom('share_links').selectAll().execute())
    assert.ok(!rows.includes(token) && !rows.includes('open sesame'))
  })

  test('bad wishes are told in a sentence, and nothing is made', async () => {
    const dana = await entered('dana-owner')
    const path = `/sites/${world.chicago}/share`
    const before = (await listShareLinks(service.operator, world.chicago)).length
    for (const [field, value] of [
      ['days', '0'],
      ['days', 'many'],
      ['password', 'abc'],
      ['label', 'x'.repeat(101)],
    ] as const) {
      const wishes = { form_token: await dana.token(path), label: '', days: '30', password: '', [field]: value }
      assert.equal((await dana.post(path, wishes)).status, 422, `${field} ${value}`)
    }
    assert.equal((await listShareLinks(service.operator, world.chicago)).length, before)
  })
})
