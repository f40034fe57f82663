/** The rows of mail: what waits to be sent, and which reports are mailed to whom. */

import type { Generated } from 'kysely'

type Moment = string

export interface MailTables {
  mails: MailRow
  report_schedules: ReportScheduleRow
  report_recipients: ReportRecipientRow
}

export interface MailRow {
  id: Generated<number>
  /** Names what the mail is about: a mail with the same key is never queued again. */
  key: string
  kind: 'report' | 'confirmation'
  account_id: number
  recipient: string
  /** JSON of what the mail is made from; no secret stands in it. */
  payload: string
  /** `uncertain`: the process ended while the mail server was taking it, so it is not sent again. */
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain'
  attempts: number
  /** When it is tried next; while it is being sent, until when that may take. */
  due_at: Moment
  error: string | null
  created_at: Moment
  settled_at: Moment | null
}

export interface ReportScheduleRow {
  id: Generated<number>
  account_id: number
  rhythm: 'weekly' | 'monthly'
  /** JSON list of the sites; null means every site of the account. */
  site_ids: string | null
  /** The last day of the period for which mail was queued last. */
  last_period: string
  created_at: Moment
  updated_at: Moment
}

export interface ReportRecipientRow {
  id: Generated<number>
  schedule_id: number
  account_id: number
  email: string
  /** Only those who are active get mail; whoever is no user of the account confirms first. */
  state: 'unconfirmed' | 'active' | 'unsubscribed'
  created_at: Moment
  updated_at: Moment
}
