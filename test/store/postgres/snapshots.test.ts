/** Moments as the reader threads read them, the same on both engines: also reads that are asked before others are answered. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { readSettings } from '../../../src/config.ts'
import type { Snapshots } from '../../../src/store/engine.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { openSnapshots, openStore, type Store } from '../../../src/store/store.ts'
import { onEachEngine } from '../../support/engines.ts'

const mostAtOnce = 2

onEachEngine('snapshots', (place) => {
  let store: Store
  let snapshots: Snapshots
  before(async () => {
    store = openStore(readSettings(place.env))
    await migrate(store)
    snapshots = openSnapshots(readSettings(place.env), mostAtOnce)
    for (const name of ['a', 'b', 'c']) await keep(name, `value of ${name}`)
  })
  after(async () => {
    await snapshots?.close()
    await store?.close()
  })

  const keep = (name: string, value: string) => store.write((tx) => tx.insertInto('facts').values({ name, value }).execute())
  const named = (db: Store['db'], name: string) => db.selectFrom('facts').select('value').where('name', '=', name).execute()

  test('reads that are asked at once are each answered for themselves', () =>
    snapshots.snapshot(async (db) => {
      const asked = Array.from({ length: 30 }, (_, index) => 'abcx'[index % 4] as string)
      const found = await Promise.all(asked.map((name) => named(db, name)))
      assert.deepEqual(
        found,
        asked.map((name) => (name === 'x' ? [] : [{ value: `value of ${name}` }])),
      )
    }))

  test('what is written meanwhile is not seen before the next moment', async () => {
    await snapshots.snapshot(async (db) => {
      assert.equal((await named(db, 'later')).length, 0)
      await keep('later', 'x')
      assert.equal((await named(db, 'later')).length, 0)
    })
    await snapshots.snapshot(async (db) => assert.equal((await named(db, 'later')).length, 1))
  })

  test('a read that fails while nobody waits for it yet fails whoever comes for it, and no later moment', async () => {
    for (let round = 0; round < mostAtOnce * 2; round++) {
      const failing = snapshots.snapshot(async (db) => {
        const early = sql`select no_such_column from facts`.execute(db)
        early.catch(() => {})
        await Promise.allSettled([named(db, 'a')])
        return early
      })
      await assert.rejects(failing, /no_such_column/)
    }
    await snapshots.snapshot(async (db) => assert.equal((await named(db, 'a')).length, 1))
  })

  test('work that fails leaves its moment to others', async () => {
    for (let round = 0; round < mostAtOnce * 2; round++) {
      const failing = snapshots.snapshot(async (db) => {
        void named(db, 'a').catch(() => {})
        throw new Error('of its own')
      })
      await assert.rejects(failing, /of its own/)
    }
    await snapshots.snapshot(async (db) => assert.equal((await named(db, 'a')).length, 1))
  })
})
