/** Triggers that refuse every write to an SQLite file, from any process. */

import { type Kysely, sql } from 'kysely'
import { movedTables, movingFact } from '../bulk/bulk.ts'
import type { Tables } from '../rows/tables.ts'

const changes = ['insert', 'update', 'delete'] as const

export async function refuseFileWrites(tx: Kysely<Tables>): Promise<void> {
  for (const { name, table, change } of triggers()) {
    const row = change === 'delete' ? 'old' : 'new'
    const when = table === 'facts' ? ` when ${row}.name <> '${movingFact}'` : ''
    await sql
      .raw(
        `create trigger if not exists ${name} before ${change} on "${table}"${when} begin select raise(abort, 'the database is moved'); end`,
      )
      .execute(tx)
  }
}

export async function acceptFileWrites(tx: Kysely<Tables>): Promise<void> {
  for (const { name } of triggers()) await sql.raw(`drop trigger if exists ${name}`).execute(tx)
}

function triggers() {
  return movedTables.flatMap((table) => changes.map((change) => ({ name: `${table}_refuses_${change}`, table, change })))
}
