/**
 * The reports of every schedule whose period has ended: their mails are queued, once for each schedule, period and recipient, or the report is held until
 * somebody at the desk lets it go.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { deletedAccountIds } from '../core/tenancy.ts'
import { lastPeriod, type MailedPeriod, type Rhythm } from './periods.ts'
import { queueReports } from './queue-reports.ts'
import { findReasons, type RunReason } from './run-reasons.ts'

type Db = Kysely<Tables>

const schedulesPerWrite = 200
/** Between two transactions, so that other writes come first. */
const pauseMilliseconds = 5

export async function isReportDue(app: App): Promise<boolean> {
  for (const { rhythm, period } of endedPeriods(app))
    if ((await dueSchedules(app.store.db, rhythm, period).limit(1).execute()).length > 0) return true
  return false
}

/** Returns how many mails were queued. */
export async function queueDueReports(app: App): Promise<number> {
  let queued = 0
  for (const { rhythm, period } of endedPeriods(app)) {
    const some = dueSchedules(app.store.db, rhythm, period).orderBy('report_schedules.id').limit(schedulesPerWrite)
    // What was handled is not due any more.
    for (let due = await some.execute(); due.length > 0; due = await some.execute()) {
      queued += await beginRuns(app, due, rhythm, period)
      await sleep(pauseMilliseconds)
    }
  }
  return queued
}

function endedPeriods({ clock }: App) {
  const today = clock.now().slice(0, 10)
  return (['weekly', 'monthly'] as const).map((rhythm) => ({ rhythm, period: lastPeriod(rhythm, today) }))
}

function dueSchedules(db: Db, rhythm: Rhythm, { to }: MailedPeriod) {
  const archived = db.selectFrom('accounts').select('id').where('archived_at', 'is not', null)
  return db
    .selectFrom('report_schedules')
    .innerJoin('accounts', 'accounts.id', 'report_schedules.account_id')
    .where('account_id', 'not in', deletedAccountIds(db))
    .where('account_id', 'not in', archived)
    .where('rhythm', '=', rhythm)
    .where('last_period', '<', to)
    .select(['report_schedules.id', 'report_schedules.account_id', 'site_ids', 'rhythm', 'release', 'accounts.partner_id'])
}

type Due = Awaited<ReturnType<ReturnType<typeof dueSchedules>['execute']>>[number]

/** One transaction: what is held is stored with its reasons, and the mails of the others are queued. */
async function beginRuns(app: App, due: readonly Due[], rhythm: Rhythm, period: MailedPeriod): Promise<number> {
  const { store } = app
  const judged = due.filter(({ release }) => release !== null && release !== 'automatic')
  const [reasons, withStaff] = [await findReasons(store.db, judged, period), await partnersWithStaff(store.db, judged)]
  return store.write(async (tx) => {
    const ids = due.map(({ id }) => id)
    await store.lockAll(tx, 'report_schedules', ids)
    const still = await dueSchedules(tx, rhythm, period).where('report_schedules.id', 'in', ids).execute()
    const begun = still.map((schedule) => ({ ...schedule, isHeld: isHeld(schedule, reasons, withStaff) }))
    if (begun.length === 0) return 0
    const going = await storeRuns(tx, app, begun, reasons, period)
    const queued = going.length === 0 ? 0 : await queueReports(tx, app, going, period)
    const done = still.map(({ id }) => id)
    await tx.updateTable('report_schedules').set({ last_period: period.to }).where('id', 'in', done).execute()
    return queued
  })
}

function isHeld({ id, release, partner_id }: Due, reasons: ReadonlyMap<number, unknown>, withStaff: ReadonlySet<number>): boolean {
  switch (release) {
    case 'by_hand':
      return true
    case 'unless_wrong':
      // Where there is no staff, nobody could let it go.
      return reasons.has(id) && withStaff.has(partner_id)
    case 'automatic':
    case null:
      return false
  }
}

async function partnersWithStaff(db: Db, judged: readonly Due[]): Promise<Set<number>> {
  const ids = judged.map(({ partner_id }) => partner_id)
  const staff = db.selectFrom('staff').select('partner_id').distinct()
  return new Set((await staff.where('partner_id', 'in', [0, ...ids]).execute()).map(({ partner_id }) => partner_id))
}

type Begun = Due & { readonly isHeld: boolean }

/** Returns the schedules whose report goes. One that was held until now is not sent any more; one that somebody has skipped beforehand stays so. */
async function storeRuns(
  tx: Db,
  { clock }: App,
  begun: readonly Begun[],
  reasons: ReadonlyMap<number, readonly RunReason[]>,
  { from, to }: MailedPeriod,
): Promise<number[]> {
  const ids = begun.map(({ id }) => id)
  const earlier = tx.updateTable('report_runs').where('schedule_id', 'in', ids).where('state', '=', 'held').where('period_to', '<', to)
  const updated_at = clock.now()
  await earlier.set({ state: 'missed', updated_at }).execute()
  const known = tx.selectFrom('report_runs').select('schedule_id').where('schedule_id', 'in', ids).where('period_to', '=', to)
  const skipped = new Set((await known.where('state', '=', 'skipped').execute()).map(({ schedule_id }) => schedule_id))
  const runs = begun.map(({ id, account_id, rhythm, isHeld }) => ({
    schedule_id: id,
    account_id,
    rhythm,
    period_from: from,
    period_to: to,
    state: skipped.has(id) ? ('skipped' as const) : isHeld ? ('held' as const) : ('released' as const),
    reasons: JSON.stringify(reasons.get(id) ?? []),
    sentence: '',
    updated_at,
  }))
  await tx
    .insertInto('report_runs')
    .values(runs)
    .onConflict((noted) =>
      noted.columns(['schedule_id', 'period_to']).doUpdateSet(({ ref }) => ({
        state: ref('excluded.state'),
        reasons: ref('excluded.reasons'),
        updated_at: ref('excluded.updated_at'),
      })),
    )
    .execute()
  return runs.filter(({ state }) => state === 'released').map(({ schedule_id }) => schedule_id)
}

/** Queues the last completed period for recipients who have not got it, also where it was held; a mail that was sent is not sent twice. */
export async function sendAgain({ app }: OperatorCaller, scheduleId: number): Promise<number> {
  const { store } = app
  return store.write(async (tx) => {
    await store.lock(tx, 'report_schedules', scheduleId)
    const schedules = tx.selectFrom('report_schedules').selectAll().where('account_id', 'not in', deletedAccountIds(tx))
    const schedule = await schedules.where('id', '=', scheduleId).executeTakeFirst()
    if (schedule === undefined) return notFound('schedule')
    const period = lastPeriod(schedule.rhythm, app.clock.now().slice(0, 10))
    await storeRuns(tx, app, [{ ...schedule, partner_id: 0, isHeld: false }], new Map(), period)
    await tx.updateTable('report_schedules').set({ last_period: period.to }).where('id', '=', scheduleId).execute()
    const run = tx.updateTable('report_runs').set({ state: 'released' }).where('schedule_id', '=', scheduleId)
    await run.where('period_to', '=', period.to).execute()
    return queueReports(tx, app, [scheduleId], period)
  })
}

/** The states of the latest mails of an account. */
export function lastMails({ app }: { readonly app: App }, accountId: number) {
  return app.store.db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'state', 'attempts', 'error', 'created_at', 'settled_at'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}
