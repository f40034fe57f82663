/** A database is compared with what its steps make: what is missing is named, and what is more is never a fault. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { secretPath } from '../../src/model/core/secrets/secret-file.ts'
import { planSteps } from '../../src/store/layout/plan-steps.ts'
import { knownHashes } from '../../src/store/layout/step-hashes.ts'
import { lackingIn, migrate, schemaState } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations.ts'
import { lackingOf, tablesAfter } from '../../src/store/needs.ts'
import type { Migration } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import type { TableMap } from '../../src/store/table-map.ts'
import { marqueeEach } from '../support/command.ts'
import { type EngineName, emptyPlace, freshPlace, onEachEngine } from '../support/engines.ts'
import { moveTo } from '../support/moving.ts'
import { withStore } from '../support/opened.ts'

/** Statements, or work that takes more than one. */
type Change = readonly (string | ((store: Store) => Promise<unknown>))[]

/** A file cannot change a column or drop a key, so its table, which is empty, is made anew. */
function anew(table: string, before: string, after: string): (store: Store) => Promise<void> {
  return (store) =>
    store.write(async (tx) => {
      await sql`pragma defer_foreign_keys = on`.execute(tx)
      const { rows } = await sql<{ text: string }>`select sql as text from sqlite_schema where type = 'table' and name = ${table}`.execute(
        tx,
      )
      const text = rows[0]?.text ?? ''
      assert.ok(text.includes(before), text)
      for (const statement of [`drop table ${table}`, text.replace(before, after)]) await sql.raw(statement).execute(tx)
    })
}

async function closeMonth({ engine: { months } }: Store): Promise<void> {
  for (const month of [0, 1]) await months?.make('ranking_months', Date.UTC(2026, month, 1) / 1000)
  const [first] = (await months?.list()) ?? []
  assert.ok(first)
  assert.equal((await months?.close(first, AbortSignal.timeout(60_000)))?.outcome, 'closed')
}

const keyOfFacts = ', constraint "facts_pkey" primary key ("name")'
const keyOfDomains = ', constraint "sites_account_id_domain_key" unique ("account_id", "domain")'
const [dropKey, dropColumn] = ['alter table facts drop constraint facts_pkey', 'alter table users drop column twitter_account']
const someFacts = "create unique index some_facts on facts (name) where value > 'x'"

// biome-ignore format: a table reads by its columns
const less: readonly [what: string, inFile: Change, onServer: Change, named: readonly string[]][] = [
  ['a table that is gone',                     ['drop table usage_days'],                              ['drop table usage_days'],                                                   ['the table usage_days is missing']],
  ['a column that is gone',                    [dropColumn],                                           [dropColumn],                                                                ['users.twitter_account is missing']],
  ['a column that may be null by now',         [anew('facts', '"value" text not null', '"value" text')], ['alter table facts alter column value drop not null'],                    ['facts.value may be null, and must not']],
  ['a column that may not be null any more',   [anew('mails', '"error" text', '"error" text not null')], ['alter table mails alter column error set not null'],                     ['mails.error may not be null, and has to be']],
  ['a unique key that is gone',                [anew('sites', keyOfDomains, '')],                      ['alter table sites drop constraint sites_account_id_domain_key'],           ['sites has no unique key (account_id, domain)']],
  ['a primary key that is gone',               [anew('facts', keyOfFacts, '')],                        [dropKey],                                                                   ['facts has no unique key (name)']],
  ['a key that holds for some rows only',      [anew('facts', keyOfFacts, ''), someFacts],             [dropKey, someFacts],                                                        ['facts has no unique key (name)']],
  ['a key of more columns',                    [anew('facts', '("name"))', '("name", "value"))')],     [dropKey, 'alter table facts add primary key (name, value)'],                ['facts has no unique key (name)']],
  ['a key that is checked at the end only',    [anew('facts', keyOfFacts, '')],                        [dropKey, 'alter table facts add unique (name) deferrable'],                 ['facts has no unique key (name)']],
  ['a number that is text',                    [anew('users', '"rank_id" integer', '"rank_id" text')], ['alter table users alter column rank_id type text'],                        ['users.rank_id is text instead of integer']],
  ['a text that is bytes',                     [anew('mails', '"error" text', '"error" blob')],        ["alter table mails alter column error type bytea using ''::bytea"],         ['mails.error is bytes instead of text']],
  ['two things at once',                       ['drop table usage_days', dropColumn],                  ['drop table usage_days', dropColumn],                                       ['users.twitter_account is missing', 'the table usage_days is missing']],
]

const indexes = ['create index by_value on facts (value)', 'create unique index once on facts (value, name)', 'drop index keys_partner_id']
const columns = ['alter table users add column shoe_size text', "alter table users add column city text not null default 'Rome'"]
const tables = ['create table notes_of_the_dba (id integer)', 'create view all_facts as select * from facts']
const otherWay = ['alter table mails drop column error', 'alter table mails add column error text']
const rights = ['grant select on users to public', "comment on table users is 'people'", 'alter table users enable row level security']
const narrower = ['alter table users alter column rank_id type integer', 'alter table users alter column name type varchar']

// biome-ignore format: a table reads by its columns
const more: readonly [what: string, inFile: Change, onServer: Change][] = [
  ['indexes',                              indexes,                                                    indexes],
  ['columns',                              columns,                                                    columns],
  ['tables and views',                     tables,                                                     tables],
  ['a unique index in the place of a key', [anew('facts', keyOfFacts, ''), 'create unique index one_fact on facts (name)'], [dropKey, 'create unique index one_fact on facts (name)']],
  ['columns in another order',             otherWay,                                                   otherWay],
  ['rights and comments',                  [],                                                         rights],
  ['other types of the same class',        [anew('users', '"rank_id" integer', '"rank_id" int')],      narrower],
  ['partitions, one of them closed',       [],                                                         [closeMonth]],
]

onEachEngine('what a database lacks', ({ engine }) => {
  const changed = (inFile: Change, onServer: Change) => (engine === 'sqlite' ? inFile : onServer)
  const lackingAfter = async (changes: Change) => {
    let lacking: readonly string[] = []
    await withStore(freshPlace(engine), async (store) => {
      for (const change of changes) await (typeof change === 'string' ? store.write((tx) => sql.raw(change).execute(tx)) : change(store))
      lacking = await lackingIn(store)
    })
    return lacking
  }

  test('is nothing after each step, and the steps say all that they make', () =>
    withStore(emptyPlace(engine), async (store) => {
      for (const [index, { name }] of migrations.entries()) {
        const steps = migrations.slice(0, index + 1)
        await migrate(store, steps)
        const [said, made] = [await tablesAfter(steps), await tablesIn(store)]
        assert.deepEqual([...said.keys()].toSorted(), [...made.keys()].toSorted(), name)
        assert.deepEqual([lackingOf(said, made), beyond(said, made, engine)], [[], []], name)
      }
    }))

  for (const [what, inFile, onServer, named] of less) {
    test(`${what} is named`, async () => assert.deepEqual(await lackingAfter(changed(inFile, onServer)), named))
  }

  for (const [what, inFile, onServer] of more) {
    test(`${what}: no fault`, async () => assert.deepEqual(await lackingAfter(changed(inFile, onServer)), []))
  }

  test('keeps the service, a migration and its plan from the database, and doctor names it', () =>
    withStore(freshPlace(engine), async (store, place) => {
      await store.write((tx) => sql.raw(dropColumn).execute(tx))
      const message =
        /users\.twitter_account is missing\. Nothing was changed; the version of Marquee that ran on it before goes on with it, and its `marquee export --all`/
      await assert.rejects(openApp(readSettings(place.env), { schema: 'compare' }), { code: 'unavailable', message })
      await assert.rejects(migrate(store), { message })
      await assert.rejects(planSteps(store), { message })
      const outcomes = await marqueeEach(place, ['serve', 'migrate', 'doctor', 'partner list'])
      assert.deepEqual(
        outcomes.map(({ code }) => code),
        [1, 1, 1, 0],
      )
      assert.match(
        outcomes[0]?.stderr ?? '',
        /^The database .* is not as this version needs it: users\.twitter_account is missing\. [^\n]*\n$/,
      )
      assert.match(
        outcomes[2]?.stdout ?? '',
        /needs it: users\.twitter_account is missing\.\n {2}Why: It was changed.*\n {2}Do: {2}Put back/,
      )
    }))

  test('a step that was applied in another form keeps everybody from it', () =>
    withStore(freshPlace(engine), async (store, place) => {
      const hashes = () => store.db.selectFrom('schema_migrations').select(['name', 'sql_hash']).orderBy('name').execute()
      const mine = (await hashes()).map(({ name, sql_hash }) => sql_hash === `${engine} ${knownHashes[name]?.[engine]}`)
      assert.deepEqual([mine.length, new Set(mine)], [migrations.length, new Set([true])])
      await store.write((tx) =>
        tx
          .updateTable('schema_migrations')
          .set({ sql_hash: `${engine} other` })
          .where('name', '=', '0003-people')
          .execute(),
      )
      const message =
        /the step 0003-people was applied in another form than this version has\. Nothing was changed; the version .* goes on with it, and its `marquee export --all`/
      await assert.rejects(openApp(readSettings(place.env), { schema: 'compare' }), { code: 'unavailable', message })
      for (const work of [migrate, planSteps]) await assert.rejects(work(store), { message })
      assert.deepEqual(await lackingIn(store), ['the step 0003-people was applied in another form than this version has'])
    }))

  test('a database without hashes gets them from a migration once it is compared, and from nobody else', () =>
    withStore(freshPlace(engine), async (store, place) => {
      const without = async () =>
        (await store.db.selectFrom('schema_migrations').select('name').where('sql_hash', 'is', null).execute()).length
      await store.write((tx) => tx.updateTable('schema_migrations').set({ sql_hash: null }).execute())
      for (const index of indexes) await store.write((tx) => sql.raw(index).execute(tx))
      if (engine === 'postgres') await closeMonth(store)
      await (await openApp(readSettings(place.env), { schema: 'compare' })).close()
      assert.equal(await without(), migrations.length)
      await store.write((tx) => sql.raw(dropColumn).execute(tx))
      await assert.rejects(migrate(store), /twitter_account/)
      assert.equal(await without(), migrations.length, 'what lacks something gets none')
      await store.write((tx) => sql`alter table users add column twitter_account text`.execute(tx))
      assert.deepEqual(await migrate(store), [])
      assert.equal(await without(), 0)
    }))

  test('keeps a move from beginning, at either end; a column that is more stays behind', () =>
    withStore(freshPlace(engine), async (source, from) => {
      for (const statement of columns) await source.write((tx) => sql.raw(statement).execute(tx))
      await withStore(emptyPlace(engine), async (target, to) => {
        const secret = { MARQUEE_SECRET_FILE: secretPath(readSettings(from.env)) }
        await migrate(target)
        await target.write((tx) => sql.raw(dropColumn).execute(tx))
        assert.match((await moveTo(from, to)).stderr, /users\.twitter_account is missing/)
        await source.readyProbe()
        await target.write((tx) => sql`alter table users add column twitter_account text`.execute(tx))
        const moved = await moveTo(from, { ...to, env: { ...to.env, ...secret } })
        assert.equal(moved.code, 0, moved.stderr)
      })
    }))

  test('does not count beside the steps of a newer version, which may have removed what went out of use', () =>
    withStore(emptyPlace(engine), async (store, place) => {
      await migrate(store, [...migrations, takingAway])
      assert.equal((await schemaState(store)).state, 'current')
      assert.deepEqual(await lackingIn(store), [])
      await (await openApp({ ...readSettings(place.env) }, { schema: 'bring up' })).close()
    }))

  test('a step that makes less than it says is taken back', () =>
    withStore(emptyPlace(engine), async (store) => {
      await migrate(store)
      await assert.rejects(migrate(store, [...migrations, careless]), /of_tomorrow\.size is missing/)
      assert.equal((await schemaState(store)).state, 'current')
      assert.ok(!(await store.engine.tableNames(store.db)).includes('of_tomorrow'))
    }))
})

async function tablesIn(store: Store): Promise<TableMap> {
  const names = (await store.engine.tableNames(store.db)).filter((name) => !name.startsWith('sqlite_'))
  const found = await store.engine.tablesFound(store.db, names)
  return new Map(names.map((name) => [name, found.get(name) ?? assert.fail(name)]))
}

/** A file gives measured rows numbers, which are keys by themselves. */
function beyond(said: TableMap, made: TableMap, engine: EngineName): readonly string[] {
  const isOwnKey = (sentence: string) => engine === 'sqlite' && sentence.endsWith(' has no unique key (id)')
  return lackingOf(made, said).filter((sentence) => !isOwnKey(sentence))
}

const takingAway: Migration = {
  name: '9999-taken-away',
  worksFrom: migrations.at(-1)?.name ?? '',
  up: async ({ db }) => void (await sql.raw(dropColumn).execute(db)),
}

const careless: Migration = {
  name: '9999-careless',
  async up({ createTable, db }) {
    await createTable('of_tomorrow', { id: 'id', size: 'integer?' })
    await sql`alter table of_tomorrow rename column size to length`.execute(db)
  },
}
