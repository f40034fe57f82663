/** The people of an account with what each sees of it: its users, and those of others to whom something of it is open; staff are nobody's clients. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { livingAccounts } from '../core/tenancy.ts'

type Db = Kysely<Tables>

const mostPeople = 500

type Scopes = Readonly<Record<'Account' | 'Business' | 'Site', readonly number[]>>

export async function readPeople(db: Db, { id, owner_id }: { id: number; owner_id: number | null }, scopes: Scopes) {
  const abilities = await abilitiesOn(db, scopes)
  const held = Map.groupBy(abilities, ({ user_id }) => user_id)
  const users = await db
    .selectFrom('users')
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .where('staff.user_id', 'is', null)
    .where('users.state', '!=', 'deleted')
    // Whoever belongs to a deleted account sees nothing until it is brought back.
    .where('users.account_id', 'in', livingAccounts(db).select('accounts.id'))
    .where((user) => user.or([user('users.account_id', '=', id), ...(held.size === 0 ? [] : [user('users.id', 'in', [...held.keys()])])]))
    .leftJoin('account_editors', (join) => join.onRef('account_editors.user_id', '=', 'users.id').on('account_editors.account_id', '=', id))
    .select(['users.id', 'users.account_id', 'users.name', 'login', 'email', 'users.state', 'last_login_at'])
    .select('account_editors.created_at as edits_since')
    .orderBy('users.id')
    .limit(mostPeople)
    .execute()
  return users.map(({ account_id, edits_since, ...user }) => ({
    ...user,
    isOwner: user.id === owner_id,
    isOfAnother: account_id !== id,
    isEditor: edits_since !== null,
    scopes: (held.get(user.id) ?? []).map(({ scope_type, scope_id }) => ({ scope_type, scope_id })),
  }))
}

async function abilitiesOn(db: Db, scopes: Scopes) {
  const all: { user_id: number; scope_type: keyof Scopes; scope_id: number }[] = []
  for (const scope_type of ['Account', 'Business', 'Site'] as const) {
    if (scopes[scope_type].length === 0) continue
    const rows = db.selectFrom('abilities').select(['user_id', 'scope_type', 'scope_id']).where('scope_type', '=', scope_type)
    const some = await rows.where('scope_id', 'in', scopes[scope_type]).orderBy('user_id').limit(mostPeople).execute()
    all.push(...some)
  }
  return all
}
