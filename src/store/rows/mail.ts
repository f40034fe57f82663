/** Rows of the mail queue, and of reports mailed on a schedule with their recipients. */

import type { Generated } from 'kysely'
import type { Moment } from './values.ts'

export interface MailTables {
  mails: MailRow
  report_schedules: ReportScheduleRow
  report_recipients: ReportRecipientRow
  report_runs: ReportRunRow
  suppressions: SuppressionRow
}

export interface MailRow {
  id: Generated<number>
  /** Identifies the content of the mail: a mail with the same key is never queued again. */
  key: string
  kind: 'report' | 'confirmation' | 'invitation' | 'email_change' | 'email_changed' | 'left' | 'lost_links' | 'host_missing'
  account_id: number
  /** By which partners take turns; 0 in a mail that an older version queued. */
  partner_id: Generated<number>
  /** Empty once the address is forgotten, with `{}` as the payload. */
  recipient: string
  /** The data from which the mail is composed, as JSON, without secrets. */
  payload: string
  /** `uncertain`: the process ended while the mail server was accepting the mail, so it is not sent again. */
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain'
  attempts: number
  /** The time of the next attempt; while the mail is being sent, the time by which that must be done. Empty once the address is forgotten. */
  due_at: Moment
  error: string | null
  created_at: Moment
  settled_at: Moment | null
}

export interface ReportScheduleRow {
  id: Generated<number>
  account_id: number
  rhythm: 'weekly' | 'monthly'
  /** The sites as a JSON list; null means every site of the account. */
  site_ids: string | null
  /** The last day of the latest period for which mail was queued. */
  last_period: string
  /** Who lets a report go; null, as in rows of earlier versions, means that it goes by itself. */
  release: 'automatic' | 'unless_wrong' | 'by_hand' | null
  created_at: Moment
  updated_at: Moment
}

export interface ReportRecipientRow {
  id: Generated<number>
  schedule_id: number
  account_id: number
  email: string
  /** Only active recipients get mail. Who was added by somebody else must confirm first. */
  state: 'unconfirmed' | 'active' | 'unsubscribed'
  created_at: Moment
  updated_at: Moment
}

/** The report of one schedule about one period, from its due day on; before that, only where somebody has written or decided something for it. */
export interface ReportRunRow {
  schedule_id: number
  /** The last day. */
  period_to: string
  period_from: string
  account_id: number
  /** The rhythm of the period; the schedule may have another one since. */
  rhythm: ReportScheduleRow['rhythm']
  /** `ahead` before the due day; `released` once its mails are queued; `missed` when the next period came and nobody had let it go. */
  state: 'ahead' | 'held' | 'released' | 'skipped' | 'missed'
  /** What was wrong when it fell due, as a JSON list. */
  reasons: string
  /** What somebody wrote to the recipients above the figures; empty if nothing. */
  sentence: string
  updated_at: Moment
}

/** An address to which a partner sends nothing that nobody asked for. */
export interface SuppressionRow {
  id: Generated<number>
  partner_id: number
  address_hash: string
  /** The first letter and the domain; empty once the person was erased. */
  address: string
  /** `refused_once`: the mail server has said on one day that it will never take mail for the address, which alone changes nothing. */
  reason: 'unsubscribed' | 'refused' | 'refused_once'
  created_at: Moment
}
