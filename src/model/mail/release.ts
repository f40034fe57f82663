/** What staff decide about the reports of a period: let go what is held, skip it, or write a sentence above it. */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { StaffCaller } from '../core/caller.ts'
import { accountsWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { queueReports } from './queue-reports.ts'
import { refuseIfOther, runVersion } from './run-version.ts'

type Db = Kysely<Tables>

/** The report of a schedule about the period that ends on a day. */
export interface NamedRun {
  readonly scheduleId: number
  readonly to: string
}

/** Queues the mails of a report that is held, or that was skipped. */
export function releaseRun(caller: StaffCaller, named: NamedRun, was: string): Promise<void> {
  return changeRun(caller, named, was, async (tx, run) => {
    if (run.state !== 'held' && run.state !== 'skipped') refuse('conflict', 'This report waits for nobody any more.')
    await queueReports(tx, caller.app, [run.schedule_id], { from: run.period_from, to: run.period_to })
    return { action: 'schedule.release', state: 'released' }
  })
}

export function skipRun(caller: StaffCaller, named: NamedRun, was: string): Promise<void> {
  return changeRun(caller, named, was, async (_tx, run) => {
    if (run.state !== 'held') refuse('conflict', 'This report waits for nobody any more.')
    return { action: 'schedule.skip', state: 'skipped' }
  })
}

type Run = Awaited<ReturnType<typeof findRun>>

interface Decided {
  readonly action: 'schedule.release' | 'schedule.skip'
  readonly state: Run['state']
}

function changeRun(caller: StaffCaller, named: NamedRun, was: string, decide: (tx: Db, run: Run) => Promise<Decided>): Promise<void> {
  const { app } = caller
  return change(caller, async (tx) => {
    await app.store.lock(tx, 'report_schedules', named.scheduleId)
    const run = await findRun(caller, named, tx)
    refuseIfOther(runVersion(run), was)
    const { action, state } = await decide(tx, run)
    const same = tx.updateTable('report_runs').where('schedule_id', '=', run.schedule_id).where('period_to', '=', run.period_to)
    await same.set({ state, updated_at: app.clock.now() }).execute()
    const after = { period_to: run.period_to, state }
    await audit(tx, caller, action, { id: run.schedule_id, account_id: run.account_id }, { after })
  })
}

/** Of a customer whom the caller does not reach, or who is archived, there is none. */
async function findRun(caller: StaffCaller, { scheduleId, to }: NamedRun, db: Db) {
  const runs = accountsWithin(caller, db).innerJoin('report_runs', 'report_runs.account_id', 'accounts.id')
  const found = runs.selectAll('report_runs').where('schedule_id', '=', scheduleId).where('period_to', '=', to)
  return (await found.where('accounts.archived_at', 'is', null).executeTakeFirst()) ?? notFound('report')
}
