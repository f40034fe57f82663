/** The reports by mail of all customers of somebody of the staff: each schedule with its recipients, and what became of the mail to each. */

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { oneLine } from '../../../lib/one-line.ts'
import { daysLater } from '../../../lib/time/days.ts'
import type { Release } from '../../../resources/schedule.ts'
import type { MailRow, ReportRecipientRow, ReportRunRow } from '../../../store/rows/mail.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { nextMailOn, type Rhythm } from '../../mail/periods.ts'
import type { RunReason } from '../../mail/run-reasons.ts'

type Db = Kysely<Tables>

export interface Mailing {
  readonly id: number
  readonly account_id: number
  readonly customer: string
  readonly rhythm: Rhythm
  /** Null for every site of the customer. */
  readonly sites: number | null
  readonly nextOn: string
  /** When the mails of the latest period were sent; null if none was. */
  readonly lastOn: string | null
  readonly release: Release
  /** Of the latest period and the one before: those that were not sent, or not yet. */
  readonly unsent: readonly UnsentRun[]
  readonly recipients: readonly MailedRecipient[]
}

/** A report that was held, and what became of it. */
export interface UnsentRun {
  readonly rhythm: Rhythm
  readonly period_from: string
  readonly period_to: string
  readonly state: ReportRunRow['state']
  readonly reasons: readonly RunReason[]
}

export interface MailedRecipient {
  readonly id: number
  readonly email: string
  readonly state: ReportRecipientRow['state']
  /** The mail of the latest period; null if there was none for this recipient. */
  readonly mail: SentMail | null
}

export interface SentMail {
  readonly state: MailRow['state']
  readonly at: string
  readonly error: string | null
}

/** By the name of the customer. What is archived mails nothing. */
export async function listMailings(caller: StaffCaller): Promise<Mailing[]> {
  const { db } = caller.app.store
  const schedules = await schedulesWithin(caller, db)
    .select([
      'report_schedules.id',
      'report_schedules.account_id',
      'accounts.name',
      'report_schedules.rhythm',
      'site_ids',
      'last_period',
      'release',
    ])
    .orderBy('accounts.name')
    .orderBy('report_schedules.id')
    .execute()
  const recipients = Map.groupBy(await recipientsWithin(caller, db), ({ schedule_id }) => schedule_id)
  const unsent = Map.groupBy(await unsentWithin(caller, db), ({ schedule_id }) => schedule_id)
  return schedules.map(({ id, account_id, name, rhythm, site_ids, last_period, release }) => {
    const mailed = (recipients.get(id) ?? []).map(mailedRecipient)
    return {
      id,
      account_id,
      customer: oneLine(name),
      rhythm,
      sites: site_ids === null ? null : (JSON.parse(site_ids) as number[]).length,
      nextOn: nextMailOn(rhythm, last_period),
      lastOn: lastOf(mailed),
      release: release ?? 'automatic',
      unsent: (unsent.get(id) ?? []).filter((run) => isRecent(run, last_period)).map(unsentRun),
      recipients: mailed,
    }
  })
}

function schedulesWithin(caller: StaffCaller, db: Db) {
  return db
    .selectFrom('report_schedules')
    .innerJoin('accounts', 'accounts.id', 'report_schedules.account_id')
    .where('accounts.archived_at', 'is', null)
    .where('report_schedules.account_id', 'in', accountsWithin(caller, db).select('accounts.id'))
}

function unsentWithin(caller: StaffCaller, db: Db) {
  return schedulesWithin(caller, db)
    .innerJoin('report_runs', 'report_runs.schedule_id', 'report_schedules.id')
    .where('state', 'in', ['held', 'skipped', 'missed'])
    .select(['schedule_id', 'report_runs.rhythm', 'period_from', 'period_to', 'state', 'reasons'])
    .orderBy('period_to', 'desc')
    .execute()
}

const daysOfLongestPeriod = 31

/** The latest period, or the one before. */
function isRecent({ state, period_to }: Pick<ReportRunRow, 'state' | 'period_to'>, last: string): boolean {
  return state === 'missed' ? period_to >= daysLater(last, -daysOfLongestPeriod) : period_to === last
}

function unsentRun({ schedule_id: _, reasons, ...run }: Awaited<ReturnType<typeof unsentWithin>>[number]): UnsentRun {
  return { ...run, reasons: JSON.parse(reasons) as RunReason[] }
}

/** Each with the mail of the latest period, which is found by its key. */
function recipientsWithin(caller: StaffCaller, db: Db) {
  const key = sql<string>`'report:' || report_schedules.id || ':' || report_schedules.last_period || ':' || report_recipients.id`
  return schedulesWithin(caller, db)
    .innerJoin('report_recipients', 'report_recipients.schedule_id', 'report_schedules.id')
    .leftJoin('mails', (join) => join.on('mails.key', '=', key))
    .select(['report_recipients.id', 'schedule_id', 'email', 'report_recipients.state'])
    .select(['mails.state as mail_state', 'mails.created_at as queued_at', 'mails.settled_at', 'mails.error'])
    .orderBy('report_recipients.id')
    .execute()
}

type RecipientLine = Awaited<ReturnType<typeof recipientsWithin>>[number]

function mailedRecipient({ id, email, state, mail_state, queued_at, settled_at, error }: RecipientLine): MailedRecipient {
  const mail = mail_state === null ? null : { state: mail_state, at: settled_at ?? queued_at ?? '', error }
  return { id, email, state, mail }
}

function lastOf(recipients: readonly MailedRecipient[]): string | null {
  const sent = recipients.flatMap(({ mail }) => (mail?.state === 'sent' ? [mail.at.slice(0, 10)] : []))
  return sent.toSorted().at(-1) ?? null
}
