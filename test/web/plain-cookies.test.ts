/** On the machine itself, over plain HTTP, cookies go without `Secure` and `__Host-`, because WebKit would not keep them; nowhere else do they, and nowhere else are they read. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setBrand } from '../../src/model/partners/brand-changes.ts'
import { cookieNames, keepsPlainCookies } from '../../src/web/cookies.ts'
import { onPageEngine } from '../support/engines.ts'
import { makePeople, password } from '../support/people.ts'
import { PlainBrowser } from '../support/plain-browser.ts'
import { type Client, startTestService } from '../support/service.ts'

const here = 'http://127.0.0.1:8080'
const webKit = (client: Client, headers: Record<string, string> = {}) => new PlainBrowser(client, headers, { keepsSecure: false })
const plain = /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/
const guarded = /^__Host-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/

onPageEngine('cookies', (place) => {
  test('on the machine itself let dana in with WebKit, keep her theme, and let her out again', async () => {
    const service = await startTestService(place, { BASE_URL: here })
    try {
      const world = await makePeople(service.operator)
      await setBrand(service.operator, world.partnerId, { name: 'Acme', hostName: 'reports.acme.example' })
      const dana = webKit(service.stranger)
      const entered = await dana.logIn('dana-owner')
      assert.equal(entered.status, 303, entered.text)
      assert.match(entered.headers['set-cookie']?.join() ?? '', plain)
      const page = await dana.get('/sessions')
      assert.equal(page.status, 200)
      assert.match(page.text, /data-theme-form="theme=; Path=\/; SameSite=Lax; Max-Age=31536000"/)
      await dana.post('/theme', { form_token: await dana.token('/sessions'), theme: 'dark' })
      assert.match((await dana.get('/sessions')).text, /<html lang="en" data-theme="dark">/)
      const [, token = ''] = /session=([\w-]+)/.exec(dana.cookie) ?? []

      const unread = await service.stranger.get('/sessions', { headers: { cookie: `${cookieNames.session}=${token}` } })
      assert.equal(unread.status, 303, 'the guarded name is not read here')
      // biome-ignore format: a table reads by its columns
      const elsewhere: Record<string, string>[] = [
        { 'x-forwarded-for': '127.0.0.1' }, { 'x-forwarded-proto': 'http' }, { 'x-forwarded-host': 'localhost' }, { forwarded: 'for=127.0.0.1' },
        { host: 'reports.acme.example' }, { host: 'acme.localhost' },
      ]
      for (const headers of elsewhere) {
        const cookie = `session=${token}; visit=${'x'.repeat(22)}`
        const reply = await service.stranger.get('/sessions', { headers: { ...headers, cookie } })
        assert.equal(reply.status, 303, `${JSON.stringify(headers)} reads no plain cookie`)
        assert.match(
          reply.headers['set-cookie']?.join() ?? '',
          /^__Host-visit=(?!x{22})[\w-]{22}; Path=\/; Secure;/,
          JSON.stringify(headers),
        )
        if (headers.host === 'reports.acme.example') continue // Without HTTPS that page has no form.
        const stuck = webKit(service.stranger, headers)
        assert.match((await stuck.logIn('dana-owner')).text, /form is too old/, JSON.stringify(headers))
        const chromium = await new PlainBrowser(service.stranger, headers).logIn('dana-owner')
        assert.match(chromium.headers['set-cookie']?.join() ?? '', guarded, JSON.stringify(headers))
      }

      await dana.post('/logout', { form_token: await dana.token('/sessions') })
      assert.equal((await dana.get('/sessions')).status, 303)
      assert.equal(dana.cookie.includes('session='), false)
    } finally {
      await service.stop()
    }
  })

  test('behind nginx with its default headers are guarded, whatever the address is said to be', async () => {
    for (const BASE_URL of ['https://reports.example', here]) {
      const service = await startTestService(place, { BASE_URL })
      try {
        const { hostname, port } = new URL(service.url)
        const through = async (head: string) => {
          const socket = connect(Number(port), hostname)
          await once(socket, 'connect')
          socket.write(`${head} HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nUser-Agent: AppleWebKit\r\n\r\n`)
          return text(socket)
        }
        const answer = await through('GET /login')
        assert.match(answer, /^HTTP\/1\.1 200 /)
        assert.match(answer, /\r\nset-cookie: __Host-visit=[\w-]{22}; Path=\/; Secure; HttpOnly/i, BASE_URL)
      } finally {
        await service.stop()
      }
    }
  })

  test('at an https or a public address are guarded on the machine itself too', async () => {
    for (const BASE_URL of ['https://127.0.0.1', 'https://localhost', 'http://marquee.test']) {
      const service = await startTestService(place, { BASE_URL })
      try {
        const reply = await new PlainBrowser(service.stranger).logIn('dana-owner', password)
        assert.match(reply.headers['set-cookie']?.join() ?? '', guarded, BASE_URL)
        const [, token] = /session=([\w-]+)/.exec(reply.headers['set-cookie']?.join() ?? '') ?? []
        const read = await service.stranger.get('/sessions', { headers: { cookie: `session=${token}` } })
        assert.equal(read.status, 303, `${BASE_URL} reads no plain cookie`)
      } finally {
        await service.stop()
      }
    }
  })
})

describe('plain cookies', () => {
  const asked = (remoteAddress: string, host: string | undefined, more: Record<string, string> = {}, httpVersion = '1.1') => ({
    socket: { remoteAddress },
    headers: { ...(host !== undefined && { host }), ...more },
    httpVersion,
  })

  test('are kept where all four conditions hold', () => {
    for (const baseUrl of ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080', 'http://127.8.9.10'])
      for (const peer of ['127.0.0.1', '127.0.0.5', '::1', '::ffff:127.0.0.1'])
        for (const host of ['127.0.0.1:8080', 'localhost:8080', 'LOCALHOST', '[::1]:8080', '127.9.9.9'])
          assert.equal(keepsPlainCookies({ baseUrl }, asked(peer, host)), true, `${baseUrl} ${peer} ${host}`)
  })

  test('are not where any one of them is missing', () => {
    const baseUrl = here
    // biome-ignore format: a table reads by its columns
    const cases: [baseUrl: string, request: ReturnType<typeof asked>][] = [
      ['https://127.0.0.1:8080',      asked('127.0.0.1', '127.0.0.1:8080')],
      ['http://marquee.example',      asked('127.0.0.1', '127.0.0.1:8080')],
      ['http://192.0.2.2:8080',       asked('127.0.0.1', '127.0.0.1:8080')],
      ['http://localhost.example',    asked('127.0.0.1', '127.0.0.1:8080')],
      [baseUrl,                       asked('192.0.2.2', '127.0.0.1:8080')],
      [baseUrl,                       asked('::ffff:192.0.2.2', '127.0.0.1:8080')],
      [baseUrl,                       asked('', '127.0.0.1:8080')],
      [baseUrl,                       asked('127.0.0.1', 'marquee.example')],
      [baseUrl,                       asked('127.0.0.1', 'acme.localhost')],
      [baseUrl,                       asked('127.0.0.1', '127.0.0.1.example')],
      [baseUrl,                       asked('127.0.0.1', '127.0.0.1@marquee.example')],
      [baseUrl,                       asked('127.0.0.1', '')],
      [baseUrl,                       asked('127.0.0.1', undefined)],
      [baseUrl,                       asked('127.0.0.1', '127.0.0.1:8080', { forwarded: 'for=127.0.0.1' })],
      [baseUrl,                       asked('127.0.0.1', '127.0.0.1:8080', { 'x-forwarded-for': '' })],
      [baseUrl,                       asked('127.0.0.1', '127.0.0.1:8080', { 'x-forwarded-proto': 'http' })],
      [baseUrl,                       asked('127.0.0.1', '127.0.0.1:8080', { 'x-forwarded-host': '127.0.0.1' })],
      [baseUrl,                       asked('127.0.0.1', '127.0.0.1:8080', { 'x-forwarded-server': 'x' })],
      [baseUrl,                       asked('127.0.0.1', '127.0.0.1:8080', {}, '1.0')],
    ]
    for (const [at, request] of cases) assert.equal(keepsPlainCookies({ baseUrl: at }, request), false, JSON.stringify([at, request]))
  })
})
