/** Second factors in use, where the server secret is rotated and retired, on a database that was restored from a backup and on one that was moved. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import { countSealed } from '../../src/model/core/secrets/sealed-values.ts'
import { secretPath } from '../../src/model/core/secrets/secret-file.ts'
import { completeLogin, logIn } from '../../src/model/people/logins.ts'
import { beginSecondFactor, confirmSecondFactor } from '../../src/model/people/second-factor/second-factors.ts'
import { findSession } from '../../src/model/people/sessions.ts'
import { marqueeEach } from '../support/command.ts'
import { emptyPlace, freshPlace, type Place } from '../support/engines.ts'
import { addressFile } from '../support/moving.ts'
import { codeAt } from '../support/one-time-codes.ts'
import { makePeople, password } from '../support/people.ts'

const people = ['dana-owner', 'rosa-account'] as const
type Person = (typeof people)[number]

describe('second factors in use', () => {
  const places = {} as { first: Place; server: Place }
  const keys = {} as Record<Person, string>
  const users = {} as Record<Person, number>
  /** Each code works once, so that the clock goes on between two logins. */
  let minutes = 0
  before(async () => {
    places.first = await freshPlace('sqlite')
    const secret = { MARQUEE_SECRET_FILE: secretPath(readSettings(places.first.env)) }
    const server = await emptyPlace('postgres')
    places.server = { ...server, env: { ...server.env, ...secret } }
    await within(places.first, 'bring up', async (app) => {
      Object.assign(users, (await makePeople({ kind: 'operator', app, requestId: 'test' })).users)
      for (const person of people) keys[person] = await setUp(app, person)
    })
  })
  after(() => Promise.all(Object.values(places).map((place) => place.remove())))

  const file = (name: string) => join(places.first.folder, name)
  const run = async (place: Place, ...lines: string[]) => {
    const outcomes = await marqueeEach(place, lines)
    return outcomes.map(({ code, stdout, stderr }) => ({ code, said: stdout + stderr }))
  }
  /** Who gets in with the code of their app. */
  const enter = (place: Place) =>
    within(place, 'check', async (app) => {
      minutes += 2
      const then = appAt(app)
      const entered = people.map(async (name) => {
        const { token } = await logIn(visitorOf(then), { name, password, isRemembered: false })
        return completeLogin(visitorOf(then), token, codeAt(keys[name], then.clock.now())).then(
          (login) => login !== null,
          () => false,
        )
      })
      return Promise.all(entered)
    })
  const secretsOf = (place: Place) => within(place, 'check', async (app) => [...(await countSealed(app)).needing].sort())

  test('go on where a backup from before a rotation is restored, and the rotation and the end of the old secret come again there', async () => {
    const place = places.first
    assert.deepEqual(await enter(place), [true, true])
    const [backup, rotated] = await run(place, `backup ${file('before.db')}`, 'secret rotate --in 0')
    assert.deepEqual([backup?.code, rotated?.code], [0, 0], rotated?.said)
    const [retired, check, restored] = await run(
      place,
      'secret retire 1 --force',
      `restore --check ${file('before.db')}`,
      `restore ${file('before.db')}`,
    )
    assert.equal(retired?.code, 0, retired?.said)
    assert.deepEqual([check?.code, restored?.code], [0, 0], `${check?.said}${restored?.said}`)
    assert.doesNotMatch(restored?.said ?? '', /cannot be read/)
    assert.deepEqual(await secretsOf(place), [[1, 2]])
    assert.deepEqual(await enter(place), [true, true])
    const [again, next, list] = await run(place, 'secret rotate --in 0', 'secret retire 1 --force', 'secret list --json')
    assert.deepEqual([again?.code, next?.code], [0, 0], `${again?.said}${next?.said}`)
    const states = (JSON.parse(list?.said ?? '') as { secrets: { id: number; state: string }[] }).secrets
    const current = states.find(({ state }) => state === 'current')?.id ?? 0
    assert.deepEqual(await secretsOf(place), [[current, 2]])
    assert.deepEqual(await enter(place), [true, true])
  })

  test('that cannot be read are counted where a backup is restored, let nobody in, and are taken away by the operator', async () => {
    const place = places.first
    const [backup] = await run(place, `backup ${file('whole.db')}`)
    assert.equal(backup?.code, 0, backup?.said)
    await within(place, 'check', (app) =>
      app.store.write((tx) =>
        tx.updateTable('second_factors').set({ sealed: '9.AAAA' }).where('user_id', '=', users['rosa-account']).execute(),
      ),
    )
    const [broken] = await run(place, `backup ${file('broken.db')}`)
    assert.equal(broken?.code, 0, broken?.said)
    const [check, restored, doctor] = await run(place, `restore --check ${file('broken.db')}`, `restore ${file('broken.db')}`, 'doctor')
    assert.deepEqual([check?.code, restored?.code], [1, 0], `${check?.said}${restored?.said}`)
    for (const outcome of [check, restored]) assert.match(outcome?.said ?? '', /Encrypted values that cannot be read.*: 1\./)
    assert.match(doctor?.said ?? '', /Encrypted values that cannot be read: 1 of 2\./)
    assert.deepEqual(await enter(place), [true, false], 'and her neighbour goes on')
    const [reset, sound] = await run(place, `user reset-second-factor ${users['rosa-account']}`, 'doctor')
    assert.equal(reset?.code, 0, reset?.said)
    assert.doesNotMatch(sound?.said ?? '', /cannot be read/)
    const [back] = await run(place, `restore ${file('whole.db')}`)
    assert.equal(back?.code, 0, back?.said)
    assert.deepEqual(await enter(place), [true, true])
  })

  test('go on in a database that was moved, and through a rotation there', async () => {
    const [moved] = await run(places.first, `move --to-file ${addressFile(places.server)}`)
    assert.equal(moved?.code, 0, moved?.said)
    assert.doesNotMatch(moved?.said ?? '', /cannot be read/)
    assert.deepEqual(await enter(places.server), [true, true])
    const before = await secretsOf(places.server)
    const [rotated, retired, doctor] = await run(places.server, 'secret rotate --in 0', `secret retire ${before[0]?.[0]} --force`, 'doctor')
    assert.deepEqual([rotated?.code, retired?.code], [0, 0], `${rotated?.said}${retired?.said}`)
    assert.doesNotMatch(doctor?.said ?? '', /cannot be read/)
    assert.notDeepEqual(await secretsOf(places.server), before)
    assert.deepEqual(await enter(places.server), [true, true])
  })

  async function setUp(app: App, name: Person): Promise<string> {
    const { token } = await logIn(visitorOf(app), { name, password, isRemembered: false })
    const person = (await findSession(visitorOf(app), token)) ?? assert.fail()
    const { key } = await beginSecondFactor(visitorOf(app), person, password, 'Marquee')
    await confirmSecondFactor(visitorOf(app), person, codeAt(key, app.clock.now()))
    return key
  }

  function appAt(app: App): App {
    const now = new Date(Date.now() + minutes * 60_000).toISOString()
    return { ...app, clock: { now: () => `${now.slice(0, 19)}Z` } }
  }
})

function visitorOf(app: App) {
  return { app, requestId: 'test', network: '192.0.2.1', browser: null, hostPartnerId: null }
}

async function within<T>(place: Place, schema: 'bring up' | 'check', work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(readSettings(place.env), { schema })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}
