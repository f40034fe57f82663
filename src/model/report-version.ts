/** The version of an account's report data: whatever changes that data raises it in the same transaction, first of all. */

import type { Kysely } from 'kysely'
import type { Tables } from '../store/rows.ts'

/** Also the lock for what follows in the transaction: two imports into one account wait for each other here. */
export async function raiseReportVersions(tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  // One order for everyone, so that two imports never wait for each other in a circle.
  for (const id of [...new Set(accountIds)].sort((a, b) => a - b)) {
    await tx
      .updateTable('accounts')
      .set((account) => ({ report_version: account('report_version', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }
}
