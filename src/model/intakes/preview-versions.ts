/** Whether a preview still holds: nothing of its accounts has changed since. */

import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { batchesOf } from '../../lib/work/batches.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { readMeasuredVersions } from '../core/report-version.ts'
import type { Managing } from '../core/tenancy.ts'
import { type IntakeRecord, touchedAccounts } from './intakes.ts'

export async function isCurrent(caller: Managing, db: Kysely<Tables>, intake: IntakeRecord): Promise<boolean> {
  const { state, versions } = intake.preview
  if (state !== 'done') return false
  return versions === undefined || versions === (await versionsOf(db, await touchedAccounts(caller, intake)))
}

const accountsPerRead = 500

/** Of all that reports show of the accounts, and of all that somebody has changed there. */
export async function versionsOf(db: Kysely<Tables>, accounts: readonly number[]): Promise<string> {
  const hash = createHash('sha256')
  for (const ids of batchesOf(accounts, accountsPerRead)) {
    const read = db.selectFrom('accounts').select(['id', 'report_version']).where('id', 'in', ids).orderBy('id')
    const measured = [...(await readMeasuredVersions(db, new Set(ids)))].sort(([a], [b]) => a - b)
    const entries = db
      .selectFrom('audit_entries')
      .select(({ fn }) => fn.max('id').as('last'))
      .where('account_id', 'in', ids)
    const last = (await entries.executeTakeFirst())?.last ?? null
    hash.update(JSON.stringify([await read.execute(), measured, last]))
  }
  return hash.digest('hex')
}
