/** What staff decide about the reports of a period, before they are due and while they are held: let them go, skip them, or write a sentence above one. */

import type { Kysely } from 'kysely'
import { complete, draftOf } from '../../fields/read.ts'
import { notFound, refuse } from '../../lib/failures.ts'
import { runSentence } from '../../resources/schedule.ts'
import type { ReportRunRow } from '../../store/rows/mail.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { type Action, audit } from '../core/audit.ts'
import type { StaffCaller } from '../core/caller.ts'
import { accountsWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { type NamedPeriod, runningPeriod } from './periods.ts'
import { queueReports } from './queue-reports.ts'
import { refuseIfOther, runVersion } from './run-version.ts'

type Db = Kysely<Tables>

/** The report of a schedule about a period. */
export interface NamedRun {
  readonly scheduleId: number
  readonly period: NamedPeriod
}

export type Decision = 'send' | 'skip' | 'note'

/** Undefined leaves the sentence as it is, empty takes it away. `was` is the version that the caller saw. */
export function decideRun(caller: StaffCaller, named: NamedRun, decision: Decision, was: string, sentence?: string): Promise<void> {
  const { app } = caller
  return change(caller, async (tx) => {
    await app.store.lock(tx, 'report_schedules', named.scheduleId)
    const run = await findRun(caller, named, tx)
    refuseIfOther(runVersion(run), was)
    const state = stateAfter(run.state, decision, named.period.to < app.clock.now().slice(0, 10))
    const decided = { state, sentence: sentence === undefined ? run.sentence : readSentence(sentence), updated_at: app.clock.now() }
    await storeDecision(tx, named, run.account_id, decided)
    if (state === 'released') await queueReports(tx, app, [named.scheduleId], named.period)
    const after = { period_to: named.period.to, state, has_sentence: decided.sentence !== '' }
    await audit(tx, caller, actions[decision], { id: named.scheduleId, account_id: run.account_id }, { after })
  })
}

const actions: Readonly<Record<Decision, Action>> = { send: 'schedule.release', skip: 'schedule.skip', note: 'schedule.note' }

/** Before it is due, a report that is not skipped any more goes as if nothing had been said. */
function stateAfter(state: ReportRunRow['state'], decision: Decision, isDue: boolean): ReportRunRow['state'] {
  const isOpen = state === 'held' || state === 'skipped' || state === 'ahead'
  if (!isOpen || (decision === 'send' && state === 'ahead')) refuse('conflict', 'This report waits for nobody any more.')
  if (decision === 'note') return state
  return decision === 'skip' ? 'skipped' : isDue ? 'released' : 'ahead'
}

/** A browser sends line breaks as two characters. */
function readSentence(typed: string): string {
  const sentence = typed.replaceAll('\r\n', '\n').trim()
  return sentence === '' ? '' : complete(runSentence, draftOf(runSentence, { sentence })).sentence
}

async function storeDecision(
  tx: Db,
  { scheduleId, period }: NamedRun,
  account_id: number,
  decided: Pick<ReportRunRow, 'state' | 'sentence' | 'updated_at'>,
): Promise<void> {
  const about = { schedule_id: scheduleId, account_id, rhythm: period.rhythm, period_from: period.from, period_to: period.to }
  await tx
    .insertInto('report_runs')
    .values({ ...about, reasons: '[]', ...decided })
    .onConflict((stored) => stored.columns(['schedule_id', 'period_to']).doUpdateSet(decided))
    .execute()
}

/** Of a customer whom the caller does not reach, or who is archived, there is none. One that nobody has decided about is there for the running period only. */
async function findRun(caller: StaffCaller, { scheduleId, period }: NamedRun, db: Db) {
  const schedules = accountsWithin(caller, db)
    .innerJoin('report_schedules', 'report_schedules.account_id', 'accounts.id')
    .leftJoin('report_runs', (join) =>
      join.onRef('report_runs.schedule_id', '=', 'report_schedules.id').on('report_runs.period_to', '=', period.to),
    )
    .where('report_schedules.id', '=', scheduleId)
    .where('accounts.archived_at', 'is', null)
    .select(['report_schedules.account_id', 'report_schedules.rhythm', 'report_runs.rhythm as run_rhythm', 'state', 'sentence'])
  const { account_id, rhythm, run_rhythm, state, sentence } = (await schedules.executeTakeFirst()) ?? notFound('report')
  if (run_rhythm === period.rhythm && state !== null) return { account_id, state, sentence: sentence ?? '' }
  const isRunning = runningPeriod(rhythm, caller.app.clock.now().slice(0, 10)).to === period.to
  return rhythm === period.rhythm && isRunning ? { account_id, state: 'ahead' as const, sentence: '' } : notFound('report')
}
