/** Changes a user: email, login, name, password and account; absent fields stay unchanged, and a fault changes nothing. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../fields/read.ts'
import { type FieldError, notFound } from '../../lib/failures.ts'
import { type ChangedUser, changedUser, type User } from '../../resources/user.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import { type Managing, usersWithin } from '../core/tenancy.ts'
import { carriedOut, type ReadyChange, ready } from '../core/transaction.ts'
import { countingTakenAnswers } from './name-probing-limit.ts'
import { refuseToMoveStaff, refuseToTouchStaff } from './staff/staff-rules.ts'
import { replaceVerifier } from './user-passwords.ts'
import { accountExists, findUser, foldName, isForeignEmail, nameExists, partyOf, reserveNames, userAfter } from './users.ts'

export function changeUser(caller: Managing, id: number, draft: Draft<ChangedUser>): Promise<User> {
  return countingTakenAnswers(caller, () => changeGiven(caller, id, draft))
}

export function prepareUserChange(caller: Managing, id: number, draft: Draft<ChangedUser>): Promise<ReadyChange<User>> {
  return countingTakenAnswers(caller, () => prepareGiven(caller, id, draft))
}

const changeGiven = carriedOut(prepareGiven)

type Changeable = Pick<User, 'id' | 'account_id' | 'email' | 'login' | 'name'>
type Named = Pick<User, 'id' | 'email' | 'login'>

async function prepareGiven(caller: Managing, id: number, draft: Draft<ChangedUser>): Promise<ReadyChange<User>> {
  const known = await findUser(caller, id)
  const { password, ...wanted } = complete(changedUser, draft, await lookUp(caller, known, draft))
  const verifier = password === undefined ? undefined : await caller.app.passwords.hash(password, partyOf(caller))
  return ready(async (tx) => {
    await caller.app.store.lock(tx, 'users', id)
    const before = await changeableIn(tx, caller, id)
    await refuseToTouchStaff(tx, caller, id)
    if (wanted.account_id !== undefined && wanted.account_id !== before.account_id) await refuseToMoveStaff(tx, id)
    await applyGiven(tx, caller, before, { ...before, ...wanted })
    if (verifier !== undefined) await replaceVerifier(tx, caller, before, verifier)
    return userAfter(tx, caller.app, id)
  })
}

async function applyGiven(tx: Kysely<Tables>, caller: Managing, before: Changeable, after: Changeable): Promise<void> {
  const { id, ...values } = after
  const isSame = Object.entries(values).every(([name, value]) => before[name as keyof Changeable] === value)
  if (isSame) return
  await tx
    .updateTable('users')
    .set({ ...values, updated_at: caller.app.clock.now(), updated_by: null })
    .where('id', '=', id)
    .execute()
  await moveNames(tx, before, after)
  if (after.account_id !== before.account_id) await leaveOwnership(tx, caller, before)
  await audit(tx, caller, 'user.change', after, { before, after })
}

/** The old names become free for others as soon as the new ones are reserved. */
export async function moveNames(tx: Kysely<Tables>, before: Named, after: Named): Promise<void> {
  if (before.email === after.email && before.login === after.login) return
  await tx.deleteFrom('user_names').where('user_id', '=', after.id).execute()
  await reserveNames(tx, after)
}

/** Removes the ownership of the old account, because an owner must be one of its users. */
async function leaveOwnership(tx: Kysely<Tables>, caller: Managing, { id, account_id }: Changeable): Promise<void> {
  const updated_at = caller.app.clock.now()
  await tx.updateTable('accounts').set({ owner_id: null, updated_at }).where('id', '=', account_id).where('owner_id', '=', id).execute()
}

/** Checks what only the database knows: whether the names are free or the user's own, and whether the caller reaches the account. */
async function lookUp(caller: Managing, known: User, { values, faults }: Draft<ChangedUser>): Promise<FieldError[]> {
  const broken = new Set(faults.map(({ field }) => field))
  const own = new Set([foldName(known.email), foldName(known.login)])
  const found: FieldError[] = []
  if (!broken.has('login') && !broken.has('email') && isForeignEmail({ ...known, ...values }))
    found.push({ field: 'login', code: 'invalid' })
  for (const field of ['email', 'login'] as const) {
    const name = values[field]
    if (name !== undefined && !own.has(foldName(name)) && (await nameExists(caller, name))) found.push({ field, code: 'taken' })
  }
  const isMissing = values.account_id !== undefined && !(await accountExists(caller, values.account_id))
  return isMissing ? [...found, { field: 'account_id', code: 'does_not_exist' }] : found
}

async function changeableIn(tx: Kysely<Tables>, caller: Managing, id: number): Promise<Changeable> {
  const user = usersWithin(caller, tx).select(['id', 'account_id', 'email', 'login', 'name']).where('id', '=', id)
  return (await user.executeTakeFirst()) ?? notFound('user')
}
