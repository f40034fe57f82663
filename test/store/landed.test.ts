/** A database that a landed version wrote, and that later versions cannot use, is refused before anything in it is changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { schemaState } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations.ts'
import { type Migration, schemaLanguage } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { marqueeEach } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { firstLanded } from '../support/landed.ts'
import { withStore } from '../support/opened.ts'

onEachEngine('a database of the version e7f3709', ({ engine }) => {
  test('is refused before any step is applied, and the version before goes on with it', () =>
    withStore(firstLanded(engine), async (store, place) => {
      const before = await contentOf(store)
      const outcomes = await marqueeEach(place, ['migrate', 'migrate --plan', 'serve', 'partner list', 'doctor'])
      const after = await contentOf(store)
      assert.deepEqual(
        outcomes.map(({ code }) => code),
        [1, 1, 1, 1, 1],
      )
      for (const { stderr } of outcomes.slice(0, 4)) {
        assert.match(stderr, /sites has no unique key \(account_id, id\); .*and 9 more, which marquee doctor names\. Nothing was changed; /)
        assert.match(stderr, /the version of Marquee that ran on it before goes on with it\.\n$/)
      }
      const { stdout } = outcomes.at(-1) ?? { stdout: '' }
      assert.match(stdout, /the table measured_versions is missing; .*reviews has no unique key \(account_id, page_id, key_hash\)\.\n/)
      assert.doesNotMatch(stdout, /Run marquee migrate/)
      assert.deepEqual(after, before)
    }))

  test('is refused too where a version since then has put its own steps on it', () =>
    withStore(firstLanded(engine), async (store, place) => {
      for (const step of migrations.slice(4)) if (!(await isTaken(store, step))) break
      const { pending } = await schemaState(store)
      // A server refuses a reference to a key that is not there; a file takes all steps, and was called current.
      assert.equal(pending[0], engine === 'sqlite' ? undefined : '0014-keyword-facts')
      const outcomes = await marqueeEach(place, ['serve', 'migrate', 'doctor'])
      for (const { code, stdout, stderr } of outcomes)
        assert.deepEqual([code, /the table measured_versions is missing/.test(stdout + stderr)], [1, true], stdout + stderr)
      assert.deepEqual((await schemaState(store)).pending, pending)
    }))
})

/** Every table with its columns, keys and rows. */
async function contentOf({ db, engine }: Store): Promise<readonly unknown[]> {
  const names = (await engine.tableNames(db)).toSorted()
  const tables = await engine.tablesFound(db, names)
  return Promise.all(names.map(async (name) => [name, tables.get(name), (await sql`select * from ${sql.table(name)}`.execute(db)).rows]))
}

/** As in versions that compared nothing; false where the database itself refuses the step. */
async function isTaken(store: Store, { name, up }: Migration): Promise<boolean> {
  const work = store.write(async (tx) => {
    await up(schemaLanguage(tx, store.engine.columns))
    await sql`insert into schema_migrations (name, applied_at) values (${name}, '2026-11-16T12:00:00Z')`.execute(tx)
  }, 'unlimited')
  return work.then(
    () => true,
    () => false,
  )
}
