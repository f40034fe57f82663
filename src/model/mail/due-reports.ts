/** Queues the mails of every schedule whose period has ended: once for each schedule, period and recipient. */

import type { Selectable } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import type { ReportScheduleRow } from '../../store/rows/mail.ts'
import type { App } from '../core/app.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { deletedAccountIds } from '../core/tenancy.ts'
import { lastPeriod, type MailedPeriod } from './periods.ts'
import { queueMail } from './queue.ts'
import { activeRecipients } from './recipients.ts'

/** What a report is about. */
export interface ReportedPeriod extends MailedPeriod {
  readonly schedule_id: number
}

export interface ReportPayload extends ReportedPeriod {
  /** Null for somebody of the staff who wants to see it. */
  readonly recipient_id: number | null
}

export async function isReportDue(app: App): Promise<boolean> {
  return (await dueSchedules(app)).length > 0
}

/** Returns how many mails were queued. */
export async function queueDueReports(app: App): Promise<number> {
  let queued = 0
  for (const { schedule, period } of await dueSchedules(app)) queued += await queueReports(app, schedule, period)
  return queued
}

async function dueSchedules({ store, clock }: App) {
  const today = clock.now().slice(0, 10)
  const archived = store.db.selectFrom('accounts').select('id').where('archived_at', 'is not', null)
  const schedules = store.db.selectFrom('report_schedules').selectAll().where('account_id', 'not in', deletedAccountIds(store.db))
  return (await schedules.where('account_id', 'not in', archived).orderBy('id').execute())
    .map((schedule) => ({ schedule, period: lastPeriod(schedule.rhythm, today) }))
    .filter(({ schedule, period }) => period.to > schedule.last_period)
}

/** Queues a period even if it is not due: the operator may send it again to recipients who have not got it. */
export async function queueReports(app: App, schedule: Selectable<ReportScheduleRow>, period: MailedPeriod): Promise<number> {
  const { id, account_id } = schedule
  return app.store.write(async (tx) => {
    // Whoever is taken off the schedule now gets no mail any more.
    await app.store.lock(tx, 'report_schedules', id)
    let queued = 0
    for (const recipient of await activeRecipients(tx, id)) {
      const payload: ReportPayload = { schedule_id: id, recipient_id: recipient.id, ...period }
      const key = `report:${id}:${period.to}:${recipient.id}`
      if (await queueMail(tx, app, { key, kind: 'report', account_id, recipient: recipient.email, payload })) queued++
    }
    await tx.updateTable('report_schedules').set({ last_period: period.to }).where('id', '=', id).execute()
    return queued
  })
}

export function accountOfSchedule({ store }: App, scheduleId: number) {
  return store.db
    .selectFrom('report_schedules')
    .innerJoin('accounts', 'accounts.id', 'report_schedules.account_id')
    .where('report_schedules.id', '=', scheduleId)
    .select(['accounts.id', 'accounts.partner_id', 'accounts.name'])
    .executeTakeFirst()
}

/** The chosen sites or all, of businesses that are active now. */
export async function sitesOfSchedule({ store }: App, scheduleId: number): Promise<number[]> {
  const sites = await store.db
    .selectFrom('report_schedules')
    .innerJoin('sites', 'sites.account_id', 'report_schedules.account_id')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .where('report_schedules.id', '=', scheduleId)
    .where('businesses.aasm_state', '=', 'active')
    .select(['sites.id', 'report_schedules.site_ids'])
    .orderBy('sites.domain')
    .execute()
  const chosen = sites[0]?.site_ids ? new Set(JSON.parse(sites[0].site_ids) as number[]) : null
  return sites.map(({ id }) => id).filter((id) => chosen === null || chosen.has(id))
}

/** Queues the last completed period for recipients who have not got it; a mail that was sent is not sent twice. */
export async function sendAgain({ app }: OperatorCaller, scheduleId: number): Promise<number> {
  const { db } = app.store
  const schedules = db.selectFrom('report_schedules').selectAll().where('account_id', 'not in', deletedAccountIds(db))
  const schedule = await schedules.where('id', '=', scheduleId).executeTakeFirst()
  if (schedule === undefined) return notFound('schedule')
  return queueReports(app, schedule, lastPeriod(schedule.rhythm, app.clock.now().slice(0, 10)))
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
