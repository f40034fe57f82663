/** Queues the mails of many schedules about one period, in one statement: one for each recipient who wants it and has not got it. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import type { MailedPeriod } from './periods.ts'

/** What a report is about. */
export interface ReportedPeriod extends MailedPeriod {
  readonly schedule_id: number
}

export interface ReportPayload extends ReportedPeriod {
  /** Null for somebody of the staff who wants to see it. */
  readonly recipient_id: number | null
}

/** The rows of the schedules must be locked: whoever is taken off one meanwhile gets no mail any more. Returns how many were queued. */
export async function queueReports(
  tx: Kysely<Tables>,
  { clock }: App,
  scheduleIds: readonly number[],
  { from, to }: MailedPeriod,
): Promise<number> {
  const now = clock.now()
  const recipient = sql.ref('report_recipients.id')
  const schedule = sql.ref('schedule_id')
  const rows = tx
    .selectFrom('report_recipients')
    .innerJoin('accounts', 'accounts.id', 'report_recipients.account_id')
    .where('schedule_id', 'in', scheduleIds)
    .where('report_recipients.state', '=', 'active')
    .select(({ fn }) => [
      sql<string>`'report:' || ${schedule} || ':' || cast(${to} as text) || ':' || ${recipient}`.as('key'),
      sql<'report'>`'report'`.as('kind'),
      'report_recipients.account_id',
      fn.coalesce('accounts.partner_id', sql<number>`0`).as('partner_id'),
      'report_recipients.email as recipient',
      payload(schedule, recipient, { from, to }).as('payload'),
      sql<'queued'>`'queued'`.as('state'),
      sql<number>`0`.as('attempts'),
      sql<string>`cast(${now} as text)`.as('due_at'),
      sql<string>`cast(${now} as text)`.as('created_at'),
    ])
    .orderBy('report_recipients.id')
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('mails')
    .columns(['key', 'kind', 'account_id', 'partner_id', 'recipient', 'payload', 'state', 'attempts', 'due_at', 'created_at'])
    .expression(rows)
    .onConflict((queued) => queued.column('key').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}

/** The text of a `ReportPayload`. */
function payload(schedule: ReturnType<typeof sql.ref>, recipient: ReturnType<typeof sql.ref>, { from, to }: MailedPeriod) {
  const period = `,"from":"${from}","to":"${to}"}`
  return sql<string>`'{"schedule_id":' || ${schedule} || ',"recipient_id":' || ${recipient} || cast(${period} as text)`
}
