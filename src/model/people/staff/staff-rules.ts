/** Who decides about the staff of a partner: its admins, the operator, and keys with the scope `staff`. Nobody else changes a user who is staff or is to be. */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../../lib/failures.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import type { PersonCaller, StaffCaller } from '../../core/caller.ts'
import type { Managing } from '../../core/tenancy.ts'

type Db = Kysely<Tables>

/** The caller that a person is at the desk; for whoever is no staff there is no desk. */
export function staffCallerOf({ post, ...person }: PersonCaller): StaffCaller {
  return post === null ? notFound('page') : { ...person, ...post, kind: 'staff' }
}

/** Of another partner, nothing is found. */
export function refuseUnlessOverStaff(caller: Managing, partnerId: number): void {
  if (caller.kind !== 'operator' && caller.partnerId !== partnerId) notFound('partner')
  if (!isOverStaff(caller)) refuse('forbidden', 'Only an admin of the staff, the operator or a key with the scope staff may do that')
}

/** Asked in the transaction that changes the user, whose row is locked. */
export async function refuseToTouchStaff(tx: Db, caller: Managing, userId: number): Promise<void> {
  if (!isOverStaff(caller) && (await isOrBecomesStaff(tx, caller.app, userId)))
    refuse(
      'forbidden',
      'This user is staff of the partner or is invited to be: only an admin, the operator or a key with the scope staff changes, suspends or deletes them',
    )
}

/** Staff are users of the partner account, so that no customer's end is theirs. */
export async function refuseToMoveStaff(tx: Db, userId: number): Promise<void> {
  if ((await postOf(tx, userId)) !== undefined)
    refuse('conflict', 'This user is staff, who belong to the partner account: remove them from the staff first')
}

/** A login link for staff goes by mail only, so that whoever makes it cannot use it. */
export async function refuseLinkForStaff(caller: Managing, userId: number): Promise<void> {
  if (caller.kind !== 'operator' && (await isOrBecomesStaff(caller.app.store.db, caller.app, userId)))
    refuse('forbidden', 'This user is staff of the partner or is invited to be: they ask for a link on the login page')
}

/** Must be asked with the row of the partner locked, so that two admins cannot remove each other. */
export async function refuseWithoutAnotherAdmin(tx: Db, partnerId: number, userId: number): Promise<void> {
  const admins = tx.selectFrom('staff').innerJoin('users', 'users.id', 'staff.user_id').select('staff.user_id')
  const others = admins.where('staff.partner_id', '=', partnerId).where('role', '=', 'admin').where('staff.user_id', '!=', userId)
  const other = await others.where('users.state', 'not in', ['suspended', 'deleted']).executeTakeFirst()
  if (other === undefined) refuse('conflict', 'This is the last admin of the partner: make somebody else an admin first')
}

/** The post of a user; undefined if they are no staff. */
export function postOf(db: Db, userId: number) {
  return db.selectFrom('staff').select(['user_id', 'partner_id', 'role', 'customers']).where('user_id', '=', userId).executeTakeFirst()
}

export function isOverStaff(caller: Managing): boolean {
  switch (caller.kind) {
    case 'operator':
      return true
    case 'staff':
      return caller.role === 'admin'
    case 'partner':
      return caller.accountIds === null && caller.scopes.includes('staff')
  }
}

async function isOrBecomesStaff(db: Db, { clock }: App, userId: number): Promise<boolean> {
  if ((await postOf(db, userId)) !== undefined) return true
  const names = db.selectFrom('user_names').select('user_names.name').where('user_id', '=', userId)
  const own = db.selectFrom('users').innerJoin('accounts', 'accounts.id', 'users.account_id').select('accounts.partner_id')
  const waiting = db.selectFrom('staff_invitations').select('id').where('expires_at', '>', clock.now()).where('name', 'in', names)
  return (await waiting.where('partner_id', 'in', own.where('users.id', '=', userId)).executeTakeFirst()) !== undefined
}
