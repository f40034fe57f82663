/** The reports by mail of all customers of somebody of the staff: each schedule with its recipients, and what became of the mail to each. */

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { oneLine } from '../../../lib/one-line.ts'
import type { MailRow, ReportRecipientRow } from '../../../store/rows/mail.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { nextMailOn, type Rhythm } from '../../mail/periods.ts'

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
  readonly recipients: readonly MailedRecipient[]
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
    .select(['report_schedules.id', 'report_schedules.account_id', 'accounts.name', 'rhythm', 'site_ids', 'last_period'])
    .orderBy('accounts.name')
    .orderBy('report_schedules.id')
    .execute()
  const recipients = Map.groupBy(await recipientsWithin(caller, db), ({ schedule_id }) => schedule_id)
  return schedules.map(({ id, account_id, name, rhythm, site_ids, last_period }) => {
    const mailed = (recipients.get(id) ?? []).map(mailedRecipient)
    return {
      id,
      account_id,
      customer: oneLine(name),
      rhythm,
      sites: site_ids === null ? null : (JSON.parse(site_ids) as number[]).length,
      nextOn: nextMailOn(rhythm, last_period),
      lastOn: lastOf(mailed),
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
