/** Servers that go away: of several hosts the one that accepts writes is used, and a hung one is given up in time. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { readSettings } from '../../../src/config.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { pooledDriver, postgresDialect } from '../../../src/store/postgres/driver.ts'
import { limits } from '../../../src/store/postgres/outages.ts'
import { openServers, type Query } from '../../../src/store/postgres/servers.ts'
import type { Tables } from '../../../src/store/rows/tables.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { type PostgresPair, startPair } from '../../support/postgres-pair.ts'
import { relayTo } from '../../support/relay.ts'

const serverTimeoutSeconds = 30

describe('servers that go away', () => {
  let pair: PostgresPair
  let store: Store
  const hostOf = (url: string) => new URL(url).host
  const write = (name: string) => store.write((tx) => tx.insertInto('facts').values({ name, value: 'x' }).execute())
  before(async () => {
    pair = await startPair()
    store = openStore(
      readSettings({ DATABASE_URL: `postgres://postgres@127.0.0.1:1,${hostOf(pair.standby)},${hostOf(pair.primary)}/postgres` }),
    )
    await migrate(store)
  })
  after(async () => {
    await store?.close()
    await pair?.stop()
  })

  test('of several hosts the one that accepts writes is found, wherever it is named', async () => {
    await write('found')
    const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(store.db)
    assert.equal(rows[0]?.standby, false)
  })

  test('a primary names those who follow it, a standby says what it is', async () => {
    const findings = await store.engine.inspect()
    assert.ok(findings.some(({ name, value, complaint }) => name === 'role' && value === 'primary' && complaint === undefined))
    assert.ok(findings.some(({ name, value }) => name === 'standbys' && /^two async/.test(value)))
    const wrong = openStore(readSettings({ DATABASE_URL: pair.standby }))
    try {
      const role = (await wrong.engine.inspect()).find(({ name }) => name === 'role')
      assert.match(role?.value ?? '', /^standby/)
      assert.match(`${role?.complaint} ${role?.cure}`, /accepts no writes\. Name the primary/)
    } finally {
      await wrong.close()
    }
  })

  test('a hung server is given up within the time of a transaction, and nothing waits for its rollback', async () => {
    const relay = await relayTo(Number(new URL(pair.primary).port))
    const servers = openServers(`postgres://postgres@127.0.0.1:${relay.port}/postgres`, { max: 2 })
    const sent: Query[] = []
    const run: typeof servers.run = (client, query) => {
      sent.push(query)
      return servers.run(client, query)
    }
    const db = new Kysely<Tables>({ dialect: postgresDialect(pooledDriver({ ...servers, run }, 500)) })
    try {
      const hung = db.transaction().execute(async (tx) => {
        await tx.insertInto('facts').values({ name: 'hung', value: 'x' }).execute()
        relay.freeze()
        await tx.insertInto('facts').values({ name: 'hung too', value: 'x' }).execute()
      })
      await assert.rejects(hung, { code: 'unavailable', message: 'The database cannot be reached' })
      assert.deepEqual(
        sent.map(({ text }) => text.split(' ', 1)[0]),
        ['begin', 'insert', 'insert'],
      )
      for (const { milliseconds = 0 } of sent) assert.ok(milliseconds > 0 && milliseconds <= 500, `${milliseconds} ms`)
    } finally {
      await relay.close()
      await servers.close()
    }
  })

  test('the limits lie within each other, and all within the time of the HTTP server', () => {
    const { connect, lock, statement, query, transaction } = limits
    assert.ok(lock < statement && statement < query && query <= transaction)
    assert.ok(connect + transaction < serverTimeoutSeconds * 1000 - 5_000)
  })

  test('while there is no primary writes are unavailable; after the promotion the next one succeeds', async () => {
    await pair.stopPrimary()
    await assert.rejects(write('lost'), { code: 'unavailable' })
    await assert.rejects(write('lost'), { code: 'unavailable' })
    await pair.promote()
    await write('promoted')
    assert.equal((await store.db.selectFrom('facts').select('name').where('name', '=', 'found').execute()).length, 1)
  })
})
