/** Triggers that refuse every write to a PostgreSQL database, from any process. */

import { type Kysely, sql } from 'kysely'
import { movedTables, movingFact } from '../bulk/bulk.ts'
import type { Tables } from '../rows/tables.ts'
import { movedState } from './outages.ts'

const name = 'refuses_writes'

/** Waits for writes in progress; later ones meet the triggers. */
export async function refuseServerWrites(tx: Kysely<Tables>): Promise<void> {
  await lock(tx)
  await run(
    tx,
    `create or replace function ${name}() returns trigger language plpgsql as $$ begin raise exception 'the database is moved' using errcode = '${movedState}'; end $$`,
  )
  const there = await tablesWithTrigger(tx)
  for (const table of movedTables.filter((each) => !there.has(each))) for (const text of triggersOf(table)) await run(tx, text)
  await setTriggers(tx, [...there], 'enable')
}

/** The triggers are disabled, not dropped, because dropping one would have to wait for every reader of its table. */
export async function acceptServerWrites(tx: Kysely<Tables>): Promise<void> {
  await lock(tx)
  await setTriggers(tx, [...(await tablesWithTrigger(tx))], 'disable')
}

async function setTriggers(tx: Kysely<Tables>, tables: readonly string[], verb: 'enable' | 'disable'): Promise<void> {
  for (const table of tables)
    for (const trigger of table === 'facts' ? [name, `${name}_deleted`] : [name])
      await run(tx, `alter table "${table}" ${verb} trigger ${trigger}`)
}

/** The state of the move must stay writable, so this trigger checks each row. */
function triggersOf(table: string): readonly string[] {
  if (table !== 'facts')
    return [`create trigger ${name} before insert or update or delete or truncate on "${table}" execute function ${name}()`]
  return [
    `create trigger ${name} before insert or update on facts for each row when (new.name <> '${movingFact}') execute function ${name}()`,
    `create trigger ${name}_deleted before delete on facts for each row when (old.name <> '${movingFact}') execute function ${name}()`,
  ]
}

async function lock(tx: Kysely<Tables>): Promise<void> {
  await run(tx, "set local lock_timeout = '30s'")
  await run(tx, `lock table ${movedTables.map((table) => `"${table}"`).join()} in share row exclusive mode`)
}

async function tablesWithTrigger(tx: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and t.tgname = ${name}`.execute(tx)
  return new Set(rows.map((row) => row.name))
}

async function run(tx: Kysely<Tables>, text: string): Promise<void> {
  await sql.raw(text).execute(tx)
}
