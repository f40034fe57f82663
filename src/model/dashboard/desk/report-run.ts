/** All reports of one period, of the customers of somebody of the staff: what went, what waits and why; before its due day, what will go. */

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { oneLine } from '../../../lib/one-line.ts'
import { inBatches } from '../../../lib/work/batches.ts'
import type { Release } from '../../../resources/schedule.ts'
import type { MailRow, ReportRunRow } from '../../../store/rows/mail.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import type { NamedPeriod } from '../../mail/periods.ts'
import { findReasons, type RunReason } from '../../mail/run-reasons.ts'

type Db = Kysely<Tables>

export interface RunLine {
  readonly schedule_id: number
  readonly account_id: number
  readonly customer: string
  readonly release: Release
  readonly state: ReportRunRow['state']
  /** What is wrong, or was when it fell due. */
  readonly reasons: readonly RunReason[]
  readonly sentence: string
  /** How many get it, or would. */
  readonly recipients: number
}

/** By the name of the customer. What is archived mails nothing. */
export async function listRun(caller: StaffCaller, period: NamedPeriod): Promise<RunLine[]> {
  const { db } = caller.app.store
  const { clock } = caller.app
  const today = clock.now().slice(0, 10)
  const rows = await schedulesOf(caller, db, period).execute()
  const waiting = rows.filter(({ state, last_period, rhythm }) => isAhead(state) && last_period < period.to && rhythm === period.rhythm)
  const judged = waiting.map(({ schedule_id: id, ...rest }) => ({ id, ...rest }))
  const expected = await findReasons(db, judged, { from: period.from, to: [period.to, today].sort()[0] ?? today })
  const known = new Set(waiting.map(({ schedule_id }) => schedule_id))
  const recipients = await recipientCounts(caller, db)
  return rows
    .filter(({ schedule_id, state }) => known.has(schedule_id) || !isAhead(state))
    .map(({ schedule_id, account_id, name, release, state, reasons, sentence }) => ({
      schedule_id,
      account_id,
      customer: oneLine(name),
      release: release ?? 'automatic',
      state: state ?? 'ahead',
      reasons: known.has(schedule_id) ? (expected.get(schedule_id) ?? []) : (JSON.parse(reasons ?? '[]') as RunReason[]),
      sentence: sentence ?? '',
      recipients: recipients.get(schedule_id) ?? 0,
    }))
}

function isAhead(state: ReportRunRow['state'] | null): boolean {
  return state === null || state === 'ahead'
}

/** All schedules, each with what was decided or has become of the period. */
function schedulesOf(caller: StaffCaller, db: Db, period: NamedPeriod) {
  return accountsWithin(caller, db)
    .innerJoin('report_schedules', 'report_schedules.account_id', 'accounts.id')
    .leftJoin('report_runs', (join) =>
      join
        .onRef('report_runs.schedule_id', '=', 'report_schedules.id')
        .on('report_runs.period_to', '=', period.to)
        .on('report_runs.rhythm', '=', period.rhythm),
    )
    .where('accounts.archived_at', 'is', null)
    .select(['report_schedules.id as schedule_id', 'report_schedules.account_id', 'accounts.name', 'report_schedules.rhythm'])
    .select(['site_ids', 'last_period', 'release', 'state', 'reasons', 'sentence'])
    .orderBy('accounts.name')
    .orderBy('report_schedules.id')
}

async function recipientCounts(caller: StaffCaller, db: Db): Promise<Map<number, number>> {
  const counts = accountsWithin(caller, db)
    .innerJoin('report_recipients', 'report_recipients.account_id', 'accounts.id')
    .where('report_recipients.state', '=', 'active')
    .select(({ fn }) => ['schedule_id', fn.countAll<number>().as('amount')])
    .groupBy('schedule_id')
  return new Map((await counts.execute()).map(({ schedule_id, amount }) => [schedule_id, Number(amount)]))
}

const schedulesPerStatement = 500

/** How many mails of each state the reports have, by schedule. */
export async function runMails(
  { app }: StaffCaller,
  scheduleIds: readonly number[],
  { to }: NamedPeriod,
): Promise<Map<number, Partial<Record<MailRow['state'], number>>>> {
  const key = sql<string>`'report:' || report_recipients.schedule_id || ':' || cast(${to} as text) || ':' || report_recipients.id`
  const mails = app.store.db
    .selectFrom('report_recipients')
    .innerJoin('mails', (join) => join.on('mails.key', '=', key))
    .select(({ fn }) => ['schedule_id', 'mails.state', fn.countAll<number>().as('amount')])
    .groupBy(['schedule_id', 'mails.state'])
  const counts = await inBatches(scheduleIds, schedulesPerStatement, (ids) => mails.where('schedule_id', 'in', ids).execute())
  const byState = Map.groupBy(counts, ({ schedule_id }) => schedule_id)
  return new Map([...byState].map(([id, some]) => [id, Object.fromEntries(some.map(({ state, amount }) => [state, Number(amount)]))]))
}
