/** Sends the reports of a period that are held although nothing is wrong with them: some at a time, each exactly once. */

import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { batchesOf } from '../../lib/work/batches.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { auditAll } from '../core/audit.ts'
import type { StaffCaller } from '../core/caller.ts'
import { accountsWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import type { NamedPeriod } from './periods.ts'
import { queueReports } from './queue-reports.ts'
import { refuseIfOther } from './run-version.ts'

type Db = Kysely<Tables>

const runsPerWrite = 100

/**
 * `was` is the version of those that the caller saw. Returns how many reports go; none if all of them went before. After so many milliseconds no further
 * ones go, so that whoever waits is answered: they stay ready.
 */
export async function releaseReady(
  caller: StaffCaller,
  period: NamedPeriod,
  was: string,
  milliseconds = Number.POSITIVE_INFINITY,
): Promise<number> {
  const end = performance.now() + milliseconds
  const ready = await readyRuns(caller, caller.app.store.db, period).execute()
  if (ready.length === 0) return 0
  refuseIfOther(readyVersion(ready), was)
  let sent = 0
  for (const some of batchesOf(ready, runsPerWrite)) {
    const ids = some.map(({ schedule_id }) => schedule_id)
    sent += await releaseSome(caller, ids, period)
    if (performance.now() > end) break
  }
  return sent
}

/** Of customers whom the caller reaches and who are not archived, by schedule. */
export function readyRuns(caller: StaffCaller, db: Db, { rhythm, to }: NamedPeriod) {
  return accountsWithin(caller, db)
    .innerJoin('report_runs', 'report_runs.account_id', 'accounts.id')
    .where('accounts.archived_at', 'is', null)
    .where('report_runs.rhythm', '=', rhythm)
    .where('report_runs.period_to', '=', to)
    .where('report_runs.state', '=', 'held')
    .where('report_runs.reasons', '=', '[]')
    .select(['schedule_id', 'report_runs.account_id', 'report_runs.sentence'])
    .orderBy('schedule_id')
}

export function readyVersion(ready: readonly { readonly schedule_id: number; readonly sentence: string }[]): string {
  const hash = createHash('sha256')
  for (const { schedule_id, sentence } of ready) hash.update(`${schedule_id} ${JSON.stringify(sentence)}\n`)
  return hash.digest('hex').slice(0, 20)
}

/** What somebody has sent or skipped meanwhile is left out. */
function releaseSome(caller: StaffCaller, ids: readonly number[], period: NamedPeriod): Promise<number> {
  const { app } = caller
  return change(caller, async (tx) => {
    await app.store.lockAll(tx, 'report_schedules', ids)
    const still = await readyRuns(caller, tx, period).where('schedule_id', 'in', ids).execute()
    if (still.length === 0) return 0
    const going = still.map(({ schedule_id }) => schedule_id)
    await queueReports(tx, app, going, period)
    const runs = tx.updateTable('report_runs').where('schedule_id', 'in', going).where('period_to', '=', period.to)
    await runs.set({ state: 'released', updated_at: app.clock.now() }).execute()
    const after = { period_to: period.to, state: 'released' }
    const changes = still.map(({ schedule_id, account_id }) => ({ subject: { id: schedule_id, account_id }, after }))
    await auditAll(tx, caller, 'schedule.release', changes)
    return going.length
  })
}
