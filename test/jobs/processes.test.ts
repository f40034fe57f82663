/** Jobs of several processes on one database: done by one of them, and the chain over the audit entries stays whole. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { jobsOn } from '../../src/jobs/jobs.ts'
import { roundsOf } from '../../src/jobs/loop.ts'
import { openLog } from '../../src/lib/log.ts'
import { isoTime } from '../../src/lib/time/clock.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import { audit } from '../../src/model/core/audit.ts'
import { sealEntries, verifyAudit } from '../../src/model/upkeep/audit-seals.ts'
import { sweep } from '../../src/model/upkeep/retention.ts'
import { onEachEngine } from '../support/engines.ts'
import { farAway } from '../support/slow-network.ts'

const day = 86_400_000
const [oldEntries, youngEntries] = [600, 50]
const night = Date.UTC(2026, 10, 15, 3, 30)

onEachEngine('jobs of two processes', (place) => {
  const apps: App[] = []
  let now = isoTime(night - 40 * day)
  const log = openLog('silent')
  const operator = (app: App) => ({ kind: 'operator', app, requestId: 'test' }) as const
  const write = (app: App, entries: number) =>
    app.store.write(async (tx) => {
      for (let i = 0; i < entries; i++) await audit(tx, operator(app), 'site.create', { id: i })
    })
  const seal = async (app: App) => {
    for (let head = await sealEntries(app); head !== null; ) head = await sealEntries(app)
  }
  before(async () => {
    const settings = readSettings({ ...place.env, MARQUEE_KEEP_AUDIT_DAYS: '30' })
    for (let process = 0; process < 2; process++) apps.push(await openApp(settings, { clock: { now: () => now } }))
  })
  after(() => Promise.all(apps.map((app) => app.close())))

  test('two sweeps at once, one of them far from the database, leave the chain whole', async () => {
    const [near, far] = apps as [App, App]
    await write(near, oldEntries)
    now = isoTime(night)
    await write(near, youngEntries)
    await seal(near)
    const swept = await Promise.all([sweep(operator(near)), sweep(operator(farAway(far, 5)))])
    assert.equal(swept[0].audit_entries + swept[1].audit_entries, oldEntries)
    const { faults, checked } = await verifyAudit(near)
    assert.deepEqual(faults, [])
    assert.equal(checked, youngEntries)
  })

  test('sealing in two processes at once makes one chain and no error', async () => {
    const [near, far] = apps as [App, App]
    await write(near, 550)
    await Promise.all([seal(near), seal(farAway(far, 1))])
    assert.deepEqual((await verifyAudit(near)).faults, [])
  })

  test('each job is done by one process: the sweep once a night, the sealing by whoever began', async () => {
    const rounds = apps.map((app) => jobsOn(app, log, async () => null).map((job) => roundsOf(app, job)))
    await write(apps[0] as App, 10)
    for (let hour = 0; hour < 3; hour++) await Promise.all(rounds.flat().map(({ round }) => round()))
    const { db } = (apps[0] as App).store
    const leases = await db.selectFrom('leases').select(['name', 'done_at', 'expires_at']).orderBy('name').execute()
    const months = [
      { name: 'job:closing', done_at: now, expires_at: now },
      { name: 'job:months', done_at: null, expires_at: isoTime(night + 60_000) },
    ]
    assert.deepEqual(leases, [
      ...(place.engine === 'postgres' ? months : []),
      { name: 'job:seal', done_at: null, expires_at: isoTime(night + 60_000) },
      { name: 'job:sweep', done_at: now, expires_at: now },
    ])
    await Promise.all(rounds.flat().map(({ end }) => end()))
    assert.deepEqual((await verifyAudit(apps[0] as App)).faults, [])
  })
})
