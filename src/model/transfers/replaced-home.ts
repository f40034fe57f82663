/** Puts the partner account of an export, with its id, in the place of the one that the partner was created with. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { Managing } from '../core/tenancy.ts'

type Db = Kysely<Tables>

/** What an account has by which it is known that it was used. */
const traces = [
  'users',
  'businesses',
  'annotations',
  'report_schedules',
  'account_brands',
  'intakes',
  'intake_directory_steps',
  'removals',
  'measured_versions',
  'sources',
] as const

/** Only an account that nobody has used yet can give way. */
export async function refuseUsedHome(db: Db, partnerId: number, home: number): Promise<void> {
  for (const table of traces) {
    const row = await db
      .selectFrom(table as 'users')
      .select('account_id')
      .where('account_id', '=', home)
      .limit(1)
      .executeTakeFirst()
    if (row !== undefined) refuseHome(home)
  }
  const own = db.selectFrom('external_ids').select('record_id').where('partner_id', '=', partnerId).where('kind', '=', 'account')
  const keys = db.selectFrom('keys').select('id').where('partner_id', '=', partnerId).where('account_ids', 'is not', null)
  const isNamed = (await own.where('record_id', '=', home).executeTakeFirst()) ?? (await keys.limit(1).executeTakeFirst())
  if (isNamed !== undefined) refuseHome(home)
}

function refuseHome(home: number): never {
  return refuse('conflict', `Account ${home}, the partner account, is in use already: ids are kept for a partner that was just created`)
}

export async function replaceHome(tx: Db, caller: Managing, partnerId: number, home: number, id: number): Promise<void> {
  const before = await tx.selectFrom('accounts').selectAll().where('id', '=', home).executeTakeFirst()
  await tx.updateTable('partners').set({ account_id: id }).where('id', '=', partnerId).execute()
  await tx.deleteFrom('accounts').where('id', '=', home).execute()
  await audit(tx, caller, 'account.replace', { id: home, account_id: home, partner_id: partnerId }, { before: before ?? {}, after: { id } })
}
