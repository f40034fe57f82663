/** PostgreSQL over a network: connections are lost, writers meet, servers are away. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { readSettings } from '../../../src/config.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { freshPlace, type Place } from '../../support/engines.ts'

describe('the shared database', () => {
  let place: Place
  let store: Store
  before(async () => {
    place = await freshPlace('postgres')
    store = openStore(readSettings(place.env))
    await migrate(store)
  })
  after(async () => {
    await store?.close()
    await place?.remove()
  })

  test('connections lost while nobody uses them cost nothing', async () => {
    await Promise.all(Array.from({ length: 4 }, () => store.readyProbe()))
    await endAllConnections(place)
    await sleep(50)
    await store.readyProbe()
  })

  test('a connection lost in the middle of a write is a stated outage, and the next write succeeds', async () => {
    const cut = store.write(async (tx) => {
      await tx.insertInto('facts').values({ name: 'cut', value: 'x' }).execute()
      await endAllConnections(place)
      await tx.insertInto('facts').values({ name: 'cut again', value: 'x' }).execute()
    })
    await assert.rejects(cut, { code: 'unavailable' })
    await store.readyProbe()
    assert.equal((await store.db.selectFrom('facts').select('name').where('name', 'like', 'cut%').execute()).length, 0)
  })

  test('two writers who wait for each other both come through', async () => {
    for (const name of ['left', 'right']) await store.write((tx) => tx.insertInto('facts').values({ name, value: '0' }).execute())
    let attempts = 0
    const inOrder = (first: string, second: string) =>
      store.write(async (tx) => {
        attempts += 1
        await tx.updateTable('facts').set({ value: first }).where('name', '=', first).execute()
        await sleep(100)
        await tx.updateTable('facts').set({ value: first }).where('name', '=', second).execute()
      })
    await Promise.all([inOrder('left', 'right'), inOrder('right', 'left')])
    assert.ok(attempts > 2, 'nobody had to try again: the two never met')
  })

  test('a failed statement that was passed over does not pass for a commit', async () => {
    const careless = store.write(async (tx) => {
      await tx.insertInto('facts').values({ name: 'careless', value: 'x' }).execute()
      await sql`select no_such_column`.execute(tx).catch(() => {})
    })
    await assert.rejects(careless, /nothing was committed/)
  })

  test('a server that is away is a stated outage', async () => {
    const away = openStore(readSettings({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }))
    const outage = { code: 'unavailable', message: 'The database cannot be reached' }
    await assert.rejects(away.readyProbe(), outage)
    await assert.rejects(away.db.selectFrom('facts').selectAll().execute(), outage)
    await assert.rejects(away.prepare((db) => db.selectFrom('facts').select('name'))({}), outage)
    await away.close()
  })
})

async function endAllConnections({ env }: Place): Promise<void> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL ?? '' })
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}
