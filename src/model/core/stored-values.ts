/** Single values that the service stores about itself. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'

/** When `marquee backup` last succeeded. */
export const lastBackupName = 'last_backup_at'

export async function readStoredValue(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  return (await db.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Stores a value unless it already exists: the first writer decides. */
export async function keepStoredValue(tx: Kysely<Tables>, name: string, value: string): Promise<void> {
  await tx
    .insertInto('facts')
    .values({ name, value })
    .onConflict((taken) => taken.doNothing())
    .execute()
}

export async function setStoredValue(tx: Kysely<Tables>, name: string, value: string): Promise<void> {
  await tx
    .insertInto('facts')
    .values({ name, value })
    .onConflict((taken) => taken.column('name').doUpdateSet({ value }))
    .execute()
}
