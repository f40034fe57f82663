/** What an SQLite file has given out as ids, and from where it goes on. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../rows/tables.ts'

// SQLite has one writer at a time, so nobody else draws an id before it ends.
export const fileIdGenerators = { lastId, holdIds: async () => {}, raiseLastId }

async function lastId(db: Kysely<Tables>, table: keyof Tables): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db)
  return rows[0]?.seq ?? 0
}

async function raiseLastId(tx: Kysely<Tables>, table: keyof Tables, id: number): Promise<void> {
  await sql`delete from sqlite_sequence where name = ${table} and seq <= ${id}`.execute(tx)
  const none = sql`not exists (select 1 from sqlite_sequence where name = ${table})`
  await sql`insert into sqlite_sequence (name, seq) select ${table}, ${id} where ${none}`.execute(tx)
}
