/** What a partner or the operator decides about a user: suspended, unsuspended, deleted, or given another password. */

import type { Kysely } from 'kysely'
import { complete, draftOf } from '../../fields/read.ts'
import { notFound } from '../../lib/failures.ts'
import { newUser, type User } from '../../resources/user.ts'
import type { Tables, UserRow } from '../../store/rows/tables.ts'
import { type Action, audit } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { forgetExternalId } from '../core/external-ids.ts'
import { type Managing, usersWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { stopMail } from '../mail/forget-mail.ts'
import { endSessions } from './sessions.ts'
import { leaveStaff, refuseLastAdmin } from './staff/staff.ts'
import { refuseToTouchStaff } from './staff/staff-rules.ts'
import { replaceVerifier } from './user-passwords.ts'
import { userAfter } from './users.ts'

type State = UserRow['state']

interface Standing {
  readonly id: number
  readonly account_id: number
  readonly state: State
  readonly activated_at: string | null
}

const newPassword = { password: newUser.password }

export function suspendUser(caller: Managing, id: number): Promise<User> {
  return setState(caller, 'user.suspend', id, () => 'suspended')
}

/** Restores the state before the suspension; timestamps are not renewed. */
export function unsuspendUser(caller: Managing, id: number): Promise<User> {
  return setState(caller, 'user.unsuspend', id, stateBeforeSuspension)
}

/** The names stay reserved, so that nobody can take over a deleted user's identity. The partner's reports are no longer mailed to the address. */
export function deleteUser(caller: Managing, id: number): Promise<User> {
  return change(caller, async (tx) => {
    const before = await standingOf(tx, caller, id)
    await leaveStaff(tx, caller, id)
    const { partner_id } = await tx
      .selectFrom('accounts')
      .select('partner_id')
      .where('id', '=', before.account_id)
      .executeTakeFirstOrThrow()
    return endUser(tx, caller, { ...before, partner_id })
  })
}

/** The partner is given, because the account may have been deleted before. */
export async function endUser(tx: Kysely<Tables>, caller: Caller, before: Standing & { readonly partner_id: number }): Promise<User> {
  const { id, partner_id } = before
  const now = caller.app.clock.now()
  await tx.updateTable('users').set({ state: 'deleted', deleted_at: now, updated_at: now }).where('id', '=', id).execute()
  await tx.updateTable('accounts').set({ owner_id: null, updated_at: now }).where('owner_id', '=', id).execute()
  await forgetExternalId(tx, 'user', id)
  for (const table of ['abilities', 'account_editors'] as const) await tx.deleteFrom(table).where('user_id', '=', id).execute()
  await endSessions(tx, id)
  const deleted = await userAfter(tx, caller.app, id)
  await stopMail(tx, caller, { email: deleted.email, partnerId: partner_id })
  await record(tx, caller, 'user.delete', before, 'deleted')
  return deleted
}

/** Ends all sessions of the user. */
export async function setPassword(caller: Managing, id: number, wanted: string): Promise<void> {
  const { password } = complete(newPassword, draftOf(newPassword, { password: wanted }))
  const verifier = await caller.app.passwords.hash(password)
  return change(caller, async (tx) => {
    await replaceVerifier(tx, caller, await standingOf(tx, caller, id), verifier)
  })
}

/** A repetition changes nothing and records nothing. */
function setState(caller: Managing, action: Action, id: number, next: (user: Standing) => State): Promise<User> {
  return change(caller, async (tx) => {
    const before = await standingOf(tx, caller, id)
    const state = next(before)
    if (state === before.state) return userAfter(tx, caller.app, id)
    if (state === 'suspended') await refuseLastAdmin(tx, caller, id)
    await tx.updateTable('users').set({ state, updated_at: caller.app.clock.now() }).where('id', '=', id).execute()
    if (state === 'suspended') await endSessions(tx, id)
    await record(tx, caller, action, before, state)
    return userAfter(tx, caller.app, id)
  })
}

function stateBeforeSuspension({ state, activated_at }: Standing): State {
  if (state !== 'suspended') return state
  return activated_at === null ? 'passive' : 'active'
}

async function standingOf(tx: Kysely<Tables>, caller: Managing, id: number): Promise<Standing> {
  await caller.app.store.lock(tx, 'users', id)
  const user = usersWithin(caller, tx).select(['id', 'account_id', 'state', 'activated_at']).where('id', '=', id)
  const found = (await user.executeTakeFirst()) ?? notFound('user')
  await refuseToTouchStaff(tx, caller, id)
  return found
}

async function record(tx: Kysely<Tables>, caller: Caller, action: Action, before: Standing, state: State): Promise<void> {
  await audit(tx, caller, action, before, { before: { state: before.state }, after: { state } })
}
