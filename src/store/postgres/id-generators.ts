/** What a PostgreSQL server has given out as ids, and from where it goes on. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../rows/tables.ts'

export const serverIdGenerators = { lastId, holdIds, raiseLastId }

async function lastId(db: Kysely<Tables>, table: keyof Tables): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select pg_sequence_last_value(${sequenceOf(table)}) as last`.execute(db)
  return Number(rows[0]?.last ?? 0)
}

/** Waits for writers, and later ones wait until the end: a sequence belongs to no transaction. */
async function holdIds(tx: Kysely<Tables>, tables: readonly (keyof Tables)[]): Promise<void> {
  await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in share row exclusive mode`.execute(tx)
}

async function raiseLastId(tx: Kysely<Tables>, table: keyof Tables, id: number): Promise<void> {
  const last = sql`coalesce(pg_sequence_last_value(${sequenceOf(table)}), 0)`
  await sql`select setval(${sequenceOf(table)}, greatest(${id}::bigint, ${last}))`.execute(tx)
}

function sequenceOf(table: keyof Tables) {
  return sql`pg_get_serial_sequence(${`"${table}"`}, 'id')::regclass`
}
