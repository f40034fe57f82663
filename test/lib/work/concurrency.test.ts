/** Places inside and in line: parties take turns, no party fills the house, and nobody waits for ever. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate as tick } from 'node:timers/promises'
import { Failure, type FailureCode } from '../../../src/lib/failures.ts'
import { limitConcurrency } from '../../../src/lib/work/concurrency.ts'

const states = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code
const small = {
  inside: 2,
  insidePerParty: 1,
  ranks: { first: { inside: 2, waiting: 4, patienceSeconds: 60 }, last: { inside: 1, waiting: 2, patienceSeconds: 60 } },
}

test('acme at full share waits although there is room, and globex walks in', async () => {
  const door = limitConcurrency(small)
  const leave = await door.enter('first', 'acme')
  const second = door.enter('first', 'acme')
  ;(await door.enter('first', 'globex'))()
  assert.equal(door.counts.first.waiting, 1)
  leave()
  ;(await second)()
  assert.deepEqual([door.counts.first.inside, door.counts.first.waiting], [0, 0])
})

test('parties take turns, however many one of them has sent before', async () => {
  const door = limitConcurrency({ inside: 1, insidePerParty: 1, ranks: { only: { inside: 1, waiting: 10, patienceSeconds: 60 } } })
  const order: string[] = []
  const leave = await door.enter('only', 'acme')
  const rest = ['acme', 'acme', 'acme', 'globex'].map(async (party) => {
    const done = await door.enter('only', party)
    order.push(party)
    done()
  })
  leave()
  await Promise.all(rest)
  assert.deepEqual(order, ['acme', 'globex', 'acme', 'acme'])
})

test('provisioning goes before reports that waited longer', async () => {
  const door = limitConcurrency({ ...small, inside: 1, insidePerParty: 5 })
  const order: string[] = []
  const leave = await door.enter('first', 'acme')
  const waiting = (['last', 'first'] as const).map(async (rank) => {
    const done = await door.enter(rank, 'globex')
    order.push(rank)
    done()
  })
  leave()
  await Promise.all(waiting)
  assert.deepEqual(order, ['first', 'last'])
})

test("who holds half of the waiting places is told so; a full house is nobody's fault", async () => {
  const door = limitConcurrency(small)
  const inside = [await door.enter('first', 'acme'), await door.enter('first', 'globex')]
  const waiting = [door.enter('first', 'acme'), door.enter('first', 'acme'), door.enter('first', 'globex')]
  await assert.rejects(async () => door.enter('first', 'acme'), states('too_many_requests'))
  assert.equal(door.isFull('first'), false)
  waiting.push(door.enter('first', 'initech'))
  assert.equal(door.isFull('first'), true)
  await assert.rejects(async () => door.enter('first', 'umbrella'), states('overloaded'))
  for (const leave of inside) leave()
  await Promise.all(waiting.map(async (turn) => (await turn)()))
  assert.equal(door.counts.first.inside, 0)
})

test('patience ends, and a client that has gone is not waited for', async () => {
  const door = limitConcurrency({ ...small, inside: 1, ranks: { ...small.ranks, first: { inside: 1, waiting: 4, patienceSeconds: 0.02 } } })
  const leave = await door.enter('first', 'acme')
  await assert.rejects(async () => door.enter('first', 'globex'), states('overloaded'))
  const client = new EventEmitter()
  const gone = door.enter('last', 'globex', client)
  client.emit('close')
  await assert.rejects(async () => gone, states('overloaded'))
  leave()
  await tick()
  assert.deepEqual([door.counts.first.waiting, door.counts.last.waiting, door.counts.last.inside], [0, 0, 0])
})
