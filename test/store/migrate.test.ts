/** The schema goes forward, once, whole, and never onto a database that a newer version has prepared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { planSteps } from '../../src/store/layout/plan-steps.ts'
import { migrate, schemaState } from '../../src/store/migrate.ts'
import { whiteLabel } from '../../src/store/migrations/0016-white-label.ts'
import { months } from '../../src/store/migrations/0022-months.ts'
import { migrations } from '../../src/store/migrations.ts'
import type { Migration } from '../../src/store/schema.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { emptyPlace, onEachEngine, type Place } from '../support/engines.ts'
import { earlyMonthTables, insertMonths, monthStarts, readMonths } from '../support/month-rows.ts'

onEachEngine('the schema', ({ engine }) => {
  const onFresh = async (work: (store: Store, place: Place) => Promise<void>) => {
    const place = await emptyPlace(engine)
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

  test('a text column that is added later sorts by code points, like those that were there from the start', () =>
    onFresh(async (store) => {
      await migrate(store, [...migrations, adding])
      await store.write(async (tx) => {
        for (const phone of ['a', 'B', 'ä']) await sql`insert into notes (id, phone) values (${phone}, ${phone})`.execute(tx)
      })
      const { rows } = await sql<{ phone: string }>`select phone from notes order by phone`.execute(store.db)
      assert.deepEqual(
        rows.map(({ phone }) => phone),
        ['B', 'a', 'ä'],
      )
      const { rows: counted } = await sql<{ calls: number }>`select calls from notes limit 1`.execute(store.db)
      assert.equal(Number(counted[0]?.calls), 7)
    }))

  test('a database of a newer Marquee is refused with a sentence that names the step', () =>
    onFresh(async (store, place) => {
      await migrate(store, [...migrations, later])
      assert.deepEqual((await schemaState(store)).unknown, [later.name])
      const refusal = { code: 'unavailable', message: /newer Marquee.*9999-later/ }
      await assert.rejects(migrate(store), refusal)
      await assert.rejects(openApp(readSettings(place.env)), refusal)
    }))

  test('a version goes on working beside the steps of a newer one that say so', () =>
    onFresh(async (store, place) => {
      const newest = migrations.at(-1)?.name ?? ''
      const [added, taken] = [
        { ...later, worksFrom: newest },
        { ...later, name: '9999-taken-away', worksFrom: '9999-later', up: async () => {} },
      ]
      assert.deepEqual((await planSteps(store, [...migrations, added])).at(-1)?.old_version, 'must be stopped')
      await migrate(store)
      assert.deepEqual(await planSteps(store, [...migrations, added]), [
        { name: '9999-later', rows: 0, expected_seconds: 1, old_version: 'goes on' },
      ])
      await migrate(store, [...migrations, added])
      const { state, unknown } = await schemaState(store)
      assert.deepEqual([state, unknown], ['current', ['9999-later']])
      await (await openApp(readSettings(place.env))).close()
      await migrate(store, [...migrations, added, taken])
      assert.equal((await schemaState(store, [...migrations, added])).state, 'current')
      assert.deepEqual((await schemaState(store)).barring, ['9999-taken-away'])
    }))

  test('a database that holds data is not brought forward unasked', () =>
    onFresh(async (store, place) => {
      await migrate(store, migrations.slice(0, 1))
      await assert.rejects(openApp(readSettings(place.env)), { code: 'unavailable', message: /run `marquee migrate`/ })
      await (await openApp(readSettings(place.env), { schema: 'bring up' })).close()
      assert.equal((await schemaState(store)).state, 'current')
    }))

  test('a logo that stood in its brand becomes a picture of its own', () =>
    onFresh(async (store) => {
      await migrate(store, migrations.slice(0, migrations.indexOf(whiteLabel)))
      const [at, logo] = ['2026-01-01T00:00:00Z', Buffer.from([137, 80, 78, 71, 0, 255])]
      await store.write(async (tx) => {
        for (const [id, bytes] of [
          [1, logo],
          [2, null],
        ] as const) {
          await sql`insert into partners (id, name, state, created_at, updated_at) values (${id}, 'Acme', 'active', ${at}, ${at})`.execute(
            tx,
          )
          await sql`insert into brands (partner_id, accent, logo, logo_type, updated_at) values (${id}, '#123456', ${bytes}, ${bytes && 'image/png'}, ${at})`.execute(
            tx,
          )
        }
      })
      await migrate(store)
      const [first, second] = await store.db.selectFrom('brands').selectAll().orderBy('partner_id').execute()
      const pictures = await store.db.selectFrom('brand_pictures').selectAll().execute()
      assert.deepEqual([first?.accent, second?.logo_id, pictures.length], ['#123456', null, 1])
      assert.deepEqual([first?.logo_id, 'image/png', logo], [pictures[0]?.id, pictures[0]?.type, Buffer.from(pictures[0]?.bytes ?? [])])
      assert.ok(first && !('logo' in first))
    }))

  test('months that lay in one table keep their rows, key and references when each becomes a partition', () =>
    onFresh(async (store) => {
      await migrate(store, migrations.slice(0, migrations.indexOf(months)))
      await store.write(insertMonths)
      const before = await readMonths(store)
      await migrate(store, migrations.slice(0, migrations.indexOf(months) + 1))
      assert.deepEqual(await readMonths(store), before)
      const found = (await store.engine.months?.list())?.map(({ table, from }) => `${table} ${from}`)
      const expected = earlyMonthTables.toSorted().flatMap((table) => monthStarts.map((month) => `${table} ${month}`))
      if (engine === 'postgres') assert.deepEqual(found, expected)
      const put = (keyword: number, data: number) =>
        store.write((tx) =>
          sql`insert into ranking_months (account_id, keyword_id, starts_at, data) values (1, ${keyword}, ${monthStarts[0]}, ${Buffer.from([data])})
            on conflict (account_id, keyword_id, starts_at) do update set data = excluded.data`.execute(tx),
        )
      await put(1, 9)
      assert.equal((await readMonths(store)).length, before.length)
      await assert.rejects(put(77, 1), /foreign key/i)
      await migrate(store)
      assert.equal((await readMonths(store)).length, before.length, 'a later step takes the reference away and keeps the rows')
      await put(77, 1)
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

const adding: Migration = {
  name: '9998-adding',
  async up(schema) {
    await schema.createTable('notes', { id: 'text' }, { primaryKey: ['id'] })
    await schema.addColumns('notes', { phone: 'text?', calls: 'integer=7' })
  },
}
