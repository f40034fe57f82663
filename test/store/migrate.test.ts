/** The schema goes forward, once, whole, and never onto ground that a newer version has prepared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { openGround } from '../../src/model/core/app.ts'
import { migrate, schemaState } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations.ts'
import type { Migration } from '../../src/store/schema.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { freshPlace, onEachEngine, type Place } from '../support/engines.ts'

onEachEngine('the schema', ({ engine }) => {
  const onFresh = async (work: (store: Store, place: Place) => Promise<void>) => {
    const place = await freshPlace(engine)
    const store = openStore(readSettings(place.env))
    try {
      await work(store, place)
    } finally {
      await store.close()
      await place.remove()
    }
  }

  test('an empty database is brought up, and a second time nothing is left to do', () =>
    onFresh(async (store) => {
      assert.equal((await schemaState(store)).state, 'behind')
      assert.deepEqual(
        await migrate(store),
        migrations.map(({ name }) => name),
      )
      assert.equal((await schemaState(store)).state, 'current')
      assert.deepEqual(await migrate(store), [])
    }))

  test('two processes that start at once bring it up once', () =>
    onFresh(async (store, place) => {
      const other = openStore(readSettings(place.env))
      try {
        const taken = await Promise.all([migrate(store), migrate(other)])
        assert.deepEqual(
          taken.flat().toSorted(),
          migrations.map(({ name }) => name),
        )
      } finally {
        await other.close()
      }
    }))

  test('a step that fails leaves the schema as it was', () =>
    onFresh(async (store) => {
      await migrate(store)
      await assert.rejects(migrate(store, [...migrations, failing]), /half way/)
      assert.equal((await schemaState(store)).state, 'current')
      assert.ok(!(await store.engine.tableNames(store.db)).includes('half_made'))
    }))

  test('a database of a newer Marquee is refused with a sentence that names the step', () =>
    onFresh(async (store, place) => {
      await migrate(store, [...migrations, later])
      assert.deepEqual((await schemaState(store)).unknown, [later.name])
      const refusal = { code: 'unavailable', message: /newer Marquee.*9999-later/ }
      await assert.rejects(migrate(store), refusal)
      await assert.rejects(openGround(readSettings(place.env)), refusal)
    }))

  test('a database that holds data is not brought forward unasked', () =>
    onFresh(async (store, place) => {
      await migrate(store, migrations.slice(0, 1))
      await assert.rejects(openGround(readSettings(place.env)), { code: 'unavailable', message: /run `marquee migrate`/ })
      await (await openGround(readSettings(place.env), { schema: 'bring up' })).close()
      assert.equal((await schemaState(store)).state, 'current')
    }))
})

const failing: Migration = {
  name: '9998-failing',
  async up({ createTable }) {
    await createTable('half_made', { id: 'id' })
    throw new Error('half way')
  },
}

const later: Migration = { name: '9999-later', up: ({ createTable }) => createTable('of_tomorrow', { id: 'id' }) }
