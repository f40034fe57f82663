/** Takes a person's address out of the reports by mail: off the schedules, out of the queue, and out of the record of what was mailed. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { Caller, OperatorCaller } from '../core/caller.ts'
import { removeAll } from '../partners/removal.ts'
import { foldEmail } from './addresses.ts'
import { eraseFromSuppressions, hashesOf, suppressionsOf } from './suppressions.ts'

type Db = Kysely<Tables>

export interface AddressAt {
  readonly email: string
  /** The partner in whose accounts it is taken away; null for every partner. */
  readonly partnerId: number | null
  /** What came later stays: somebody may have put the address of a deleted user on a schedule again. */
  readonly until?: string
}

/** Lost by a mail that must no longer tell whom it went to; it keeps its key, so that it is not sent twice. */
const withoutAddress = { recipient: '', payload: '{}', error: null, due_at: '' }

const endOfTime = '9999'

const settledStates = ['sent', 'failed', 'uncertain'] as const

/** Nothing is mailed to the address any more. A schedule without another recipient ends; it would have nobody to write to. */
export async function stopMail(tx: Db, caller: Caller, at: AddressAt): Promise<void> {
  const address = foldEmail(at.email)
  for (const listed of await listings(tx, at).where('email', '=', address).orderBy('schedule_id').execute()) {
    // The schedule first, like the job that queues its reports: it reads the recipients either before this, or after.
    await caller.app.store.lock(tx, 'report_schedules', listed.schedule_id)
    await leaveSchedule(tx, caller, listed, address)
  }
  // A mail that is being sent goes too: if the mail server refuses it, it must not wait again.
  const waiting = tx.deleteFrom('mails').where('recipient', '=', address).where('state', 'in', ['queued', 'sending'])
  await waiting
    .where('account_id', 'in', accountIds(tx, at))
    .where('created_at', '<=', at.until ?? endOfTime)
    .execute()
}

/** Stops the mail, and takes the address out of mails that were sent, out of invitations, and out of stored answers to requests about schedules. */
export async function forgetMail(tx: Db, caller: OperatorCaller, at: AddressAt): Promise<void> {
  for (const { schedule_id, partner_id } of await listings(tx, at).where('email', '=', foldEmail(at.email)).execute()) {
    const answers = tx.deleteFrom('idempotency_records').where('partner_id', '=', partner_id).where('subject_id', '=', schedule_id)
    await answers.where('operation', 'like', '%/schedules%').execute()
  }
  await stopMail(tx, caller, at)
  await eraseFromSuppressions(tx, hashesOf(caller.app, at.email), at.partnerId)
  const mails = tx.updateTable('mails').set(withoutAddress).where('recipient', '=', foldEmail(at.email))
  await mails
    .where('account_id', 'in', accountIds(tx, at))
    .where('created_at', '<=', at.until ?? endOfTime)
    .execute()
  await tx
    .deleteFrom('people_invitations')
    .where('name', '=', invitedName(at.email))
    .where('account_id', 'in', accountIds(tx, at))
    .where('created_at', '<=', at.until ?? endOfTime)
    .execute()
}

/** Takes address and text out of some mails that were settled before a time; returns out of how many. Without their due time they are not found again. */
export async function forgetOldMails(tx: Db, before: string, most: number): Promise<number> {
  const old = tx.selectFrom('mails').select('id').where('state', 'in', settledStates).where('due_at', '>', '').where('due_at', '<', before)
  const ids = (await old.limit(most).execute()).map(({ id }) => id)
  if (ids.length > 0) await tx.updateTable('mails').set(withoutAddress).where('id', 'in', ids).execute()
  return ids.length
}

/** Every address that is on a schedule, in a mail or in an invitation. */
export async function mailedAddresses(db: Db): Promise<string[]> {
  const recipients = db.selectFrom('report_recipients').select('email').distinct()
  const mails = db.selectFrom('mails').select('recipient as email').distinct().where('recipient', '!=', '')
  const invited = db.selectFrom('people_invitations').select('name as email').distinct()
  return (await recipients.union(mails).union(invited).execute()).map(({ email }) => email)
}

/** What is stored of an address, for the person whose it is. */
export async function mailDataOf(app: App, email: string, db: Db = app.store.db) {
  const address = foldEmail(email)
  return {
    report_recipients: await db.selectFrom('report_recipients').selectAll().where('email', '=', address).orderBy('id').execute(),
    mails: await db.selectFrom('mails').selectAll().where('recipient', '=', address).orderBy('id').execute(),
    suppressions: await suppressionsOf(db, app, email).execute(),
    people_invitations: await db
      .selectFrom('people_invitations')
      .selectAll()
      .where('name', '=', invitedName(email))
      .orderBy('id')
      .execute(),
  }
}

/** As an invitation has the address. */
function invitedName(email: string): string {
  return foldEmail(email).normalize('NFKC')
}

type Listing = Awaited<ReturnType<ReturnType<typeof listings>['execute']>>[number]

async function leaveSchedule(tx: Db, caller: Caller, { schedule_id: id, account_id, partner_id }: Listing, address: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('report_recipients')
    .where('schedule_id', '=', id)
    .where('email', '=', address)
    .executeTakeFirst()
  if (Number(numDeletedRows) === 0) return
  const left = await tx.selectFrom('report_recipients').select('id').where('schedule_id', '=', id).execute()
  if (left.length === 0) await removeAll(caller.app.store.engine, tx, 'schedule', account_id, [id])
  const about = { id, account_id, partner_id }
  if (left.length === 0) await audit(tx, caller, 'schedule.delete', about, { after: {} })
  else await audit(tx, caller, 'schedule.change', about, { after: { recipients: left.length } })
}

function listings(tx: Db, { partnerId, until = endOfTime }: AddressAt) {
  const listed = tx
    .selectFrom('report_recipients')
    .innerJoin('accounts', 'accounts.id', 'report_recipients.account_id')
    .select(['schedule_id', 'report_recipients.account_id', 'accounts.partner_id'])
    .where('report_recipients.created_at', '<=', until)
  return partnerId === null ? listed : listed.where('accounts.partner_id', '=', partnerId)
}

function accountIds(tx: Db, { partnerId }: AddressAt) {
  const ids = tx.selectFrom('accounts').select('id')
  return partnerId === null ? ids : ids.where('partner_id', '=', partnerId)
}
