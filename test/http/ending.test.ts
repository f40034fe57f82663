/** Stopping: whoever has sent a request gets its answer, is told to close, and sees when an answer was cut. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ending, endingOf } from '../../src/http/ending.ts'
import { serving } from '../support/command.ts'
import { freshPlace, type Place } from '../support/engines.ts'

/** Sixteen, each of whom has had an answer on a connection of its own. */
async function postersAt(url: string): Promise<readonly Promise<string>[]> {
  const connected = Array.from({ length: 16 }, () => Promise.withResolvers<void>())
  const posters = connected.map(({ resolve }) => postUntilTold(url, resolve))
  await Promise.all(connected.map(({ promise }) => promise))
  return posters
}

/** Posts on one connection until an answer says that it is closed; otherwise tells what became of the last request. */
async function postUntilTold(url: string, answered = () => {}): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<string>()
    const sent = request(
      url,
      { agent, method: 'POST', headers: { 'content-type': 'application/json', 'content-length': 2 } },
      (response) => {
        response.resume().on('end', () => resolve(response.headers.connection === 'close' ? 'told' : 'answered'))
      },
    )
    sent.on('error', ({ message }) => resolve(sent.reusedSocket ? message : `on a new connection: ${message}`))
    sent.end('{}')
    const outcome = await promise
    if (outcome !== 'answered') return outcome
    answered()
    await sleep(5 * Math.random())
  }
}

describe('the end of a server', () => {
  const terms = { idleSeconds: 0.5, silentSeconds: 1, mostSeconds: 30 }
  let server: Server
  let ending: Ending
  let answer: (response: ServerResponse) => void = (response) => response.end('done')
  beforeEach(async (t) => {
    server = createServer((request, response) => request.resume().on('end', () => answer(response)))
    ending = endingOf(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    if ('after' in t) t.after(() => server.closeAllConnections())
  })
  const portOf = () => (server.address() as AddressInfo).port
  /** What comes on a connection of its own, until it ends. */
  const rawly = (version: string) => {
    const socket = connect(portOf(), '127.0.0.1', () => socket.write(`GET / HTTP/${version}\r\nHost: x\r\n\r\n`))
    let [text, end] = ['', 'open']
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => {
      end = 'ended'
    })
    socket.on('error', ({ message }) => {
      end = message
    })
    return { socket, closed: once(socket, 'close').catch(() => {}), text: () => text, how: () => end }
  }

  test('no keep-alive POST is left without an answer, and each answer since says that the connection is closed', async () => {
    const posters = await postersAt(`http://127.0.0.1:${portOf()}/`)
    await ending.end(terms)
    assert.deepEqual(
      await Promise.all(posters),
      posters.map(() => 'told'),
    )
  })

  test('an answer that is being made has its time and says close, and an idle connection is closed', async () => {
    let finish = () => {}
    answer = (response) => {
      finish = () => response.end('late')
    }
    const busy = rawly('1.1')
    const idle = connect(portOf(), '127.0.0.1')
    const idleClosed = once(idle.resume(), 'close')
    await once(server, 'request')
    let hasEnded = false
    const ended = ending.end({ ...terms, silentSeconds: 30 }).then(() => {
      hasEnded = true
    })
    await idleClosed
    assert.equal(hasEnded, false)
    finish()
    await Promise.all([ended, busy.closed])
    assert.match(busy.text(), /connection: close[\s\S]*late$/i)
    answer = (response) => response.end('done')
  })

  for (const version of ['1.0', '1.1'])
    test(`an answer that is cut is seen to be cut by HTTP/${version}`, async () => {
      answer = (response) => void response.write('half')
      const client = rawly(version)
      while (!client.text().includes('half')) await sleep(10)
      await ending.end(terms)
      await client.closed
      assert.match(client.how(), /ECONNRESET/)
      answer = (response) => response.end('done')
    })
})

describe('marquee serve that is told to stop', () => {
  let place: Place
  before(async () => {
    place = await freshPlace('sqlite')
  })
  after(() => place?.remove())

  test('answers every request on a connection that it has kept', async () => {
    for (let round = 0; round < 3; round++) {
      const service = await serving(place)
      const posters = await postersAt(`${service.url}/api/businesses.json`)
      assert.equal(await service.stop(), 0)
      assert.deepEqual(
        await Promise.all(posters),
        posters.map(() => 'told'),
      )
    }
  })
})
