/** Places that all workers of a host share, given out by their primary. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Channel, openChannel, type Port } from '../../../src/lib/processes/channel.ts'
import { openLimitServer } from '../../../src/lib/processes/limit-server.ts'
import { shareConcurrency } from '../../../src/lib/processes/shared-limit.ts'

const rules = { inside: 4, insidePerParty: 2, ranks: { push: { inside: 4, waiting: 4, patienceSeconds: 1 } } }

test('two workers share the places of one host, and a party has its share of all', async () => {
  const { limits } = host(2)
  const [one, other] = limits
  const acme = [await one?.enter('push', 'acme'), await other?.enter('push', 'acme')]
  const third = entering(one?.enter('push', 'acme'))
  await nextTurn()
  assert.equal(third.isInside, false)
  const globex = await other?.enter('push', 'globex')
  acme[1]?.()
  await third.entered
  assert.deepEqual([one?.counts.push.inside, other?.counts.push.inside], [2, 1])
  globex?.()
})

test('too many are refused with the same failure as in one process', async () => {
  const { limits } = host(2)
  const [one, other] = limits
  for (let held = 0; held < 2; held += 1) await one?.enter('push', 'acme')
  const waiting = [entering(other?.enter('push', 'acme')), entering(one?.enter('push', 'acme'))]
  await nextTurn()
  await assert.rejects(async () => one?.enter('push', 'acme'), { code: 'too_many_requests' })
  assert.equal(one?.counts.push.refused, 1)
  for (const { entered } of waiting) await assert.rejects(entered, { code: 'overloaded' }, 'who waits is refused after a second')
})

test('a worker that dies gives back what it held and leaves the queue', async () => {
  const { limits, gone } = host(2)
  const [one, other] = limits
  for (let held = 0; held < 2; held += 1) await one?.enter('push', 'acme')
  void Promise.resolve(one?.enter('push', 'acme')).catch(() => {})
  const next = entering(other?.enter('push', 'acme'))
  await nextTurn()
  assert.equal(next.isInside, false)
  gone[0]?.()
  await next.entered
})

test('a client that goes away while it waits leaves the queue', async () => {
  const { limits } = host(1)
  const [one] = limits
  const leave = await one?.enter('push', 'acme')
  await one?.enter('push', 'acme')
  const client = new EventEmitter()
  const left = assert.rejects(async () => one?.enter('push', 'acme', client), { code: 'overloaded' })
  await nextTurn()
  client.emit('close')
  await left
  leave?.()
  assert.deepEqual({ ...one?.counts.push }, { inside: 1, waiting: 0, refused: 1 })
})

/** A primary and its workers in one process: the channels are real, only the pipe between them is short. */
function host(workers: number) {
  const server = openLimitServer()
  const pairs = Array.from({ length: workers }, pair)
  const gone = pairs.map(({ primary }) => server.serve(primary))
  return { limits: pairs.map(({ worker }) => shareConcurrency(worker, 'work', rules)), gone }
}

function pair(): { primary: Channel; worker: Channel } {
  const [here, there] = [new EventEmitter(), new EventEmitter()]
  const port = (own: EventEmitter, other: EventEmitter): Port =>
    Object.assign(own, { send: (message: object) => setImmediate(() => other.emit('message', structuredClone(message))) })
  return { primary: openChannel(port(here, there)), worker: openChannel(port(there, here)) }
}

function entering(entry: (() => void) | Promise<() => void> | undefined) {
  const state = { isInside: false, entered: Promise.resolve() }
  state.entered = Promise.resolve(entry).then(() => {
    state.isInside = true
  })
  return state
}
