/** What those who keep an account change of its people: access is taken away in this account only, and ownership handed over. */

import type { Kysely } from 'kysely'
import { invalid, notFound, refuse } from '../../../lib/failures.ts'
import type { Ability } from '../../../resources/ability.ts'
import { account as accountTable } from '../../../resources/account.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import type { PersonCaller } from '../../core/caller.ts'
import { accountsOf } from '../../core/tenancy.ts'
import { change, refuseMeanwhile } from '../../core/transaction.ts'
import { replaceOwner } from '../../partners/accounts.ts'
import type { SeenScope } from '../customers/clients.ts'
import { rightsState } from '../customers/rights.ts'
import { forgive } from '../login-throttle.ts'
import type { LoggedIn } from '../sessions.ts'
import { deleteEditor, insertEditor } from '../staff/editors.ts'
import { provePassword } from '../user-passwords.ts'
import type { Visitor } from '../visitor.ts'
import { covers, type HeldScope, type Keeper, keeperOf, scopesIn } from './keepers.ts'

type Db = Kysely<Tables>

/** What somebody has of an account. */
interface Access {
  readonly id: number
  readonly isEditor: boolean
  readonly scopes: readonly HeldScope[]
}

/** The owner removes everybody else; an editor those who may only see, and who see no more than they do. */
export function mayRemove({ person, account, keeps, sees }: Keeper, { id, isEditor, scopes }: Access): boolean {
  if (id === account.owner_id || id === person.userId || (scopes.length === 0 && !isEditor)) return false
  return keeps === 'everything' || (keeps === 'what they see' && !isEditor && scopes.every((scope) => covers(sees, scope)))
}

/** The login stays, and what it sees of other accounts. */
export function removeFromAccount(person: PersonCaller, accountId: number, userId: number, was: string): Promise<void> {
  return change(person, async (tx) => {
    await person.app.store.lock(tx, 'users', userId)
    await person.app.store.lock(tx, 'accounts', accountId)
    const keeper = await keeperOf(person, accountId, tx)
    const access = (await readAccess(tx, keeper, userId)) ?? notFound('user')
    if (!mayRemove(keeper, access)) notFound('user')
    if (rightsState(access.scopes, access.isEditor) !== was) refuseMeanwhile()
    await deleteScopes(tx, userId, access.scopes)
    await deleteEditor(tx, person, accountId, userId)
    const before = access.scopes.map(({ scope_type, scope_id }): Ability => ({ key: 'show', scope_type, scope_id }))
    if (before.length > 0) await audit(tx, person, 'abilities.remove', { id: userId, account_id: accountId }, { before, after: [] })
  })
}

/** Of a living user of the partner. */
export async function readAccess(tx: Db, { person, account }: Keeper, userId: number) {
  const users = tx.selectFrom('users').select(['users.id', 'users.account_id']).where('users.id', '=', userId)
  const living = users.where('users.state', '!=', 'deleted').where('users.account_id', 'in', accountsOf(person.partnerId, tx).select('id'))
  if ((await living.executeTakeFirst()) === undefined) return undefined
  const editors = tx.selectFrom('account_editors').select('user_id').where('account_id', '=', account.id).where('user_id', '=', userId)
  const isEditor = (await editors.executeTakeFirst()) !== undefined
  return { id: userId, isEditor, scopes: await scopesIn(tx, account.id, userId) }
}

async function deleteScopes(tx: Db, userId: number, scopes: readonly SeenScope[]): Promise<void> {
  for (const type of ['Account', 'Business', 'Site'] as const) {
    const ids = scopes.filter(({ scope_type }) => scope_type === type).map(({ scope_id }) => scope_id)
    if (ids.length === 0) continue
    await tx.deleteFrom('abilities').where('user_id', '=', userId).where('scope_type', '=', type).where('scope_id', 'in', ids).execute()
  }
}

/** The new owner is a user of the account; the old one goes on as an editor who sees everything. */
export async function handOver(visitor: Visitor, loggedIn: LoggedIn, accountId: number, to: number, current: string): Promise<void> {
  const { person, login } = loggedIn
  if ((await keeperOf(person, accountId)).account.owner_id !== person.userId) refuse('forbidden', 'The owner of the account does that.')
  await provePassword(visitor, loggedIn, current)
  await change(person, async (tx) => {
    await passOn(tx, person, accountId, { from: person.userId, to })
    await forgive(tx, visitor, login)
  })
}

/** By staff, who may do everything that an owner may; `from` is the owner whom they have seen, if there was one. */
export function appointOwner(person: PersonCaller, accountId: number, from: number | null, to: number): Promise<void> {
  return change(person, (tx) => passOn(tx, person, accountId, { from, to }))
}

interface Passing {
  readonly from: number | null
  readonly to: number
}

async function passOn(tx: Db, person: PersonCaller, accountId: number, { from, to }: Passing): Promise<void> {
  const { store } = person.app
  if (to === from) invalid([{ field: 'user_id', code: 'does_not_exist' }])
  await store.lockAll(tx, 'users', from === null ? [to] : [from, to])
  await store.lock(tx, 'accounts', accountId)
  const { keeps, account } = await keeperOf(person, accountId, tx)
  if (keeps !== 'everything' || account.owner_id !== from) refuseMeanwhile()
  const columns = Object.keys(accountTable) as (keyof typeof accountTable)[]
  const before = await accountsOf(person.partnerId, tx).select(columns).where('id', '=', accountId).executeTakeFirstOrThrow()
  await replaceOwner(tx, person, before, to)
  if (from !== null) await stayAsEditor(tx, person, accountId, from)
}

async function stayAsEditor(tx: Db, person: PersonCaller, accountId: number, user_id: number): Promise<void> {
  const ability = { key: 'show', scope_type: 'Account', scope_id: accountId } as const
  const { numInsertedOrUpdatedRows: added } = await tx
    .insertInto('abilities')
    .values({ user_id, ...ability })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst()
  if (added !== 0n) await audit(tx, person, 'abilities.merge', { id: user_id, account_id: accountId }, { before: [], after: [ability] })
  await insertEditor(tx, person, accountId, user_id)
}
