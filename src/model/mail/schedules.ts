/** Scheduled reports: the owner of an account, its partner or the operator chooses a rhythm, sites and recipients. */

import type { Kysely, Selectable } from 'kysely'
import { type FieldError, invalid, notFound, refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { ReportRecipientRow, ReportScheduleRow } from '../../store/rows/mail.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller, PartnerCaller, PersonCaller } from '../core/caller.ts'
import { accountsWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { lastPeriod, type Rhythm } from './periods.ts'
import { queueMail } from './queue.ts'

export const rhythms: readonly Rhythm[] = ['weekly', 'monthly']
const maxSchedules = 10
const maxRecipients = 20
const maxEmailCharacters = 254

export type Scheduling = PartnerCaller | PersonCaller | OperatorCaller

export interface ScheduleWishes {
  readonly rhythm: Rhythm
  /** Null means every site of the account. */
  readonly siteIds: readonly number[] | null
  readonly recipients: readonly string[]
}

export interface ReportSchedule {
  readonly id: number
  readonly account_id: number
  readonly rhythm: Rhythm
  readonly site_ids: readonly number[] | null
  /** The sites as records; empty if the schedule covers every site. */
  readonly sites: readonly { readonly id: number }[]
  readonly created_at: string
  readonly recipients: readonly Pick<Selectable<ReportRecipientRow>, 'id' | 'email' | 'state'>[]
}

export function createSchedule(caller: Scheduling, accountId: number, wishes: ScheduleWishes): Promise<ReportSchedule> {
  return change(caller, async (tx) => {
    const { id: account_id } = await accountOf(caller, tx, accountId)
    const siteIds = wishes.siteIds === null ? null : [...new Set(wishes.siteIds)]
    const emails = foldEmails(wishes.recipients)
    await refuseFaults(tx, { account_id, id: null }, wishes.rhythm, siteIds, emails)
    const now = caller.app.clock.now()
    const { id } = await tx
      .insertInto('report_schedules')
      .values({
        account_id,
        rhythm: wishes.rhythm,
        site_ids: siteIds === null ? null : JSON.stringify(siteIds),
        // The first mail is about the first period that ends from now on.
        last_period: lastPeriod(wishes.rhythm, now.slice(0, 10)).to,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addRecipients(tx, caller, { id, account_id }, emails)
    await recordSchedule(
      tx,
      caller,
      'schedule.create',
      { id, account_id },
      { rhythm: wishes.rhythm, site_ids: siteIds, recipients: emails.length },
    )
    return findIn(tx, id)
  })
}

export async function listSchedules(caller: Scheduling, accountId: number): Promise<ReportSchedule[]> {
  const { db } = caller.app.store
  const { id } = await accountOf(caller, db, accountId)
  const schedules = await db.selectFrom('report_schedules').selectAll().where('account_id', '=', id).orderBy('id').execute()
  return Promise.all(schedules.map((schedule) => withRecipients(db, schedule)))
}

export async function findSchedule(
  caller: Scheduling,
  accountId: number,
  id: number,
  db: Kysely<Tables> = caller.app.store.db,
): Promise<ReportSchedule> {
  const { id: account_id } = await accountOf(caller, db, accountId)
  const found = db.selectFrom('report_schedules').selectAll().where('account_id', '=', account_id).where('id', '=', id)
  return withRecipients(db, (await found.executeTakeFirst()) ?? notFound('schedule'))
}

/** Mail that is already queued is still sent. Returns the schedule as it was. */
export function deleteSchedule(caller: Scheduling, accountId: number, id: number): Promise<ReportSchedule> {
  return change(caller, async (tx) => {
    const before = await findSchedule(caller, accountId, id, tx)
    const { account_id } = before
    await endSchedule(tx, id)
    await recordSchedule(tx, caller, 'schedule.delete', { id, account_id }, {})
    return before
  })
}

export async function endSchedule(tx: Kysely<Tables>, id: number): Promise<void> {
  await tx.deleteFrom('report_recipients').where('schedule_id', '=', id).execute()
  await tx.deleteFrom('report_schedules').where('id', '=', id).execute()
}

/** A person may schedule reports of accounts they own, a partner those of its accounts; other accounts are not found. */
async function accountOf(caller: Scheduling, db: Kysely<Tables>, id: number): Promise<{ readonly id: number }> {
  const accounts =
    caller.kind === 'person'
      ? db.selectFrom('accounts').where('accounts.partner_id', '=', caller.partnerId).where('accounts.owner_id', '=', caller.userId)
      : accountsWithin(caller, db)
  return (await accounts.select('accounts.id').where('accounts.id', '=', id).executeTakeFirst()) ?? notFound('account')
}

/** `id` is the schedule itself, whose own recipients are not counted twice; null if it is new. */
export async function refuseFaults(
  tx: Kysely<Tables>,
  { account_id, id }: { readonly account_id: number; readonly id: number | null },
  rhythm: string,
  siteIds: readonly number[] | null,
  emails: readonly string[],
): Promise<void> {
  const schedules = await tx.selectFrom('report_schedules').select('id').where('account_id', '=', account_id).execute()
  const written = tx.selectFrom('report_recipients').select('email').distinct().where('account_id', '=', account_id)
  const others = await written.where('schedule_id', '!=', id ?? 0).execute()
  const everyone = new Set([...others.map(({ email }) => email), ...emails])
  const faults: FieldError[] = [
    ...(rhythms.some((known) => known === rhythm) ? [] : [{ field: 'rhythm', code: 'inclusion', words: rhythms } as const]),
    ...(id !== null || schedules.length < maxSchedules ? [] : [{ field: 'schedules', code: 'too_many', limit: maxSchedules } as const]),
    ...(siteIds === null || (await areSitesOf(tx, account_id, siteIds)) ? [] : [{ field: 'site_ids', code: 'does_not_exist' } as const]),
    ...(emails.length > 0 ? [] : [{ field: 'recipients', code: 'blank' } as const]),
    ...(emails.every(looksLikeEmail) ? [] : [{ field: 'recipients', code: 'invalid' } as const]),
    ...(everyone.size <= maxRecipients ? [] : [{ field: 'recipients', code: 'too_many', limit: maxRecipients } as const]),
  ]
  if (faults.length > 0) invalid(faults)
}

function looksLikeEmail(email: string): boolean {
  return email.length <= maxEmailCharacters && /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+\.[^\s@<>(),;:"\\[\].]+$/.test(email)
}

async function areSitesOf(tx: Kysely<Tables>, accountId: number, siteIds: readonly number[]): Promise<boolean> {
  if (siteIds.length === 0) return false
  const found = await tx.selectFrom('sites').select('id').where('account_id', '=', accountId).where('id', 'in', siteIds).execute()
  return found.length === siteIds.length
}

/** Removes duplicates and converts to lower case, as they are stored. */
export function foldEmails(emails: readonly string[]): string[] {
  return [...new Set(emails.map(foldEmail))]
}

export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}

interface ScheduleRef {
  readonly id: number
  readonly account_id: number
}

/** Users of the account are active at once; others must confirm first. */
export async function addRecipients(
  tx: Kysely<Tables>,
  caller: Scheduling,
  { id, account_id }: ScheduleRef,
  emails: readonly string[],
): Promise<void> {
  const now = caller.app.clock.now()
  const known = await usersAmong(tx, caller, account_id, emails)
  for (const email of emails) {
    const state = known.has(email) ? 'active' : 'unconfirmed'
    const recipient = await tx
      .insertInto('report_recipients')
      .values({ schedule_id: id, account_id, email, state, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (state === 'unconfirmed') {
      await refusePestering(tx, caller, account_id, email)
      const payload = { recipient_id: recipient.id }
      await queueMail(tx, caller.app, { key: `confirmation:${recipient.id}`, kind: 'confirmation', account_id, recipient: email, payload })
    }
  }
}

/** Those of the addresses that are users' of the account. They are locked, so that who is being deleted is a stranger, or is taken off the schedule again. */
async function usersAmong(tx: Kysely<Tables>, { app }: Scheduling, accountId: number, emails: readonly string[]): Promise<Set<string>> {
  const users = tx.selectFrom('users').select(['id', 'email']).where('account_id', '=', accountId).where('state', '!=', 'deleted')
  const named = (await users.orderBy('id').execute()).filter(({ email }) => emails.includes(foldEmail(email)))
  for (const { id } of named) await app.store.lock(tx, 'users', id)
  const ids = named.map(({ id }) => id)
  const still = ids.length === 0 ? [] : await users.where('id', 'in', ids).execute()
  return new Set(still.map(({ email }) => foldEmail(email)))
}

const mostConfirmationsADay = 3

/** Limits the confirmation mails to an address that is removed from and added to lists repeatedly. */
async function refusePestering(tx: Kysely<Tables>, { app }: Scheduling, accountId: number, email: string): Promise<void> {
  const since = secondsAfter(app.clock.now(), -86_400)
  const asked = tx.selectFrom('mails').select('id').where('account_id', '=', accountId).where('kind', '=', 'confirmation')
  const { length } = await asked.where('recipient', '=', email).where('created_at', '>', since).execute()
  if (length >= mostConfirmationsADay)
    refuse('conflict', `${email} has been asked to confirm ${length} times within a day: wait until tomorrow`)
}

async function findIn(db: Kysely<Tables>, id: number): Promise<ReportSchedule> {
  return withRecipients(db, await db.selectFrom('report_schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

async function withRecipients(db: Kysely<Tables>, schedule: Selectable<ReportScheduleRow>): Promise<ReportSchedule> {
  const { id, account_id, rhythm, created_at } = schedule
  const site_ids = schedule.site_ids === null ? null : (JSON.parse(schedule.site_ids) as number[])
  const recipients = db.selectFrom('report_recipients').select(['id', 'email', 'state']).where('schedule_id', '=', id).orderBy('id')
  return {
    id,
    account_id,
    rhythm,
    site_ids,
    sites: (site_ids ?? []).map((site) => ({ id: site })),
    created_at,
    recipients: await recipients.execute(),
  }
}

/** Addresses are not recorded, because they are personal and audit entries outlive the schedule. */
export async function recordSchedule(
  tx: Kysely<Tables>,
  caller: Scheduling,
  action: string,
  { id, account_id }: ScheduleRef,
  after: object,
): Promise<void> {
  await audit(tx, caller, { action, subject_type: 'ReportSchedule', subject_id: id, account_id, after })
}
