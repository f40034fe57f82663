/** A pool that is smaller than what the processes may want is told by the doctor and by readiness, which stays 200. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { connections } from '../../../src/cli/doctor/connections.ts'
import { readSettings } from '../../../src/config.ts'
import { watchConnections } from '../../../src/http/connections.ts'
import { connectionReason } from '../../../src/store/postgres/outages.ts'
import { openStore } from '../../../src/store/store.ts'
import { onEngine } from '../../support/engines.ts'
import { startPgbouncer } from '../../support/pgbouncer.ts'
import { startTestService } from '../../support/service.ts'

onEngine('postgres', 'connections', (place) => {
  const examine = async (env: Record<string, string> = {}) => {
    const settings = readSettings({ ...place.env, ...env })
    const store = openStore(settings)
    const [found] = await connections(settings, store).finally(() => store.close())
    return found ?? assert.fail()
  }
  const own = async (statement: string) => {
    const client = new pg.Client({ connectionString: place.env.DATABASE_URL })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }

  for (const mode of ['session', 'transaction'] as const)
    test(`behind a PgBouncer in ${mode} mode are counted, and its size is told where it is too small`, async (t) => {
      const pooler = await startPgbouncer(place.env.DATABASE_URL ?? '', mode, 5)
      t.after(() => pooler.stop())
      const few = await examine({ DATABASE_URL: pooler.url })
      assert.match(few.value, /^20 may be wanted, 5 were had within \d+ ms$/)
      assert.match(
        `${few.complaint} ${few.cure}`,
        /^The process of this machine may want 20 connections .* at once, and only 5 are given\. Raise default_pool_size of PgBouncer/,
      )
      const enough = await startPgbouncer(place.env.DATABASE_URL ?? '', mode, 22)
      t.after(() => enough.stop())
      const many = await examine({ DATABASE_URL: enough.url })
      assert.deepEqual([many.complaint, /^20 may be wanted, 20 were had/.test(many.value)], [undefined, true])
      assert.match(
        (await examine({ DATABASE_URL: enough.url, MARQUEE_WORKERS: '2' })).complaint ?? '',
        /^The 2 processes .* 40 connections .* only 22 are given/,
      )
    })

  test('that are all taken are told with their cure, and not as a server that cannot be reached', async (t) => {
    const pooler = await startPgbouncer(place.env.DATABASE_URL ?? '', 'session', 1)
    const [other, late] = [{}, { query_timeout: 300 }].map((limit) => new pg.Client({ connectionString: pooler.url, ...limit }))
    assert.ok(other && late)
    late.on('error', () => {})
    t.after(async () => {
      await other.end()
      await late.end()
      await pooler.stop()
    })
    await other.connect()
    await other.query('begin')
    const reason = await late
      .connect()
      .then(() => late.query('select 1'))
      .then(
        () => assert.fail('a second connection was given'),
        (error: unknown) => connectionReason(error),
      )
    assert.match(reason ?? '', /Nothing answered in time\..* raise its default_pool_size/)
  })

  test('that another process holds count where they are its own', async (t) => {
    const pooler = await startPgbouncer(place.env.DATABASE_URL ?? '', 'session', 20)
    const service = new pg.Pool({ connectionString: pooler.url, max: 6, application_name: 'marquee' })
    t.after(async () => {
      await service.end()
      await pooler.stop()
    })
    const held = await Promise.all(Array.from({ length: 6 }, () => service.connect()))
    await Promise.all(held.map((client) => client.query('select 1')))
    assert.equal((await examine({ DATABASE_URL: pooler.url })).complaint, undefined)
    for (const client of held) client.release()
  })

  test('are compared with the limits of the server, the role and the database without taking them', async () => {
    assert.match((await examine()).value, /^20 may be wanted, 20 were had/)
    assert.match((await examine({ MARQUEE_WORKERS: '64' })).complaint ?? '', /^The 64 processes .* 1280 connections .* only \d+ are given/)
    const { pathname } = new URL(place.env.DATABASE_URL ?? '')
    await own(`alter database ${pathname.slice(1)} connection limit 7`)
    assert.match((await examine()).value, /^20 may be wanted, 7 were had/)
    await own(`alter database ${pathname.slice(1)} connection limit -1`)
  })

  test('that are slow to be had are named by readiness, which stays 200', async (t) => {
    const pooler = await startPgbouncer(place.env.DATABASE_URL ?? '', 'session', 3)
    const service = await startTestService(place, { DATABASE_URL: pooler.url, DATABASE_POOL: '2' })
    const other = new pg.Client({ connectionString: pooler.url })
    t.after(async () => {
      await other.end()
      await service.stop()
      await pooler.stop()
    })
    const ready = () => Promise.all([service.stranger.get('/health/ready'), fetch(`${service.adminUrl}/health/ready`)])
    const [open, admin] = await ready()
    assert.deepEqual([open.status, open.text, admin.status, await admin.text()], [200, 'ready\n', 200, 'ready\n'])

    // The service holds two, which are enough for itself; the other one has the third, and nothing is left for a newcomer such as a report.
    await Promise.all([1, 2].map(() => sql`select pg_sleep(0.3)`.execute(service.app.store.db)))
    await other.connect()
    await other.query('begin')
    assert.match(
      (await watchConnections(service.app.store.engine)()) ?? '',
      /^a new connection to the database takes longer than 1 s: a connection pooler or the server gives fewer/,
    )
    let told = ''
    for (let tries = 0; tries < 100 && !told.includes('but'); tries++) {
      const [reply, inside] = await ready()
      assert.deepEqual([reply.status, inside.status], [200, 200])
      told = `${reply.text}${await inside.text()}`
      await new Promise((passed) => setTimeout(passed, 100))
    }
    assert.match(told, /^ready, but a new connection .*\nready, but a new connection .*\n$/)
  })
})
