import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { secondsAfter } from '../../src/lib/time/clock.ts'
import { setBrand } from '../../src/model/partners/brand-changes.ts'
import { logOutEverywhere } from '../../src/model/people/login-links.ts'
import { pages } from '../../src/web/pages.ts'
import { importLines } from '../support/data.ts'
import { freshPlace, onPageEngine } from '../support/engines.ts'
import { makePeople, type PeopleWorld, password } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { basic, type Reply, serviceOn, startTestService } from '../support/service.ts'

onPageEngine('the doors of the pages', (place) => {
  const service = serviceOn(place)
  let world: PeopleWorld
  const host = { host: 'marquee.test' }
  const guest = (headers: Record<string, string> = {}) => new PlainBrowser(service.stranger, { ...host, 'x-test': '1', ...headers })
  before(async () => {
    world = await makePeople(service.operator)
  })
  /** The host name is ours but plain HTTP, so the token is asked for at the loopback address. */
  const local = () => new PlainBrowser(service.stranger)
  const entered = async (login: string) => {
    const person = local()
    assert.equal((await person.logIn(login)).status, 303)
    return person
  }

  test('the cookie belongs to this host, travels over HTTPS only and is hidden from scripts; it is new at each login', async () => {
    const dana = local()
    const first = await dana.logIn('dana-owner')
    const line = first.headers['set-cookie']?.find((one) => one.startsWith('__Host-session=')) ?? ''
    assert.match(line, /^__Host-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    const second = await local().logIn('dana-owner', password, { remember: 'yes' })
    const remembered = second.headers['set-cookie']?.find((one) => one.startsWith('__Host-session=')) ?? ''
    assert.match(remembered, /; Max-Age=1209600$/)
    assert.notEqual(line.slice(0, 60), remembered.slice(0, 60))
  })

  test('a page comes in a coding that the browser takes', async () => {
    const asking = (accepted: string) => new PlainBrowser(service.stranger, { 'accept-encoding': accepted })
    const codings = [
      ['gzip, br', 'br'],
      ['br;q=0.5, gzip', 'gzip'],
      ['br;q=0, gzip;q=0', undefined],
      ['zstd', undefined],
    ] as const
    for (const [accepted, coding] of codings)
      assert.equal((await asking(accepted).get('/login')).headers['content-encoding'], coding, accepted)
  })

  test('the owner notes what happened on a day; readers see it on the chart, and nobody else writes or removes it', async () => {
    const [dana, rosa, gina] = [await entered('dana-owner'), await entered('rosa-account'), await entered('gina-globex')]
    const target = { partnerId: world.partnerId }
    const day = new Date().toISOString().slice(0, 10)
    const ranking = { type: 'ranking', site: 'chicago.harbor.example', phrase: 'a', search_engine: 'Google', locale: 'en-us', rank: 3 }
    await importLines({ ...service, ...world, target, siteId: 0, otherAccountId: 0 }, [{ ...ranking, ranked_at: `${day} 01:00:00` }], {
      createMissing: true,
    })
    const path = `/sites/${world.chicago}/annotations`
    const post = async (who: PlainBrowser, to: string, fields: Record<string, string>) =>
      (await who.post(to, { form_token: await who.token('/sessions'), ...fields })).status
    assert.equal(await post(dana, path, { day, text: ' New <b>host</b> ' }), 303)
    assert.deepEqual([await post(rosa, path, { day, text: 'x' }), await post(gina, path, { day, text: 'x' })], [404, 404])
    assert.equal(await post(dana, path, { day: '2026-02-31', text: 'never' }), 303)
    const page = (await rosa.get(`/sites/${world.chicago}/search`)).text
    assert.match(page, /<ol class="pins"><li><b>[^<]*<\/b> <span dir="auto">New &lt;b&gt;host&lt;\/b&gt;<\/span><\/li><\/ol>/)
    assert.match(page, /class="pin"/)
    assert.doesNotMatch(page, /Note what happened/)
    const id = /annotations\/(\d+)/.exec((await dana.get(`/sites/${world.chicago}/search`)).text)?.[1]
    assert.equal(await post(rosa, `${path}/${id}`, {}), 404)
    assert.equal(await post(dana, `${path}/${id}`, {}), 303)
    assert.doesNotMatch((await rosa.get(`/sites/${world.chicago}/search`)).text, /class="pins"/)
  })

  test('static files carry no cookie', async () => {
    const page = await local().get('/login')
    const style = /href="(\/assets\/style[^"]*)"/.exec(page.text)?.[1] ?? ''
    assert.ok(page.headers['set-cookie'], 'a page does')
    for (const path of [style, '/print.css?left=a&right=b']) {
      const reply = await local().get(path)
      assert.deepEqual([reply.status, reply.headers['set-cookie']], [200, undefined], path)
    }
  })

  test('whose session has ended is told so at the login, and a stranger is not', async () => {
    const dana = await entered('dana-owner')
    await logOutEverywhere(service.operator, world.users['dana-owner'])
    const reply = await dana.get('/sites/1/search')
    assert.equal(reply.headers.location, '/login?next=%2Fsites%2F1%2Fsearch&session=ended')
    assert.match((await dana.get(reply.headers.location ?? '')).text, /You have been logged out\. A login lasts 12 hours/)
    const idle = await entered('dana-owner')
    const before = secondsAfter(service.app.clock.now(), -1_860)
    await service.app.store.write((tx) =>
      tx.updateTable('sessions').set({ last_seen_at: before }).where('user_id', '=', world.users['dana-owner']).execute(),
    )
    const over = await idle.get('/')
    assert.equal(over.headers.location, '/login?session=idle')
    assert.match((await idle.get('/login?session=idle')).text, /you opened no page for 30 minutes/)
    assert.equal((await local().get('/')).headers.location, '/login')
  })

  test('a person sees their own sessions and ends one, and nobody else can', async () => {
    await logOutEverywhere(service.operator, world.users['rosa-account'])
    const [here, there, other] = [await entered('rosa-account'), await entered('rosa-account'), await entered('dana-owner')]
    const list = (await here.get('/sessions')).text
    const id = /name="session" value="([0-9a-f]{16})"/.exec(list)?.[1] ?? assert.fail(list)
    assert.match(list, /this one/)
    await other.post('/sessions', { form_token: await other.token('/sessions'), session: id })
    assert.equal((await there.get('/sessions')).status, 200, 'the session of another person stays')
    await here.post('/sessions', { form_token: await here.token('/sessions'), session: id })
    assert.equal((await there.get('/sessions')).status, 303)
    assert.equal((await here.get('/sessions')).status, 200)
    const again = await entered('rosa-account')
    await here.post('/sessions', { form_token: await here.token('/sessions'), session: 'others' })
    assert.deepEqual([(await again.get('/sessions')).status, (await here.get('/sessions')).status], [303, 200])
    assert.match((await here.get('/sessions')).text, /You are logged in here and nowhere else\./)
  })

  test('every page answers with the browser policy, also when it refuses', async () => {
    const dana = await entered('dana-owner')
    for (const page of pages) {
      const path = page.path
        .replace('{site_id}', String(world.chicago))
        .replace('{keyword_id}', '1')
        .replace(/\{\w+\}/g, 'x')
      const reply = page.method === 'GET' ? await dana.get(path) : await dana.post(path, {})
      const policy = String(reply.headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/, path)
      assert.match(policy, /form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/, path)
      assert.equal(reply.headers['x-content-type-options'], 'nosniff', path)
      assert.equal(reply.headers['referrer-policy'], 'no-referrer', path)
      assert.ok(reply.headers['x-request-id'], path)
    }
  })

  test('a stranger is sent to the login and comes back to where they wanted to go, never to another host', async () => {
    for (const page of pages.filter(({ to, method }) => to === 'person' && method === 'GET')) {
      const path = page.path.replace(/\{\w+\}/g, '1')
      const reply = await local().get(path)
      assert.equal(reply.status, 303, path)
      assert.match(reply.headers.location ?? '', /^\/login/, path)
    }
    const back = await local().logIn('dana-owner', password, { next: `/sites/${world.chicago}/search?days=30` })
    assert.equal(back.headers.location, `/sites/${world.chicago}/search?days=30`)
    for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', '/a\nb']) {
      assert.equal((await local().logIn('dana-owner', password, { next })).headers.location, '/', next)
    }
  })

  test('a form is only taken from our own page with the token of this visit', async () => {
    const cases: [headers: Record<string, string>, token: 'own' | 'none' | "another's" | 'broken', status: number][] = [
      [{ 'sec-fetch-site': 'same-origin' }, 'own', 303],
      [{ origin: 'http://HOST' }, 'own', 303],
      [{ 'sec-fetch-site': 'cross-site' }, 'own', 403],
      [{ 'sec-fetch-site': 'same-site' }, 'own', 403],
      [{ 'sec-fetch-site': 'none' }, 'own', 403],
      [{ origin: 'https://evil.example' }, 'own', 403],
      [{ origin: 'null' }, 'own', 403],
      [{}, 'own', 403],
      [{ 'sec-fetch-site': 'same-origin' }, 'none', 403],
      [{ 'sec-fetch-site': 'same-origin' }, 'broken', 403],
      [{ 'sec-fetch-site': 'same-origin' }, "another's", 403],
    ]
    for (const [headers, which, status] of cases) {
      const visitor = local()
      const own = await visitor.token()
      const token = { own, none: '', broken: `${own.slice(0, -4)}AAAA`, "another's": await local().token() }[which]
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('HOST', new URL(service.url).host)]),
      )
      const reply = await visitor.post('/login', { form_token: token, name: 'dana-owner', password }, sent)
      assert.equal(reply.status, status, `${JSON.stringify(headers)} ${which}`)
      assert.equal(
        reply.headers['set-cookie']?.some((one) => one.startsWith('__Host-session')) ?? false,
        status === 303,
        `${JSON.stringify(headers)} ${which}`,
      )
    }
    const dana = await entered('dana-owner')
    assert.equal((await dana.post('/logout', { form_token: await local().token() })).status, 403)
    assert.equal((await dana.get('/password')).status, 200, 'still logged in')
  })

  test('a cookie opens no API, a key opens no page', async () => {
    const dana = await entered('dana-owner')
    const partner = await service.partner('Keys')
    assert.equal((await service.stranger.get('/api/users', { headers: { cookie: dana.cookie } })).status, 401)
    const reply = await local().get('/', { headers: { authorization: basic(partner.credentials) } })
    assert.equal(reply.status, 303)
  })

  test('logging out ends the session for good', async () => {
    const dana = await entered('dana-owner')
    const kept = dana.cookie
    const out = await dana.post('/logout', { form_token: await dana.token('/password') })
    assert.equal(out.headers.location, '/login')
    assert.equal((await local().get('/password', { headers: { cookie: kept } })).status, 303)
  })

  test("another's site, an absent one and a page that never was look alike", async () => {
    const kim = await entered('kim-one-site')
    const strip = (text: string) =>
      text
        .replace(/[\w-]{80,}/g, '')
        .replace(/Request [\w-]+/, '')
        .replace(/value="\/[^"]*"/g, '')
    const [foreign, neighbour, absent, never] = await Promise.all(
      [`/sites/${world.globexSite}/search`, `/sites/${world.evanston}/reputation`, '/sites/987654/search', '/nothing/here'].map((path) =>
        kim.get(path),
      ),
    )
    for (const reply of [foreign, neighbour, absent, never]) assert.equal(reply?.status, 404)
    assert.equal(strip(neighbour?.text ?? ''), strip(absent?.text ?? ''))
    assert.equal(strip(foreign?.text ?? ''), strip(absent?.text ?? ''))
    assert.equal(strip(never?.text ?? ''), strip(absent?.text ?? ''))
    for (const table of ['keywords', 'nothing'])
      assert.equal((await kim.get(`/sites/${world.evanston}/search.csv?table=${table}`)).status, 404)
    for (const file of ['report.pdf', 'search.xlsx?table=keywords', 'reputation.xlsx?table=reviews'])
      assert.equal((await kim.get(`/sites/${world.evanston}/${file}`)).status, 404)
  })

  test('pages answer to known hosts only', async () => {
    await setBrand(service.operator, world.partnerId, { hostName: 'reports.acme.example', accent: '#aa0033' })
    assert.equal((await local().get('/login', { headers: { host: 'unknown.example' } })).status, 421)
    assert.equal((await local().get('/login', { headers: { host: 'unknown.example', 'x-forwarded-host': 'marquee.test' } })).status, 421)
    for (const known of ['marquee.test', 'localhost:8080', 'reports.acme.example'])
      assert.equal((await local().get('/login', { headers: { host: known } })).status, 200, known)
  })

  test('over plain HTTP the login says that HTTPS is needed and offers no form', async () => {
    const reply = await guest().get('/login')
    assert.equal(reply.status, 200)
    assert.match(reply.text, /https:\/\//)
    assert.doesNotMatch(reply.text, /<form/)
  })

  test("at a partner's host its name is everywhere and ours nowhere; strangers to it are refused in the ordinary words", async () => {
    await setBrand(service.operator, world.partnerId, { hostName: 'reports.acme.example' })
    const secure = { host: 'reports.acme.example', 'x-forwarded-proto': 'https' }
    const place2 = await freshPlace('sqlite')
    const other = await startTestService(place2, { MARQUEE_TRUSTED_PROXIES: '127.0.0.1' })
    try {
      const there = await makePeople(other.operator)
      await setBrand(other.operator, there.partnerId, { hostName: 'reports.acme.example' })
      const visitor = () => new PlainBrowser(other.stranger, secure)
      const login = await visitor().get('/login')
      assert.match(login.text, /Acme/)
      assert.doesNotMatch(login.text, /marquee/i)
      assert.equal(login.headers['strict-transport-security'], 'max-age=31536000')
      const gina = await visitor().logIn('gina-globex')
      const wrong = await visitor().logIn('dana-owner', 'not this one')
      assert.deepEqual([gina.status, wrong.status], [403, 403])
      const sentence = (reply: Reply) => /role="alert">([^<]*)</.exec(reply.text)?.[1]
      assert.ok(sentence(gina) && sentence(gina) === sentence(wrong))
      const dana = visitor()
      assert.equal((await dana.logIn('dana-owner')).status, 303)
      assert.doesNotMatch((await dana.get('/')).text, /marquee/i)
    } finally {
      await other.stop()
      await place2.remove()
    }
  })

  test('other methods are refused with the ones that are taken', async () => {
    const reply = await service.stranger.ask('DELETE', '/login')
    assert.deepEqual([reply.status, reply.headers.allow], [405, 'GET, HEAD, POST'])
    assert.equal((await service.stranger.ask('HEAD', '/login')).status, 200)
  })
})

describe('the table of pages', () => {
  test('every address is there once for each method', () => {
    const names = pages.map(({ method, path }) => `${method} ${path}`)
    assert.equal(new Set(names).size, names.length)
  })
})
