/** Who keeps the people of an account: its owner and the staff who reach it everything, its editors what they see themselves. Everybody else of the account only looks. */

import type { Kysely } from 'kysely'
import { notFound } from '../../../lib/failures.ts'
import { oneLine } from '../../../lib/one-line.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { PersonCaller } from '../../core/caller.ts'
import { accountsOf, isRunBy } from '../../core/tenancy.ts'
import type { SeenScope } from '../customers/clients.ts'

type Db = Kysely<Tables>

/** With the business that it is or belongs to; null for an account. */
export interface HeldScope extends SeenScope {
  readonly business_id: number | null
}

export interface Keeper {
  readonly person: PersonCaller
  readonly account: { readonly id: number; readonly name: string; readonly owner_id: number | null; readonly region: string | null }
  readonly keeps: 'everything' | 'what they see' | 'nothing'
  /** What they see of the account. */
  readonly sees: readonly HeldScope[]
}

/** Other accounts of the partner are there for those who keep something of them. */
export async function keeperOf(person: PersonCaller, accountId: number, db: Db = person.app.store.db): Promise<Keeper> {
  const { userId } = person
  const account = await accountsOf(person.partnerId, db)
    .leftJoin('account_editors', (join) => join.onRef('account_editors.account_id', '=', 'accounts.id').on('user_id', '=', userId))
    .select(['accounts.id', 'accounts.name', 'owner_id', 'region', 'account_editors.user_id as editor_id'])
    .select((row) => row.case().when(isRunBy(person)).then(1).else(0).end().as('is_run'))
    .where('accounts.id', '=', accountId)
    .executeTakeFirst()
  const keeps = account?.is_run === 1 ? 'everything' : account?.editor_id === userId ? 'what they see' : 'nothing'
  if (account === undefined || (keeps === 'nothing' && accountId !== person.accountId)) return notFound('page')
  const { id, name, owner_id, region } = account
  const sees = keeps === 'everything' ? [wholeOf(id)] : await scopesIn(db, id, userId)
  return { person, account: { id, name: oneLine(name), owner_id, region }, keeps, sees }
}

function wholeOf(accountId: number): HeldScope {
  return { scope_type: 'Account', scope_id: accountId, business_id: null }
}

/** What a user was given to see of an account. */
export async function scopesIn(db: Db, accountId: number, userId: number): Promise<HeldScope[]> {
  const abilities = db
    .selectFrom('abilities')
    .leftJoin('businesses', (join) => join.onRef('businesses.id', '=', 'scope_id').on('scope_type', '=', 'Business'))
    .leftJoin('sites', (join) => join.onRef('sites.id', '=', 'scope_id').on('scope_type', '=', 'Site'))
    .select(['scope_type', 'scope_id'])
    .select((row) => row.fn.coalesce('businesses.id', 'sites.business_id').as('business_id'))
    .where('user_id', '=', userId)
    .where((row) =>
      row.or([
        row.and({ scope_type: 'Account', scope_id: accountId }),
        row('businesses.account_id', '=', accountId),
        row('sites.account_id', '=', accountId),
      ]),
    )
  return (await abilities.execute()).map((scope) => ({ ...scope, business_id: scope.business_id ?? null }))
}

/** A scope that a form names, if it is of the account. */
export async function givenScope(db: Db, accountId: number, { scope_type, scope_id }: SeenScope): Promise<HeldScope | undefined> {
  if (scope_type === 'Account') return scope_id === accountId ? wholeOf(accountId) : undefined
  const rows = {
    Business: () => db.selectFrom('businesses').select('id as business_id').where('id', '=', scope_id).where('account_id', '=', accountId),
    Site: () => db.selectFrom('sites').select('business_id').where('id', '=', scope_id).where('account_id', '=', accountId),
  }
  const found = await rows[scope_type]().executeTakeFirst()
  return found && { scope_type, scope_id, business_id: found.business_id }
}

/** Whether whoever sees some scopes sees all of another one. */
export function covers(sees: readonly HeldScope[], { scope_type, scope_id, business_id }: HeldScope): boolean {
  return sees.some((own) => {
    if (own.scope_type === 'Account') return true
    if (own.scope_type === 'Business') return own.scope_id === business_id
    return scope_type === 'Site' && own.scope_id === scope_id
  })
}
