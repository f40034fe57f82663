/** Requests that fail in passing: sent again with the same Idempotency-Key, as late as the service asks, and not for ever. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { ConnectionError, Marquee, MarqueeError, RateLimitError, UnavailableError } from '../../src/client/client.ts'

const business = { business: { id: 1, name: 'Harbor' } }
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

type Turn = (response: ServerResponse) => void

/** A server that plays its turns one after the other; what it was asked is kept. */
async function serverThat(...turns: readonly Turn[]): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    const turn = turns[asked.length - 1] ?? turns.at(-1)
    turn?.(response)
  })
  ends.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const good: Turn = (response) => response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(business))
const cut: Turn = (response) => response.destroy()
const silent: Turn = () => {}

function refusing(status: number, code: string, headers: Record<string, string> = {}): Turn {
  const problem = { code, details: [{ code, message: code }] }
  return (response) => response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(problem))
}

describe('retries', () => {
  test('a lost connection, a busy service and a request that is still at work are tried again under one key', async () => {
    const atWork = refusing(409, 'conflict', { 'retry-after': '0' })
    const { url, asked } = await serverThat(cut, refusing(503, 'overloaded', { 'retry-after': '0' }), atWork, good)
    const created = await new Marquee({ url, key: 'k', password: 'p' }).createBusiness({ name: 'Harbor' })
    assert.deepEqual(created, business.business)
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    assert.equal(keys.length, 4)
    assert.equal(new Set(keys).size, 1)
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
  })

  test('a file whose answer was lost is sent again under one key, so that it becomes one intake', async () => {
    const { url, asked } = await serverThat(cut, refusing(500, 'internal'), good)
    await new Marquee({ url, key: 'k', password: 'p' }).uploadFile(new Blob(['site,business']))
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
    assert.deepEqual(keys, [keys[0], keys[0], keys[0]])
  })

  test('Retry-After is waited for, as seconds or as a date', async () => {
    const { url } = await serverThat(refusing(429, 'too_many_requests', { 'retry-after': '1' }), good)
    const startedAt = performance.now()
    await new Marquee({ url, key: 'k' }).createBusiness({ name: 'Harbor' })
    assert.ok(performance.now() - startedAt >= 990)
  })

  test('a Retry-After longer than the caller would wait ends the call and says how long it was', async () => {
    const { url, asked } = await serverThat(refusing(429, 'too_many_requests', { 'retry-after': '90' }))
    const call = new Marquee({ url, key: 'k' }).createBusiness({ name: 'Harbor' })
    await assert.rejects(call, (error) => error instanceof RateLimitError && error.retryAfterSeconds === 90)
    assert.equal(asked.length, 1)
  })

  test('what is final is not tried again', async () => {
    for (const [status, code] of [
      [400, 'bad_request'],
      [401, 'unauthorized'],
      [404, 'not_found'],
      [409, 'conflict'],
    ] as const) {
      const { url, asked } = await serverThat(refusing(status, code))
      await assert.rejects(new Marquee({ url, key: 'k' }).showBusiness(1), (error) => error instanceof MarqueeError && error.code === code)
      assert.equal(asked.length, 1, code)
    }
  })

  test('after the last try the error is thrown, whoever wrote the answer', async () => {
    const busy: Turn = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
    const { url, asked } = await serverThat(busy)
    const call = new Marquee({ url, key: 'k', retries: 1 }).showBusiness(1)
    await assert.rejects(call, (error) => error instanceof UnavailableError && error.code === 'unreadable_answer' && error.status === 502)
    assert.equal(asked.length, 2)
  })

  test('a service that says nothing is given up after the timeout', async () => {
    const { url } = await serverThat(silent)
    const call = new Marquee({ url, key: 'k', retries: 0, timeoutSeconds: 0.05 }).showBusiness(1)
    await assert.rejects(call, (error) => error instanceof ConnectionError && /No answer within 0.05 seconds/.test(error.message))
  })

  test('the caller can give up, also between two tries', async () => {
    const { url } = await serverThat(refusing(503, 'overloaded', { 'retry-after': '30' }))
    const reason = new Error('enough')
    const call = new Marquee({ url, key: 'k' }).showBusiness(1, { signal: AbortSignal.any([AbortSignal.timeout(50)]) })
    await assert.rejects(call, { name: 'TimeoutError' })
    await assert.rejects(new Marquee({ url, key: 'k' }).showBusiness(1, { signal: AbortSignal.abort(reason) }), reason)
  })
})
