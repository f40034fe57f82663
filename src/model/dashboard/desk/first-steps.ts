/** The first five minutes of an agency: five steps, of which the desk shows its admins what is left until all is done or they want no more of it. */

import type { Kysely } from 'kysely'
import { oneLine } from '../../../lib/one-line.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { keepStoredValue, readStoredValue } from '../../core/stored-values.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'

type Db = Kysely<Tables>

export const stepNames = ['customer', 'data', 'brand', 'invite', 'mail'] as const
export type StepName = (typeof stepNames)[number]

export interface FirstSteps {
  readonly done: ReadonlySet<StepName>
  /** The customer that the steps after the first are about; null if there is none. */
  readonly customer: { readonly id: number; readonly name: string } | null
}

/** Null for members, once all is done, and once somebody wanted no more of them. */
export async function readFirstSteps(caller: StaffCaller): Promise<FirstSteps | null> {
  const { db } = caller.app.store
  if (caller.role !== 'admin' || (await readStoredValue(db, leftBy(caller))) !== undefined) return null
  const accounts = accountsWithin(caller, db).select(['accounts.id', 'name']).where('accounts.id', '!=', caller.accountId)
  const newest = await accounts.orderBy('accounts.id', 'desc').limit(1).executeTakeFirst()
  const customer = newest === undefined ? null : { id: newest.id, name: oneLine(newest.name) }
  const found: Record<StepName, boolean> = {
    customer: customer !== null,
    data: await hasData(db, caller),
    brand: await hasBrand(db, caller),
    invite: await hasClients(db, caller),
    mail: await hasMails(db, caller),
  }
  const done = new Set(stepNames.filter((name) => found[name]))
  return done.size === stepNames.length ? null : { done, customer }
}

/** For all admins of the partner, for good. */
export function leaveFirstSteps(caller: StaffCaller): Promise<void> {
  return change(caller, (tx) => keepStoredValue(tx, leftBy(caller), caller.app.clock.now()))
}

function leftBy({ partnerId }: StaffCaller): string {
  return `first_steps_left_${partnerId}`
}

async function hasData(db: Db, { partnerId }: StaffCaller): Promise<boolean> {
  const intakes = db.selectFrom('intakes').select('id').where('partner_id', '=', partnerId).where('state', '=', 'stored')
  if ((await intakes.limit(1).executeTakeFirst()) !== undefined) return true
  const figures = db.selectFrom('site_figures').innerJoin('accounts', 'accounts.id', 'site_figures.account_id').select('site_id')
  const measured = figures.where('accounts.partner_id', '=', partnerId).where('measured_on', 'is not', null)
  return (await measured.limit(1).executeTakeFirst()) !== undefined
}

async function hasBrand(db: Db, { partnerId }: StaffCaller): Promise<boolean> {
  return (await db.selectFrom('brands').select('partner_id').where('partner_id', '=', partnerId).executeTakeFirst()) !== undefined
}

/** A login that is not of the staff, or an invitation to one that was not withdrawn. */
async function hasClients(db: Db, { partnerId }: StaffCaller): Promise<boolean> {
  const users = db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('staff', 'staff.user_id', 'users.id')
  const clients = users.select('users.id').where('accounts.partner_id', '=', partnerId).where('staff.user_id', 'is', null)
  if ((await clients.where('users.state', '!=', 'deleted').limit(1).executeTakeFirst()) !== undefined) return true
  const invited = db.selectFrom('people_invitations').innerJoin('accounts', 'accounts.id', 'people_invitations.account_id')
  const waiting = invited.select('people_invitations.id').where('partner_id', '=', partnerId).where('ended', 'is', null)
  return (await waiting.limit(1).executeTakeFirst()) !== undefined
}

async function hasMails(db: Db, { partnerId }: StaffCaller): Promise<boolean> {
  const schedules = db.selectFrom('report_schedules').innerJoin('accounts', 'accounts.id', 'report_schedules.account_id')
  const own = schedules.select('report_schedules.id').where('accounts.partner_id', '=', partnerId)
  return (await own.limit(1).executeTakeFirst()) !== undefined
}
