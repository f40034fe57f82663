/** Databases of the version e7f3709, which later versions could not use, are brought forward with all that is in them. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { hasFirstLayout, rekeyedTables } from '../../src/store/layout/first-layout.ts'
import { lackingIn, migrate, schemaState } from '../../src/store/migrate.ts'
import type { Store } from '../../src/store/store.ts'
import { marqueeEach } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { firstImport, firstLanded, takeUnchecked } from '../support/landed.ts'
import { withStore } from '../support/opened.ts'

const at = "'2026-11-17T12:00:00Z'"

/** What the service wrote that ran on the database since; `last` is the last step of that version. */
const since = [
  `insert into accounts (partner_id, name, created_at, updated_at) values (1, 'Later', ${at}, ${at})`,
  `insert into annotations (account_id, site_id, day, text, created_at) values (2, 1, '2026-11-16', 'moved', ${at})`,
  `insert into share_links (token_hash, site_id, label, created_by, created_at, expires_at) values ('t', 1, 'Board', 1, ${at}, ${at})`,
  `insert into external_ids (partner_id, kind, external_id, record_id) values (1, 'Site', 'S-1', 1)`,
]

const versions = [
  { version: 'd37464a', last: '0012-mail' },
  { version: '95e3176, 50f2eaf or 1a66e1e, which had the same steps', last: '0022-months' },
]

onEachEngine('a database of the version e7f3709', ({ engine }) => {
  test('is told to be brought forward, and is then as new, with everything that was in it', () =>
    withStore(firstLanded(engine), async (store, place) => {
      const before = await contentOf(store)
      const refused = await marqueeEach(place, ['serve', 'doctor'])
      for (const { code, stdout, stderr } of refused)
        assert.deepEqual([code, /`marquee migrate` brings it forward\./.test(stdout + stderr)], [1, true])
      const [plan] = await marqueeEach(place, ['migrate --plan --json'])
      assert.deepEqual(JSON.parse(plan?.stdout ?? '').steps[0], {
        name: '0000-keys-of-e7f3709',
        rows: 14,
        expected_seconds: 2,
        old_version: 'must be stopped',
      })
      assert.deepEqual(await contentOf(store), before, 'nobody has changed anything so far')
      const ids = await lastIdsOf(store)
      const [migrated, imported] = await marqueeEach(place, ['migrate --json', `import ${firstImport} --account 2 --json`])
      assert.equal(migrated?.code, 0, migrated?.stderr)
      assert.equal(JSON.parse(migrated?.stdout ?? '').migrations[0].name, '0000-keys-of-e7f3709')
      if (engine === 'sqlite') assert.equal(readdirSync(join(place.folder, 'backups')).length, 1)
      assert.deepEqual(lostFrom(before, await contentOf(store)), [])
      assert.deepEqual(await lastIdsOf(store), ids)
      assert.deepEqual([(await schemaState(store)).state, await lackingIn(store)], ['current', []])
      assert.equal(imported?.code, 0, imported?.stderr)
      const told = JSON.parse(imported?.stdout ?? '') as { import: { kinds: Record<string, { accepted: number; unchanged: number }> } }
      const counts = Object.values(told.import.kinds)
      assert.ok(counts.length === 10 && counts.every(({ accepted, unchanged }) => accepted === unchanged), imported?.stdout)
    }))

  for (const { version, last } of versions)
    test(`that went on under ${version} is brought forward, with what was written since`, () =>
      withStore(firstLanded(engine), async (store) => {
        const taken = await takeUnchecked(store, last)
        // A server refuses a reference to a key that is not there; a file took all steps, and was called current.
        assert.equal(taken.at(-1), engine === 'postgres' && last > '0013' ? '0013-uploads' : last)
        for (const statement of since) await store.write((tx) => sql.raw(statement).execute(tx))
        const before = await contentOf(store)
        await migrate(store)
        assert.deepEqual(
          [await hasFirstLayout(store, store.db), (await schemaState(store)).state, await lackingIn(store)],
          [false, 'current', []],
        )
        assert.deepEqual(lostFrom(before, await contentOf(store)), [])
      }))

  test('stays as it was where something in it contradicts the keys, or something else is lacking', () =>
    withStore(firstLanded(engine), async (store) => {
      await store.write((tx) => sql`alter table users drop column twitter_account`.execute(tx))
      const lacking = await contentOf(store)
      await assert.rejects(migrate(store), /users\.twitter_account is missing\. Nothing was changed/)
      assert.deepEqual(await contentOf(store), lacking)
      await store.write((tx) => sql`alter table users add column twitter_account text`.execute(tx))
      await store.write((tx) => sql`update keywords set account_id = 1 where id = 1`.execute(tx))
      const before = await contentOf(store)
      await assert.rejects(migrate(store), /foreign key/i)
      assert.deepEqual(await contentOf(store), before)
    }))
})

type Content = readonly (readonly [table: string, made: unknown, rows: readonly Record<string, unknown>[]])[]

/** Every table with its columns, keys and rows. */
async function contentOf({ db, engine }: Store): Promise<Content> {
  const names = (await engine.tableNames(db)).filter((name) => !name.startsWith('sqlite_')).toSorted()
  const tables = await engine.tablesFound(db, names)
  return Promise.all(
    names.map(async (name) => {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
      return [name, tables.get(name), rows] as const
    }),
  )
}

/** Rows that are no longer there with all their values. */
function lostFrom(before: Content, after: Content): readonly unknown[] {
  return before.flatMap(([table, , rows]) => {
    const there = after.find(([name]) => name === table)?.[2] ?? []
    return rows.filter(
      (row) => !there.some((one) => Object.keys(row).every((name) => JSON.stringify(one[name]) === JSON.stringify(row[name]))),
    )
  })
}

function lastIdsOf({ db, engine }: Store): Promise<number[]> {
  const numbered = rekeyedTables.filter((table) => !/months|snapshots/.test(table))
  return Promise.all(numbered.map((table) => engine.lastId(db, table)))
}
