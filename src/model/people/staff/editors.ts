/** The editors of an account: who may share, note and schedule what they may see of it. The list is apart from abilities, and opens nothing to anybody. */

import type { Kysely } from 'kysely'
import { invalid, notFound } from '../../../lib/failures.ts'
import type { Editor } from '../../../resources/user.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import type { Caller } from '../../core/caller.ts'
import { accountsWithin, type Managing, usersWithin } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'

type Db = Kysely<Tables>

const mostEditors = 200

export async function listEditors(caller: Managing, accountId: number): Promise<Editor[]> {
  const { db } = caller.app.store
  await reachedAccount(caller, db, accountId)
  return editorsOf(db, accountId).orderBy('user_id').execute()
}

export async function findEditor(caller: Managing, accountId: number, userId: number): Promise<Editor> {
  const { db } = caller.app.store
  await reachedAccount(caller, db, accountId)
  await reachedUser(caller, db, userId)
  return (await editorsOf(db, accountId).where('user_id', '=', userId).executeTakeFirst()) ?? notFound('editor')
}

/** Any user of the partner; a repetition changes nothing and records nothing. */
export function addEditor(caller: Managing, accountId: number, userId: number): Promise<Editor> {
  return change(caller, async (tx) => {
    // The user before the account, as a deletion takes them.
    await caller.app.store.lock(tx, 'users', userId)
    await caller.app.store.lock(tx, 'accounts', accountId)
    await reachedAccount(caller, tx, accountId)
    await reachedUser(caller, tx, userId)
    return insertEditor(tx, caller, accountId, userId)
  })
}

/** The account is locked. */
export async function insertEditor(tx: Db, caller: Caller, accountId: number, userId: number): Promise<Editor> {
  const all = await editorsOf(tx, accountId).execute()
  const known = all.find(({ user_id }) => user_id === userId)
  if (known !== undefined) return known
  if (all.length >= mostEditors) invalid([{ field: 'editors', code: 'too_many', limit: mostEditors }])
  const row = { account_id: accountId, user_id: userId, created_at: caller.app.clock.now() }
  await tx.insertInto('account_editors').values(row).execute()
  await audit(tx, caller, 'account.add_editor', { id: accountId, account_id: accountId }, { after: { user_id: userId } })
  return row
}

/** The answer is the editor as it was. */
export function removeEditor(caller: Managing, accountId: number, userId: number): Promise<Editor> {
  return change(caller, async (tx) => {
    await reachedAccount(caller, tx, accountId)
    await reachedUser(caller, tx, userId)
    return (await deleteEditor(tx, caller, accountId, userId)) ?? notFound('editor')
  })
}

export async function deleteEditor(tx: Db, caller: Caller, accountId: number, userId: number): Promise<Editor | undefined> {
  const gone = await tx
    .deleteFrom('account_editors')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  if (gone !== undefined)
    await audit(tx, caller, 'account.remove_editor', { id: accountId, account_id: accountId }, { before: { user_id: userId } })
  return gone
}

function editorsOf(db: Db, accountId: number) {
  return db.selectFrom('account_editors').selectAll().where('account_id', '=', accountId)
}

async function reachedAccount(caller: Managing, db: Db, id: number): Promise<void> {
  if (!(await accountsWithin(caller, db).select('accounts.id').where('accounts.id', '=', id).executeTakeFirst())) notFound('account')
}

async function reachedUser(caller: Managing, db: Db, id: number): Promise<void> {
  if (!(await usersWithin(caller, db).select('users.id').where('users.id', '=', id).executeTakeFirst())) notFound('user')
}
