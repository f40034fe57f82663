/** The recipients of a schedule: everybody is asked once whether they want the reports, but who adds themselves. */

import type { Kysely, Selectable } from 'kysely'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { ReportRecipientRow } from '../../store/rows/mail.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import type { Caller } from '../core/caller.ts'
import { foldEmail } from './addresses.ts'
import { refusePestering } from './pestering.ts'
import { queueMail } from './queue.ts'
import { liftSuppression, suppressedAmong } from './suppressions.ts'

export type Recipient = Pick<Selectable<ReportRecipientRow>, 'id' | 'email' | 'state'>

/** What the mail that asks somebody is made from. */
export interface ConfirmationPayload {
  readonly recipient_id: number
  /** The user who entered the address; null for a program or the operator. */
  readonly asked_by: number | null
}

/**
 * Recipients who stay keep their state. Of the new ones are active who add themselves, or have agreed to mail of this partner before; others must confirm first.
 * Who is on the suppression list of the partner is not asked: who unsubscribed stays so, and an address without a mailbox stays unconfirmed.
 */
export async function replaceRecipients(
  tx: Kysely<Tables>,
  caller: Caller,
  { id, account_id }: { readonly id: number; readonly account_id: number },
  before: readonly Recipient[],
  emails: readonly string[],
): Promise<void> {
  const gone = before.filter(({ email }) => !emails.includes(email)).map(({ id }) => id)
  if (gone.length > 0) await tx.deleteFrom('report_recipients').where('id', 'in', gone).execute()
  const added = emails.filter((email) => !before.some((held) => held.email === email))
  if (added.length === 0) return
  const now = caller.app.clock.now()
  const { partner_id } = await tx.selectFrom('accounts').select('partner_id').where('id', '=', account_id).executeTakeFirstOrThrow()
  const own = await ownAddress(tx, caller, partner_id, added)
  if (own !== undefined) await liftSuppression(tx, caller.app, partner_id, own)
  const suppressed = await suppressedAmong(tx, caller.app, partner_id, added)
  const willing = await willingAmong(tx, partner_id, added)
  const invited = await invitedAmong(tx, account_id, added)
  const asked = await askedAmong(tx, caller.app, { id, account_id }, added)
  const rows = added.map((email) => ({
    schedule_id: id,
    account_id,
    email,
    state: firstState(email === own || willing.has(email), suppressed.get(email)),
    created_at: now,
    updated_at: now,
  }))
  const made = await tx.insertInto('report_recipients').values(rows).returning(['id', 'email', 'state']).execute()
  const isAsked = (email: string) => invited.has(email) || asked.has(email) || suppressed.has(email)
  const unasked = made.filter(({ email, state }) => state === 'unconfirmed' && !isAsked(email))
  for (const { id: recipientId, email } of unasked)
    await askRecipient(tx, caller, { account_id, email, id: recipientId }, `confirmation:${recipientId}`)
}

function firstState(isWilling: boolean, suppressed: string | undefined): Recipient['state'] {
  if (suppressed === 'unsubscribed') return 'unsubscribed'
  return isWilling && suppressed === undefined ? 'active' : 'unconfirmed'
}

/** Queues the mail with which somebody confirms, once for each key. */
export async function askRecipient(
  tx: Kysely<Tables>,
  caller: Caller,
  { id, account_id, email }: { readonly id: number; readonly account_id: number; readonly email: string },
  key: string,
): Promise<void> {
  const asking = { kind: 'confirmation', account_id, recipient: email } as const
  await refusePestering(tx, caller.app, asking)
  const payload: ConfirmationPayload = { recipient_id: id, asked_by: 'userId' in caller ? caller.userId : null }
  await queueMail(tx, caller.app, { ...asking, key, payload })
}

/**
 * The caller's own address, if it is one of them. Users with these addresses are locked, so that who is being deleted is a stranger, or is taken off the
 * schedule again.
 */
async function ownAddress(
  tx: Kysely<Tables>,
  caller: Caller,
  partnerId: number | null,
  emails: readonly string[],
): Promise<string | undefined> {
  const users = tx
    .selectFrom('user_names')
    .innerJoin('users', 'users.id', 'user_names.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.email'])
    .distinct()
    .where('user_names.name', 'in', emails)
    .where('accounts.partner_id', '=', partnerId)
    .where('users.state', '!=', 'deleted')
  await caller.app.store.lockAll(
    tx,
    'users',
    (await users.orderBy('users.id').execute()).map(({ id }) => id),
  )
  const own = 'userId' in caller ? await users.where('users.id', '=', caller.userId).executeTakeFirst() : undefined
  return own && foldEmail(own.email)
}

/** Those that get reports of this partner. */
async function willingAmong(tx: Kysely<Tables>, partnerId: number | null, emails: readonly string[]): Promise<Set<string>> {
  const active = tx
    .selectFrom('report_recipients')
    .innerJoin('accounts', 'accounts.id', 'report_recipients.account_id')
    .select('report_recipients.email')
    .where('report_recipients.email', 'in', emails)
    .where('report_recipients.state', '=', 'active')
    .where('accounts.partner_id', '=', partnerId)
  return new Set((await active.execute()).map(({ email }) => foldEmail(email)))
}

/** Those to whom an invitation to this account is about to be mailed, which names the reports. */
async function invitedAmong(tx: Kysely<Tables>, accountId: number, emails: readonly string[]): Promise<Set<string>> {
  const mails = tx.selectFrom('mails').select('recipient').where('account_id', '=', accountId).where('kind', '=', 'invitation')
  const waiting = mails.where('state', '=', 'queued').where('key', 'like', 'welcome:%').where('recipient', 'in', emails)
  return new Set((await waiting.execute()).map(({ recipient }) => recipient))
}

/** Those who have a mail of today that asks them for another schedule of the account: their answer holds for this one too. */
async function askedAmong(
  tx: Kysely<Tables>,
  { clock }: App,
  { id, account_id }: { readonly id: number; readonly account_id: number },
  emails: readonly string[],
): Promise<Set<string>> {
  const mails = tx.selectFrom('mails').select('recipient').where('kind', '=', 'confirmation').where('account_id', '=', account_id)
  const today = mails.where('created_at', '>', secondsAfter(clock.now(), -86_400)).where('recipient', 'in', emails)
  const others = tx.selectFrom('report_recipients').select('email').distinct().where('account_id', '=', account_id)
  const waiting = others.where('schedule_id', '!=', id).where('state', '=', 'unconfirmed').where('email', 'in', today)
  return new Set((await waiting.execute()).map(({ email }) => email))
}

/** The reports that an invitation of somebody to an account names: whoever accepts it wants them. */
export async function reportsAwaiting({ store }: App, accountId: number, email: string) {
  return store.db
    .selectFrom('report_recipients')
    .innerJoin('report_schedules', 'report_schedules.id', 'report_recipients.schedule_id')
    .select(['report_recipients.id', 'rhythm'])
    .where('report_recipients.account_id', '=', accountId)
    .where('report_recipients.email', '=', foldEmail(email))
    .where('report_recipients.state', '=', 'unconfirmed')
    .orderBy('report_recipients.id')
    .execute()
}
