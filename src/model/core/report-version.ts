/** The version of an account's report data: whatever changes that data raises it in the same transaction. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { Store } from '../../store/store.ts'

/** Before anything is compared with what is known: two imports into one account wait for each other here. */
export async function lockReportVersions(store: Store, tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  for (const id of inOneOrder(accountIds)) await store.lock(tx, 'accounts', id)
}

/** Also a lock. Only for what did change: whoever holds a report of before then reads it anew. */
export async function raiseReportVersions(tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  for (const id of inOneOrder(accountIds)) {
    await tx
      .updateTable('accounts')
      .set((account) => ({ report_version: account('report_version', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }
}

/** The same for everyone, so that two imports never wait for each other in a circle. */
function inOneOrder(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
