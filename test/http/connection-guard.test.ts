/** Raw bytes at the front of the server: what two readers might understand differently is refused, and nothing acts on it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { basic, serviceOn, type TestPartner, type TestService } from '../support/service.ts'

interface Talk {
  readonly text: string
  readonly isClosed: boolean
}

/** Sends bytes as they are and gives what came back within a moment. */
/** Listens until the connection is closed or what has come is enough. */
async function say(service: TestService, bytes: string, enough = /^never$/, milliseconds = 10_000): Promise<Talk> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let text = ''
  let isClosed = false
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    socket.on('data', (chunk) => {
      text += chunk
      if (enough.test(text)) resolve()
    })
    socket.on('close', () => {
      isClosed = true
      resolve()
    })
    socket.on('close', () => clearTimeout(timer))
    socket.on('error', () => {})
    socket.once('connect', () => socket.write(bytes))
  })
  socket.destroy()
  return { text, isClosed }
}

const anAnswer = /\r\n\r\n/
const statusOf = ({ text }: Talk) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
const lines = (...rows: string[]) => `${rows.join('\r\n')}\r\n\r\n`

async function businesses(partner: TestPartner): Promise<string[]> {
  const list = (await partner.get('/api/businesses.json')).json() as { businesses: { name: string; aasm_state: string }[] }
  return list.businesses.map(({ name, aasm_state }) => `${name} ${aasm_state}`)
}

describe('the front of the server', () => {
  onEachEngine('raw requests', (own) => {
    const service = serviceOn(own)

    test('strange request lines and Host fields are refused and the connection goes', async () => {
      for (const bytes of [
        lines('GET http://evil.example/api/users.xml HTTP/1.1', 'Host: a'),
        lines('GET /api/users.xml HTTP/1.1', 'Host: a', 'Host: b'),
        lines('GET /api/users.xml HTTP/1.1'),
        lines('GET /api/users.xml HTTP/1.1', 'Host: a b'),
        lines('GET /api/users.xml HTTP/2.0', 'Host: a'),
        lines('GET /api/users.xml HTTP/0.9', 'Host: a'),
        lines('OPTIONS * HTTP/1.1', 'Host: a'),
        lines('nonsense'),
      ]) {
        const talk = await say(service, bytes)
        assert.deepEqual([statusOf(talk), talk.isClosed], [400, true], bytes + talk.text)
        assert.match(talk.text, /<error code="bad_request">/, bytes)
      }
      assert.equal(statusOf(await say(service, lines('GET /health/live HTTP/1.0'))), 200)
    })

    test('a body whose length can be told in two ways creates nothing', async () => {
      const acme = await service.partner('Acme')
      const body = '<business><name>Smuggled</name></business>'
      const head = [
        'POST /api/businesses.xml HTTP/1.1',
        'Host: a',
        `Authorization: ${basic(acme.credentials)}`,
        'Content-Type: application/xml',
      ]
      const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      for (const [fields, sent] of [
        [[`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'], chunked],
        [['Content-Length: 4', `Content-Length: ${body.length}`], body],
        [[`Content-Length: +${body.length}`], body],
        [['Transfer-Encoding: identity, chunked'], chunked],
        [['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunked],
        [['Transfer-Encoding: xchunked'], chunked],
        [['Transfer-Encoding : chunked'], chunked],
        [['Transfer-Encoding: chunked'], `${body.length.toString(16)}\r\n${body}\r\nzz\r\n`],
        [[`Content-Length: ${body.length + 10}`], body],
      ] as const) {
        const talk = await say(service, lines(...head, ...fields) + sent, anAnswer, 300)
        assert.ok([0, 400].includes(statusOf(talk)), `${fields.join()}: ${talk.text}`)
      }
      assert.deepEqual(await businesses(acme), [])
    })

    test('a deactivation with a broken body does not act, and GET with a body closes the connection', async () => {
      const acme = await service.partner('Acme')
      const { headers } = await acme.post('/api/businesses.xml', '<business><name>Pier</name></business>')
      const path = new URL(headers.location ?? '').pathname
      const head = [`Authorization: ${basic(acme.credentials)}`, 'Host: a']
      await say(
        service,
        `${lines(`POST ${path}/deactivate.xml HTTP/1.1`, ...head, 'Transfer-Encoding: chunked')}5\r\nhello\r\nzz\r\n`,
        anAnswer,
      )
      assert.deepEqual(await businesses(acme), ['Pier active'])
      const talk = await say(service, `${lines('GET /api/businesses.xml HTTP/1.1', ...head, 'Content-Length: 5')}hello`)
      assert.deepEqual([statusOf(talk), talk.isClosed], [200, true])
    })

    test('who is refused while a body is still being sent is not cut off from the answer', async () => {
      const acme = await service.partner('Lingering')
      const { hostname, port } = new URL(service.url)
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
      const errors: Error[] = []
      socket.on('error', (error) => errors.push(error))
      let text = ''
      socket.on('data', (chunk) => (text += chunk))
      const [piece, pieces] = [Buffer.alloc(65_536, 'a'), 20]
      const head = ['POST /api/users.xml HTTP/1.1', 'Host: a', `Authorization: ${basic(acme.credentials)}`, 'Content-Type: application/xml']
      socket.write(lines(...head, `Content-Length: ${piece.length * (pieces + 1)}`))
      await once(socket, 'end')
      assert.match(text, /^HTTP\/1\.1 413 [\s\S]*<error code="too_large">/)
      for (let sent = 0; sent < pieces && errors.length === 0; sent++) {
        socket.write(piece)
        await new Promise((passed) => setTimeout(passed, 5))
      }
      assert.deepEqual(errors, [])
      socket.destroy()
    })

    test('a client that asks first is invited only once it is known', async () => {
      const acme = await service.partner('Acme')
      const body = '<business><name>Pier</name></business>'
      const head = [
        'POST /api/businesses.xml HTTP/1.1',
        'Host: a',
        'Content-Type: application/xml',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
      ]
      const stranger = await say(service, lines(...head), anAnswer)
      assert.equal(statusOf(stranger), 401)
      const known = await say(service, lines(...head, `Authorization: ${basic(acme.credentials)}`), anAnswer)
      assert.equal(statusOf(known), 100)
      const whole = await say(service, lines(...head, `Authorization: ${basic(acme.credentials)}`) + body, /HTTP\/1\.1 201/)
      assert.match(whole.text, /HTTP\/1\.1 201/)
    })

    test('credentials that are given twice are refused, also when both are good', async () => {
      const acme = await service.partner('Acme Twice')
      const own = `Authorization: ${basic(acme.credentials)}`
      const twice = await say(service, lines('GET /api/businesses.xml HTTP/1.1', 'Host: a', own, own), anAnswer)
      assert.equal(statusOf(twice), 400)
      const once = await say(service, lines('GET /api/businesses.xml HTTP/1.1', 'Host: a', own), anAnswer)
      assert.equal(statusOf(once), 200)
    })

    test('health is told to HEAD as to GET, without a body', async () => {
      for (const path of ['/health/live', '/health/ready']) {
        const talk = await say(service, lines(`HEAD ${path} HTTP/1.1`, 'Host: a', 'Connection: close'))
        assert.equal(statusOf(talk), 200, path)
        assert.match(talk.text, /\r\nx-request-id: .+\r\n/i)
        assert.match(talk.text, /\r\n\r\n$/, 'nothing follows the head')
      }
    })

    test('an expectation that cannot be met is refused with 417 and a request id', async () => {
      const { status, headers, text } = await service.stranger.get('/api/nothing.xml', { headers: { expect: '200-ok' } })
      assert.equal(status, 417)
      assert.match(text, /<error code="expectation_failed">/)
      assert.ok(headers['x-request-id'])
    })

    test('requests that come in one piece are all answered, in their order', async () => {
      const paths = Array.from({ length: 150 }, (_, index) => (index % 3 === 0 ? '/api/nothing.json' : '/api/users.json'))
      const requests = paths
        .map((path, index) => lines(`GET ${path} HTTP/1.1`, 'Host: a', ...(index === 149 ? ['Connection: close'] : [])))
        .join('')
      const { text } = await say(service, requests)
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
      assert.deepEqual(
        statuses,
        paths.map((path) => (path === '/api/nothing.json' ? 404 : 401)),
      )
    })

    test('a request id is believed from a trusted proxy only', async () => {
      const answer = await service.stranger.get('/health/live', { headers: { 'x-request-id': 'from-outside' } })
      assert.notEqual(answer.headers['x-request-id'], 'from-outside')
    })

    test('an oversized head is refused with 431', async () => {
      const talk = await say(service, lines('GET /health/live HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(20_000)}`))
      assert.equal(statusOf(talk), 431)
    })
  })

  onEachEngine('behind a proxy', (own) => {
    const service = serviceOn(own, { MARQUEE_TRUSTED_PROXIES: '127.0.0.0/8' })
    test('its request ids are kept, unless they are strange', async () => {
      const kept = await service.stranger.get('/health/live', { headers: { 'x-request-id': 'edge-42' } })
      assert.equal(kept.headers['x-request-id'], 'edge-42')
      const strange = await service.stranger.get('/health/live', { headers: { 'x-request-id': 'a b' } })
      assert.notEqual(strange.headers['x-request-id'], 'a b')
    })
  })
})
