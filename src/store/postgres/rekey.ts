/** Gives tables of a server other keys, and keeps their rows where they are. */

import { type Kysely, sql } from 'kysely'
import type { Rekeyed } from '../engine.ts'
import type { Tables } from '../rows/tables.ts'

/** References go first, because they hold the keys of the tables to which they lead. */
export async function rekeyServerTables(tx: Kysely<Tables>, changes: readonly Rekeyed[]): Promise<void> {
  for (const { table, references } of changes) await alter(tx, table, references.map(dropping))
  for (const { table, keys, indexes, isOfAccount, adds } of changes) {
    for (const index of indexes) await sql.raw(`drop index "${index}"`).execute(tx)
    const own = `${table}_pkey`
    const [gone, made] = isOfAccount
      ? [
          [own, ...keys],
          [[own, 'primary key ("account_id", "id")'] as const, ...adds],
        ]
      : [keys, adds]
    await alter(tx, table, [...gone.map(dropping), ...made.map(([name, rule]) => `add constraint "${name}" ${rule}`)])
  }
}

function dropping(name: string): string {
  return `drop constraint "${name}"`
}

async function alter(tx: Kysely<Tables>, table: string, actions: readonly string[]): Promise<void> {
  if (actions.length > 0) await sql.raw(`alter table "${table}" ${actions.join(', ')}`).execute(tx)
}
