/** Scheduled reports: the owner of an account, its partner or the operator chooses a rhythm, sites and recipients. */

import type { Kysely, Selectable } from 'kysely'
import { type FieldError, invalid, notFound } from '../../lib/failures.ts'
import { type Release, releases } from '../../resources/schedule.ts'
import type { ReportScheduleRow } from '../../store/rows/mail.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { PersonCaller } from '../core/caller.ts'
import { accountsWithin, isMailedBy, type Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { removeAll } from '../partners/removal.ts'
import { foldEmails, looksLikeEmail } from './addresses.ts'
import { lastPeriod, type Rhythm } from './periods.ts'
import { type Recipient, replaceRecipients } from './schedule-recipients.ts'
import { refuseIfChanged } from './schedule-version.ts'
import { usualReleaseOf } from './usual-release.ts'

export const rhythms: readonly Rhythm[] = ['weekly', 'monthly']
const maxSchedules = 10
export const maxRecipients = 20

export type Scheduling = Managing | PersonCaller

export interface ScheduleWishes {
  readonly rhythm: Rhythm
  /** Null means every site of the account. */
  readonly siteIds: readonly number[] | null
  readonly recipients: readonly string[]
  /** Unless given, what the partner has chosen for new schedules. */
  readonly release?: Release
}

export interface ReportSchedule {
  readonly id: number
  readonly account_id: number
  readonly rhythm: Rhythm
  readonly site_ids: readonly number[] | null
  /** The sites as records; empty if the schedule covers every site. */
  readonly sites: readonly { readonly id: number }[]
  readonly release: Release
  readonly created_at: string
  readonly recipients: readonly Recipient[]
}

export function createSchedule(caller: Scheduling, accountId: number, wishes: ScheduleWishes): Promise<ReportSchedule> {
  return change(caller, async (tx) => {
    const { id: account_id } = await accountOf(caller, tx, accountId)
    return insertSchedule(tx, caller, account_id, wishes)
  })
}

/** The account must be within the caller's reach. */
export async function insertSchedule(
  tx: Kysely<Tables>,
  caller: Scheduling,
  account_id: number,
  wishes: ScheduleWishes,
): Promise<ReportSchedule> {
  const release = wishes.release ?? (await usualReleaseOf(tx, account_id))
  return storeSchedule(tx, caller, { id: null, account_id, rhythm: wishes.rhythm, site_ids: null, release, recipients: [] }, wishes)
}

/** Absent wishes leave what they are about unchanged, and a fault changes nothing. With `was`, a version, so does a change that was made meanwhile. */
export function changeSchedule(
  caller: Scheduling,
  accountId: number,
  id: number,
  wishes: Partial<ScheduleWishes>,
  was?: string,
): Promise<ReportSchedule> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'report_schedules', id)
    const held = await findSchedule(caller, accountId, id, tx)
    refuseIfChanged(held, was)
    return storeSchedule(tx, caller, held, wishes)
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

/** Mail that is already queued is still sent. Returns the schedule as it was. With `was`, a version, a change that was made meanwhile keeps it. */
export function deleteSchedule(caller: Scheduling, accountId: number, id: number, was?: string): Promise<ReportSchedule> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'report_schedules', id)
    const before = await findSchedule(caller, accountId, id, tx)
    refuseIfChanged(before, was)
    await removeAll(caller.app.store.engine, tx, 'schedule', before.account_id, [id])
    await audit(tx, caller, 'schedule.delete', before, { after: {} })
    return before
  })
}

/** A person may schedule reports of accounts they own, or edit and see as a whole; staff those of their customers, a partner those of its accounts; other accounts are not found. */
async function accountOf(caller: Scheduling, db: Kysely<Tables>, id: number): Promise<{ readonly id: number }> {
  const accounts =
    caller.kind === 'person'
      ? db.selectFrom('accounts').where('accounts.partner_id', '=', caller.partnerId).where(isMailedBy(caller))
      : accountsWithin(caller, db)
  return (await accounts.select('accounts.id').where('accounts.id', '=', id).executeTakeFirst()) ?? notFound('account')
}

/** What a schedule is before it is stored: a new one has no id and no recipients yet. */
type Held = Pick<ReportSchedule, 'account_id' | 'rhythm' | 'site_ids' | 'release' | 'recipients'> & { readonly id: number | null }

async function storeSchedule(tx: Kysely<Tables>, caller: Scheduling, held: Held, wishes: Partial<ScheduleWishes>): Promise<ReportSchedule> {
  const rhythm = wishes.rhythm ?? held.rhythm
  const siteIds = wishes.siteIds === undefined ? held.site_ids : wishes.siteIds && [...new Set(wishes.siteIds)]
  const release = wishes.release ?? held.release
  const emails = wishes.recipients === undefined ? held.recipients.map(({ email }) => email) : foldEmails(wishes.recipients)
  await refuseFaults(tx, held, { rhythm, release }, siteIds, emails)
  const { account_id } = held
  const now = caller.app.clock.now()
  const values = { rhythm, release, site_ids: siteIds === null ? null : JSON.stringify(siteIds), updated_at: now }
  // When a schedule begins or its rhythm changes, the first mail is about the first period that ends from now on.
  const fromNow = { ...values, last_period: lastPeriod(rhythm, now.slice(0, 10)).to }
  const stored =
    held.id === null
      ? tx.insertInto('report_schedules').values({ ...fromNow, account_id, created_at: now })
      : tx
          .updateTable('report_schedules')
          .set(rhythm === held.rhythm ? values : fromNow)
          .where('id', '=', held.id)
  const schedule = await stored.returningAll().executeTakeFirstOrThrow()
  await replaceRecipients(tx, caller, schedule, held.recipients, emails)
  // Addresses are not recorded, because they are personal and audit entries outlive the schedule.
  const after = { rhythm, site_ids: siteIds, recipients: emails.length, release }
  await audit(tx, caller, held.id === null ? 'schedule.create' : 'schedule.change', schedule, { after })
  return withRecipients(tx, schedule)
}

/** The recipients of the schedule itself are not counted twice. */
async function refuseFaults(
  tx: Kysely<Tables>,
  { account_id, id }: Held,
  { rhythm, release }: Pick<Held, 'rhythm' | 'release'>,
  siteIds: readonly number[] | null,
  emails: readonly string[],
): Promise<void> {
  const schedules = await tx.selectFrom('report_schedules').select('id').where('account_id', '=', account_id).execute()
  const written = tx.selectFrom('report_recipients').select('email').distinct().where('account_id', '=', account_id)
  const others = await written.where('schedule_id', '!=', id ?? 0).execute()
  const everyone = new Set([...others.map(({ email }) => email), ...emails])
  const faults: FieldError[] = [
    ...(rhythms.some((known) => known === rhythm) ? [] : [{ field: 'rhythm', code: 'inclusion', words: rhythms } as const]),
    ...(releases.includes(release) ? [] : [{ field: 'release', code: 'inclusion', words: releases } as const]),
    ...(id !== null || schedules.length < maxSchedules ? [] : [{ field: 'schedules', code: 'too_many', limit: maxSchedules } as const]),
    ...(siteIds === null || (await areSitesOf(tx, account_id, siteIds)) ? [] : [{ field: 'site_ids', code: 'does_not_exist' } as const]),
    ...(emails.length > 0 ? [] : [{ field: 'recipients', code: 'blank' } as const]),
    ...(emails.every(looksLikeEmail) ? [] : [{ field: 'recipients', code: 'invalid' } as const]),
    ...(everyone.size <= maxRecipients ? [] : [{ field: 'recipients', code: 'too_many', limit: maxRecipients } as const]),
  ]
  if (faults.length > 0) invalid(faults)
}

async function areSitesOf(tx: Kysely<Tables>, accountId: number, siteIds: readonly number[]): Promise<boolean> {
  if (siteIds.length === 0) return false
  const found = await tx.selectFrom('sites').select('id').where('account_id', '=', accountId).where('id', 'in', siteIds).execute()
  return found.length === siteIds.length
}

async function withRecipients(db: Kysely<Tables>, schedule: Selectable<ReportScheduleRow>): Promise<ReportSchedule> {
  const { id, account_id, rhythm, release, created_at } = schedule
  const site_ids = schedule.site_ids === null ? null : (JSON.parse(schedule.site_ids) as number[])
  const recipients = db.selectFrom('report_recipients').select(['id', 'email', 'state']).where('schedule_id', '=', id).orderBy('id')
  return {
    id,
    account_id,
    rhythm,
    site_ids,
    sites: (site_ids ?? []).map((site) => ({ id: site })),
    release: release ?? 'automatic',
    created_at,
    recipients: await recipients.execute(),
  }
}
