/** The second factor on its pages: set up, asked for, given up, and demanded of staff. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lateWritesDone } from '../../src/model/core/late-writes.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { appointStaff } from '../../src/model/people/staff/staff.ts'
import { pages } from '../../src/web/pages.ts'
import { onPageEngine } from '../support/engines.ts'
import { codeAt } from '../support/one-time-codes.ts'
import { makePeople, type PeopleWorld, password } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { startTestService, type TestService } from '../support/service.ts'

onPageEngine('the pages of the second factor', (place) => {
  let [service, world] = [] as unknown as [TestService, PeopleWorld]
  before(async () => {
    service = await startTestService(place)
    world = await makePeople(service.operator)
  })
  after(() => service?.stop())

  const at = async (name: string) => {
    const browser = new PlainBrowser(service.stranger)
    return { browser, reply: await browser.logIn(name, password, { next: '/sessions' }) }
  }
  const post = async (browser: PlainBrowser, fields: Record<string, string>, path = '/second-factor') =>
    browser.post(path, { form_token: await browser.token(path), ...fields })
  const setUp = async (browser: PlainBrowser) => {
    const { text } = await post(browser, { do: 'begin', 'password-begin': password })
    const key = /class="key">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? assert.fail(text)
    const done = await post(browser, { do: 'confirm', code: codeAt(key, new Date().toISOString()) })
    return { key, text, done, codes: [...done.text.matchAll(/<li><code>([a-z2-7-]+)</g)].map(([, code = '']) => code) }
  }

  test('sets it up, asks for it at the login, and lets it be given up', async () => {
    const { browser } = await at('rosa-account')
    const guess = await post(browser, { do: 'begin', 'password-begin': 'a guess' })
    assert.deepEqual([guess.status, /id="password-begin-wrong"[^>]*>This is not your current password\./.test(guess.text)], [422, true])
    const { key, text, codes } = await setUp(browser)
    assert.match(text, /<svg[^>]+viewBox/)
    assert.equal(codes.length, 10)
    assert.match((await browser.get('/second-factor')).text, /You have 10 recovery codes left/)

    const { browser: again, reply } = await at('rosa-account')
    assert.deepEqual([reply.status, reply.headers.location], [303, '/login/code?next=%2Fsessions'])
    assert.match((await again.get('/')).headers.location ?? '', /^\/login/, 'the password alone opens nothing')
    assert.match((await again.get('/login/code?next=%2Fsessions')).text, /one-time-code/)
    const refused = await post(again, { code: '000000', next: '/sessions' }, '/login/code')
    assert.deepEqual([refused.status, /role="alert">This code is not right/.test(refused.text)], [403, true])
    assert.ok(!refused.text.includes(key))
    const entered = await post(again, { code: codes[0] ?? '', next: '/sessions' }, '/login/code')
    assert.deepEqual([entered.status, entered.headers.location], [303, '/sessions'])
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }
    const seen = new PlainBrowser(service.stranger, firefox)
    seen.cookies = again.cookies
    await service.app.store.write((tx) =>
      tx.updateTable('sessions').set({ last_seen_at: '2026-01-01T00:00:00Z', is_remembered: 1 }).execute(),
    )
    await seen.get('/sessions')
    await lateWritesDone(service.app)
    assert.match((await seen.get('/sessions')).text, /Firefox on Linux<\/th><td data-l="Network">127\.0\.0\.1</)
    assert.equal(again.cookie.includes('pending'), false)

    assert.equal((await post(again, { do: 'off', 'password-off': 'a guess' })).status, 422)
    assert.equal((await post(again, { do: 'off', 'password-off': password })).status, 303)
    assert.equal((await at('rosa-account')).reply.headers.location, '/sessions')
  })

  test('a first code that is wrong leaves the key on the page, and one that comes too late says so', async () => {
    const { browser } = await at('lee-business')
    const { text } = await post(browser, { do: 'begin', 'password-begin': password })
    const key = /class="key">([A-Z2-7 ]+)</.exec(text)?.[1] ?? assert.fail()
    const wrong = await post(browser, { do: 'confirm', code: 'abc' })
    assert.deepEqual([wrong.status, wrong.text.includes(key)], [422, true])
    await post(browser, { do: 'confirm', code: codeAt(key.replaceAll(' ', ''), new Date().toISOString()) })
    const late = await post(browser, { do: 'confirm', code: '123456' })
    assert.deepEqual([late.status, /given up meanwhile|on since/.test(late.text)], [422, true])
  })

  test('whoever has no login under way is sent to the login', async () => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.get('/login/code')).headers.location, '/login')
    const form_token = await browser.token()
    assert.equal((await browser.post('/login/code', { form_token, code: '123456' })).headers.location, '/login')
  })

  test('staff of whom it is demanded see nothing before it is set up', async () => {
    await appointStaff(service.operator, world.partnerId, world.users['kim-one-site'], { role: 'admin', customers: 'all' })
    const { browser } = await at('kim-one-site')
    await setPartner(service.operator, world.partnerId, { demands_second_factor: 1 })
    const open = new Set(['/second-factor', '/password'])
    for (const { method, path, to } of pages)
      if (method === 'GET' && to !== 'anyone' && !open.has(path)) {
        const { status, headers } = await browser.get(path.replace(/\{\w+\}/g, String(world.chicago)))
        assert.deepEqual([status, headers.location], [303, '/second-factor'], path)
      }
    assert.match((await browser.get('/second-factor')).text, /Everybody who works here needs a second factor/)
    await setUp(browser)
    assert.equal((await browser.get('/desk')).status, 200)
    const { browser: client } = await at('dana-owner')
    assert.equal((await client.get('/sessions')).status, 200, 'clients are asked for nothing')
  })
})
