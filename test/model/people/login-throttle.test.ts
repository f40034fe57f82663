import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Failure } from '../../../src/lib/failures.ts'
import { admitLogin } from '../../../src/model/people/login-throttle.ts'
import { logIn } from '../../../src/model/people/logins.ts'
import { networkOf } from '../../../src/model/people/visitor.ts'
import { onEachEngine } from '../../support/engines.ts'
import { password } from '../../support/people.ts'
import { doorWorldAt } from '../../support/visitors.ts'

const wrong = (error: unknown) => (error instanceof Failure ? error.code : String(error))

onEachEngine('guessing passwords', (place) => {
  const world = doorWorldAt(place)
  const ask = (name: string, network: string, given: string) =>
    logIn(world.visitor(network), { name, password: given, isRemembered: false })
  /** Without the cost of a hash: what counts is whether a guess would be looked at. */
  const isLookedAt = async (name: string, network: string, isKnown = false) =>
    admitLogin(world.visitor(network), name, isKnown).then(
      () => true,
      () => false,
    )

  beforeEach(() => world.clock.pass(25 * 60 * 60))

  test('four refusals cost nothing; from the fifth on the wait doubles, up to a quarter of an hour', async () => {
    const waits: number[] = []
    for (let guess = 0; guess < 17; guess++) {
      assert.ok(await isLookedAt('dana-owner', '192.0.2.7'))
      const rows = await world.app.store.db.selectFrom('login_throttles').selectAll().where('subject', 'like', 'pair:%').execute()
      const wait = (Date.parse(rows[0]?.blocked_until ?? '') - Date.parse(world.clock.now())) / 1000
      waits.push(wait)
      if (wait > 0) assert.ok(!(await isLookedAt('dana-owner', '192.0.2.7')), 'too early')
      world.clock.pass(wait)
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  test('however long someone guesses from one place, a hundred in a row are looked at', async () => {
    let looked = 0
    for (let guess = 0; guess < 110; guess++) {
      if (await isLookedAt('dana-owner', '192.0.2.8')) looked++
      world.clock.pass(15 * 60)
    }
    assert.equal(looked, 100)
  })

  test('dana herself gets in from another place, and from her own after her mistakes', async () => {
    for (let guess = 0; guess < 8; guess++) await ask('dana-owner', '192.0.2.9', 'guess').catch(() => {})
    assert.equal(await ask('dana-owner', '192.0.2.9', password).catch(wrong), 'too_many_requests')
    assert.ok(await ask('dana-owner', '198.51.100.20', password))
    assert.ok(await ask('kim-one-site', '192.0.2.9', password), 'others in that place are not shut out')
    world.clock.pass(15 * 60)
    assert.ok(await ask('dana-owner', '192.0.2.9', password))
  })

  test('after a hundred guesses from everywhere only places dana came from are open, until a day has passed', async () => {
    for (let guess = 0; guess < 100; guess++) assert.ok(await isLookedAt('dana-owner', `203.0.113.${guess}`))
    assert.ok(!(await isLookedAt('dana-owner', '203.0.113.200')))
    assert.ok(await isLookedAt('dana-owner', '198.51.100.20', true))
    world.clock.pass(24 * 60 * 60 + 1)
    assert.ok(await isLookedAt('dana-owner', '203.0.113.200'))
  })

  test('a name that nobody has is slowed down like one that somebody has', async () => {
    const codes = async (name: string) => {
      const seen: string[] = []
      for (let guess = 0; guess < 7; guess++) seen.push(await ask(name, '192.0.2.30', 'guess').then(() => 'in', wrong))
      return seen
    }
    assert.deepEqual(await codes('nobody-at-all'), await codes('kim-one-site'))
  })

  test('guesses at the same moment are counted one by one', async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => isLookedAt('dana-owner', '192.0.2.40')))
    assert.ok(outcomes.filter(Boolean).length <= 5)
  })

  test('the names people typed are not kept', async () => {
    await ask('my secret password', '192.0.2.50', 'x').catch(() => {})
    const rows = await world.app.store.db.selectFrom('login_throttles').selectAll().execute()
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes('secret'))
  })
})

describe('networks', () => {
  test('an IPv4 address is one, an IPv6 one counts by its /64', () => {
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
    assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:DB8:1:2::9'))
    assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
    assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64')
  })
})
