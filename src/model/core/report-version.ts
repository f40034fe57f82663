/** The versions of an account's report data: whatever changes that data draws a new version in the same transaction. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { Store } from '../../store/store.ts'

/** For a change of what the directory tells of an account in its reports: its sites and their locations. Also a lock. */
export async function renewReportVersions(tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  for (const id of inOneOrder(accountIds)) {
    await tx.updateTable('accounts').set({ report_version: drawVersion() }).where('id', '=', id).execute()
  }
}

/** For a change of what was measured. Also a lock. Only for what did change: clients that hold a report of before read it anew. */
export async function renewMeasuredVersions(tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  for (const account_id of inOneOrder(accountIds)) {
    const version = drawVersion()
    await tx
      .insertInto('measured_versions')
      .values({ account_id, version })
      .onConflict((taken) => taken.column('account_id').doUpdateSet({ version }))
      .execute()
  }
}

/** To be called before anything is compared with what is known: two imports into one account wait for each other here. */
export async function lockMeasuredVersions(store: Store, tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  for (const account_id of inOneOrder(accountIds)) {
    await tx
      .insertInto('measured_versions')
      .values({ account_id, version: neverMeasured })
      .onConflict((taken) => taken.column('account_id').doNothing())
      .execute()
    await store.lock(tx, 'measured_versions', account_id, 'account_id')
  }
}

/** As `lockMeasuredVersions`, for what the directory tells of the accounts. */
export async function lockReportVersions(store: Store, tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  for (const id of inOneOrder(accountIds)) await store.lock(tx, 'accounts', id)
}

/** Accounts of which nothing was ever measured are missing in the answer. */
export async function readMeasuredVersions(db: Kysely<Tables>, accountIds: ReadonlySet<number>): Promise<Map<number, number>> {
  if (accountIds.size === 0) return new Map()
  const rows = await db
    .selectFrom('measured_versions')
    .selectAll()
    .where('account_id', 'in', [...accountIds])
    .execute()
  return new Map(rows.map(({ account_id, version }) => [account_id, version]))
}

/** The version of an account that has no row of its own. */
export const neverMeasured = 0

/** The same order for everyone, so that two imports never wait for each other in a circle. */
function inOneOrder(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** 52 random bits. A counted version would come back after a restored backup or a failover, and name other data than before. */
function drawVersion(): number {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return Number(bits >> 12n)
}
