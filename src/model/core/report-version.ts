/** Versions of an account's report data: every change of that data sets a new version in the same transaction. */

import type { Kysely } from 'kysely'
import { batchesOf } from '../../lib/work/batches.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Store } from '../../store/store.ts'

const accountsPerStatement = 500

/** For changes of directory data that reports contain: sites and their locations. Also locks the accounts; several are to be locked before. */
export async function renewReportVersions(tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  for (const ids of batchesOf(inOneOrder(accountIds), accountsPerStatement))
    await tx.updateTable('accounts').set({ report_version: drawVersion() }).where('id', 'in', ids).execute()
}

/** For changes of measurements. Also locks the accounts. Call it only if something changed, because clients then download their reports again. */
export async function renewMeasuredVersions(tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  const version = drawVersion()
  for (const ids of batchesOf(inOneOrder(accountIds), accountsPerStatement))
    await tx
      .insertInto('measured_versions')
      .values(ids.map((account_id) => ({ account_id, version })))
      .onConflict((taken) => taken.column('account_id').doUpdateSet({ version }))
      .execute()
}

/** Must be called before incoming data is compared with stored data: two imports into one account wait for each other here. */
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

/** Like `lockMeasuredVersions`, for the directory data of the accounts. */
export async function lockReportVersions(store: Store, tx: Kysely<Tables>, accountIds: Iterable<number>): Promise<void> {
  for (const ids of batchesOf(inOneOrder(accountIds), accountsPerStatement)) await store.lockAll(tx, 'accounts', ids)
}

/** Accounts without any measurement are missing in the result. */
export async function readMeasuredVersions(db: Kysely<Tables>, accountIds: ReadonlySet<number>): Promise<Map<number, number>> {
  const [versions, all] = [new Map<number, number>(), [...accountIds]]
  for (const some of batchesOf(all, accountsPerStatement))
    for (const { account_id, version } of await db.selectFrom('measured_versions').selectAll().where('account_id', 'in', some).execute())
      versions.set(account_id, version)
  return versions
}

/** The version of an account that has no row of its own. */
export const neverMeasured = 0

/** Sorts ids, so that everyone locks in the same order and no deadlock arises. */
function inOneOrder(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** 52 random bits. A counter would repeat after a restored backup or a failover, and one version would name different data. */
export function drawVersion(): number {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return Number(bits >> 12n)
}
