/** Several processes on one database: each job is done by one of them, and what they share is counted once. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readSettings } from '../../../src/config.ts'
import { isoTime, secondsAfter } from '../../../src/lib/time/clock.ts'
import { type App, openApp } from '../../../src/model/core/app.ts'
import { readSpent, spend } from '../../../src/model/core/budgets.ts'
import { claimLease, keepLease, runLeased } from '../../../src/model/core/leases.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('leases', (place) => {
  const apps: App[] = []
  let now = '2026-11-14T12:00:00Z'
  const pass = (seconds: number) => {
    now = secondsAfter(now, seconds)
  }
  before(async () => {
    for (let process = 0; process < 3; process++) apps.push(await openApp(readSettings(place.env), { clock: { now: () => now } }))
  })
  after(() => Promise.all(apps.map((app) => app.close())))

  test('of processes that claim at once one has the lease', async () => {
    for (let round = 0; round < 10; round++) {
      const claims = await Promise.all(apps.map((app) => claimLease(app, { name: `race ${round}`, seconds: 60 })))
      assert.equal(claims.filter((lease) => lease !== null).length, 1)
    }
  })

  test('a lease that is not renewed goes to another process, and the first one learns it', async () => {
    const [one, other] = apps as [App, App]
    const lease = await claimLease(one, { name: 'silent', seconds: 60 })
    pass(59)
    assert.equal(await claimLease(other, { name: 'silent', seconds: 60 }), null)
    assert.equal(await lease?.renew(), true)
    pass(59)
    assert.equal(await claimLease(other, { name: 'silent', seconds: 60 }), null)
    pass(1)
    assert.notEqual(await claimLease(other, { name: 'silent', seconds: 60 }), null)
    assert.equal(await lease?.renew(), false)
    await lease?.release('done')
    assert.equal(await claimLease(one, { name: 'silent', seconds: 60 }), null)
  })

  test('a lease of a process that was killed is free at once, and in doubt it is not', async () => {
    const [app] = apps as [App]
    const terms = { name: 'of a process', seconds: 60 }
    const file = new URL('../../../src/lib/processes/process-names.ts', import.meta.url).href
    const script = `const { ownProcessName } = await import(${JSON.stringify(file)}); console.log(ownProcessName()); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [printed] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    const [boot, space, pid, began] = printed.trim().split(' ')
    assert.ok(began, printed)
    const heldBy = async (holder: string) => {
      await app.store.write(async (tx) => {
        await tx.deleteFrom('leases').where('name', '=', terms.name).execute()
        await tx
          .insertInto('leases')
          .values({ name: terms.name, holder, expires_at: secondsAfter(now, 60), done_at: null })
          .execute()
      })
      return (await claimLease(app, terms)) !== null
    }
    const name = `${boot} ${space} ${pid} ${began}`
    assert.equal(await heldBy(`id ${name}`), false, 'it lives')
    assert.equal(await heldBy(`id ${boot} ${space} ${process.pid} 1`), true, 'its number was given to another process')
    child.kill('SIGKILL')
    await once(child, 'close')
    assert.equal(await heldBy(`id ${name}`), true)
    for (const doubt of [
      `id other-boot ${space} ${pid} ${began}`,
      `id ${boot} pid:[1] ${pid} ${began}`,
      'id',
      `id ${boot} ${space} ${pid}`,
    ])
      assert.equal(await heldBy(doubt), false, doubt)
  })

  test('a job that was done rests, one that failed does not', async () => {
    const [one, other] = apps as [App, App]
    const terms = { name: 'nightly', seconds: 60, everySeconds: 3600 }
    let done = 0
    const work = async () => {
      done += 1
    }
    await assert.rejects(
      runLeased(one, terms, () => Promise.reject(new Error('half way'))),
      /half way/,
    )
    assert.deepEqual(await Promise.all(apps.map((app) => runLeased(app, terms, work))).then((ran) => ran.filter(Boolean)), [true])
    assert.equal(await runLeased(other, terms, work), false)
    pass(3600)
    assert.equal(await runLeased(other, terms, work), true)
    assert.equal(done, 2)
  })

  test('a lease that is kept between rounds is released for the next process', async () => {
    const [one, other] = apps.map((app) => keepLease(app, { name: 'kept', seconds: 60 }))
    assert.equal(await one?.hold(), true)
    assert.equal(await other?.hold(), false)
    assert.equal(await one?.hold(), true)
    await one?.release()
    // Reads of one turn of the event loop see one moment; a real process would be in a turn of its own.
    await nextTurn()
    assert.equal(await other?.hold(), true)
    assert.equal(await one?.hold(), false)
  })

  test('what is spent of a budget is counted for all of them', async () => {
    const budget = { name: 'taken:1', begins_at: isoTime(Date.parse(now)) }
    const spent = await Promise.all(Array.from({ length: 30 }, (_, i) => (apps[i % 3] as App).store.write((tx) => spend(tx, budget))))
    assert.deepEqual(
      spent.toSorted((a, b) => a - b),
      Array.from({ length: 30 }, (_, i) => i + 1),
    )
    assert.equal(await readSpent((apps[0] as App).store.db, budget), 30)
    assert.equal(await readSpent((apps[0] as App).store.db, { ...budget, begins_at: secondsAfter(budget.begins_at, 3600) }), 0)
  })
})
