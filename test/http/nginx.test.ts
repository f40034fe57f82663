/** The deployed nginx before the real service: large uploads and reports go through it, nothing lies on its disk, and no key travels in clear twice. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { connect } from 'node:http2'
import { request as secureRequest } from 'node:https'
import { buffer, text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyScopes } from '../../src/model/partners/keys/keys.ts'
import { pages } from '../../src/web/pages.ts'
import { onEngine } from '../support/engines.ts'
import { findNginx, type Nginx, type NginxPrograms, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/postgres.ts'
import { basic, serviceOn, type TestPartner } from '../support/service.ts'

const megabyte = 2 ** 20
const unchecked = { rejectUnauthorized: false }

onEngine('sqlite', 'nginx before the service', (place) => {
  let programs: NginxPrograms
  before(() => {
    programs = findNginx()
  })
  const service = serviceOn(place, { MARQUEE_TRUSTED_PROXIES: '127.0.0.1', BASE_URL: 'https://api.example.com' })
  let nginx: Nginx
  let acme: TestPartner
  before(async () => {
    nginx = await startNginx(programs, service.url)
    acme = await service.partner('Acme')
    await service.app.store.write((tx) =>
      tx
        .updateTable('keys')
        .set({ scopes: keyScopes.join(' ') })
        .execute(),
    )
  })
  after(() => nginx?.stop())

  const headers = () => ({ authorization: basic(acme.credentials) })
  const ask = async (method: string, path: string, { body, type }: { body?: Buffer; type?: string } = {}) => {
    const given = { ...headers(), host: 'api.example.com', ...(type !== undefined && { 'content-type': type }) }
    const sent = secureRequest({ ...unchecked, port: nginx.securePort, method, path, headers: given }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response
  }
  const plain = async (method: string, path: string) => {
    const sent = plainRequest({ port: nginx.plainPort, method, path, headers: { ...headers(), host: 'api.example.com' } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return {
      status: response.statusCode,
      location: response.headers.location,
      type: response.headers['content-type'],
      body: await text(response),
    }
  }

  test('an upload of 30 MB is taken and stored', async () => {
    const review = (number: number) => ({
      type: 'review',
      site: 'pier.example',
      page_url: 'https://maps.example/1',
      source: 'google',
      rating: 4,
      date: '2026-11-01',
      user: `Reviewer ${number}`,
      detail: `${number} `.padEnd(100_000, 'They came within the hour. '),
      header: '',
    })
    const site = { type: 'site', site: 'pier.example', business: 'Pier' }
    const body = Buffer.from(
      [site, ...Array.from({ length: 330 }, (_, number) => review(number))].map((line) => JSON.stringify(line)).join('\n'),
    )
    assert.ok(body.length > 31 * megabyte)
    const path = `/api/intakes.json?account_id=${acme.accountId}&create_missing=1`
    const response = await ask('POST', path, { body, type: 'application/x-ndjson' })
    const answer = await text(response)
    assert.equal(response.statusCode, 202, answer)
    const { id } = (JSON.parse(answer) as { intake: { id: number } }).intake
    while (!(await acme.client.showIntake(id)).ended_at) await sleep(50)
    assert.equal((await acme.client.showIntake(id)).state, 'stored')
  })

  test('what is too large for another address is refused by the service, in the format of the client', async () => {
    for (const [extension, wanted] of [
      ['xml', /^<\?xml.*\n.*\n {2}<error code="too_large">The body is larger/],
      ['json', /^\{"type":.*"too_large"/],
    ] as const) {
      const response = await ask('POST', `/api/users.${extension}`, { body: Buffer.alloc(30 * megabyte, 'a'), type: 'application/xml' })
      assert.equal(response.statusCode, 413)
      assert.match(await text(response), wanted)
    }
  })

  test('a report for a slow reader waits in the service, and in no file of nginx', async () => {
    const path = `/api/accounts/${acme.accountId}/reputation_report/detail.json`
    const size = (await buffer(await ask('GET', path))).length
    assert.ok(size > 31 * megabyte)
    const readBefore = bytesRead(nginx)
    const response = await ask('GET', path)
    response.pause()
    await untilStill(() => bytesRead(nginx))
    assert.deepEqual(deletedFiles(nginx), [])
    assert.ok(bytesRead(nginx) - readBefore < size / 2, 'nginx has taken more than its buffers hold')
    assert.equal((await buffer(response)).length, size)
  })

  test('HTTP/2 is spoken', async () => {
    const session = connect(`https://127.0.0.1:${nginx.securePort}`, unchecked)
    const stream = session.request({ ':path': '/api/accounts.json', ...headers() })
    const [answer] = (await once(stream, 'response')) as [{ ':status'?: number }]
    assert.equal(answer[':status'], 200)
    assert.match(await text(stream), /^\{"accounts":/)
    session.close()
  })

  test('over plain HTTP pages are redirected', async () => {
    for (const path of ['/', '/login?next=%2Fsites%2F3', '/docs/endpoints', '/businessesque', '/apiary'])
      for (const method of ['GET', 'HEAD'])
        assert.deepEqual(
          [(await plain(method, path)).status, (await plain(method, path)).location],
          [301, `https://api.example.com${path}`],
        )
    const posted = await plain('POST', '/login')
    assert.deepEqual([posted.status, posted.location], [403, undefined])
  })

  test('over plain HTTP programs are refused with a sentence, and never redirected', async () => {
    const paths = [
      '/api',
      '/api/',
      '/api.json',
      '/api/users.xml?login=ana',
      '/businesses',
      '/businesses.xml',
      '/businesses/7/deactivate.xml',
      '/mcp',
      '//api/users.xml',
    ]
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const { status, location, type, body } = await plain(method, path)
        assert.deepEqual([status, location, type], [403, undefined, 'text/plain; charset=utf-8'], `${method} ${path}`)
        assert.match(body, /^Use https: .* Rotate the key if this request had one\.\n$/)
      }
    }
  })

  test('no key, no query and no token of a link is in its log', async () => {
    const doors = pages.filter(({ path }) => path.endsWith('/{token}')).map(({ path }) => path.slice(0, -'/{token}'.length))
    for (const door of doors) await plain('GET', `${door}/a-token`)
    const log = nginx.log()
    assert.match(log, /"POST \/api\/users\.xml" 413/)
    for (const door of doors) assert.ok(log.includes(`"GET ${door}/..." `), door)
    assert.ok(!log.includes(acme.key) && !log.includes('?') && !log.includes('a-token'), log)
  })

  test('a token that reached nobody is not in its logs either', async (t) => {
    const alone = await startNginx(programs, `http://127.0.0.1:${await freePort()}`)
    t.after(() => alone.stop())
    const { status } = await new Promise<{ status: number | undefined }>((resolve, reject) => {
      const asked = secureRequest({ port: alone.securePort, host: '127.0.0.1', path: '/share/a-token', ...unchecked }, (response) => {
        response.resume()
        resolve({ status: response.statusCode })
      })
      asked.on('error', reject).end()
    })
    assert.equal(status, 502)
    assert.ok(!(alone.log() + alone.errors()).includes('a-token'), alone.errors())
  })
})

function deletedFiles({ worker }: Nginx): string[] {
  const targets = readdirSync(`/proc/${worker}/fd`).map((fd) => readlinkSync(`/proc/${worker}/fd/${fd}`))
  return targets.filter((target) => target.endsWith('(deleted)'))
}

/** By the worker, from the service and from clients. */
function bytesRead({ worker }: Nginx): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${worker}/io`, 'utf8'))?.[1])
}

/** Until a number stays the same for ten looks in a row. */
async function untilStill(look: () => number): Promise<void> {
  let [last, same] = [Number.NaN, 0]
  while (same < 10) {
    await sleep(30)
    const now = look()
    same = now === last ? same + 1 : 0
    last = now
  }
}
