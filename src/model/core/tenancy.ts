/** Tenancy by construction: every query starts from what the caller can reach, so a foreign id looks like an unknown one. */

import { type Expression, expressionBuilder, type Kysely, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { OperatorCaller, PartnerCaller, PersonCaller, StaffCaller } from './caller.ts'

/** Callers who manage accounts. People instead see what their abilities allow (model/people/visible-sites.ts). */
export type Managing = PartnerCaller | StaffCaller | OperatorCaller

/** A partner whose key is not limited to some accounts; prepared statements exist only for these. */
export type WholePartner = PartnerCaller & { readonly accountIds: null }

export function reachesAll(caller: Managing): caller is WholePartner {
  return caller.kind === 'partner' && caller.accountIds === null
}

export function accountsWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  if (caller.kind === 'operator') return livingAccounts(db)
  const accounts = accountsOf(caller.partnerId, db)
  switch (caller.kind) {
    case 'partner':
      return caller.accountIds === null ? accounts : accounts.where('accounts.id', 'in', caller.accountIds)
    case 'staff':
      return caller.customers === 'all' ? accounts : accounts.where('accounts.looked_after_by', '=', caller.userId)
  }
}

/** Whether the caller reaches the account of its partner to which a business belongs that names no account; for the operator there is none. */
export function ownAccountOf(caller: Managing): number | null {
  switch (caller.kind) {
    case 'partner':
      return caller.accountIds === null || caller.accountIds.includes(caller.accountId) ? caller.accountId : null
    case 'staff':
      return caller.customers === 'all' ? caller.accountId : null
    case 'operator':
      return null
  }
}

/** A deleted account belongs to no partner: whoever asks for those of a partner does not find it, and all others ask here. */
export function livingAccounts(db: Kysely<Tables>) {
  return db.selectFrom('accounts').where('accounts.partner_id', 'is not', null)
}

/** For what is found neither through a caller nor by its partner, such as waiting mail: what belongs to these rests. */
export function deletedAccountIds(db: Kysely<Tables>) {
  return db.selectFrom('deleted_accounts').select('deleted_accounts.account_id').where('cleared_at', 'is', null)
}

/** Those of the domains that a deleted account of the partner has. */
export function domainsOfDeleted(db: Kysely<Tables>, partnerId: number, domains: readonly string[]) {
  return db
    .selectFrom('sites')
    .innerJoin('deleted_accounts', 'deleted_accounts.account_id', 'sites.account_id')
    .select('sites.domain')
    .where('sites.domain', 'in', domains)
    .where('deleted_accounts.partner_id', '=', partnerId)
}

/** For prepared statements, and for the reader threads, which receive the caller's partner id. */
export function accountsOf(partnerId: number, db: Kysely<Tables>) {
  return db.selectFrom('accounts').where('accounts.partner_id', '=', partnerId)
}

export function usersWithin(caller: Managing, db?: Kysely<Tables>) {
  return within('users', caller, db)
}

export function businessesWithin(caller: Managing, db?: Kysely<Tables>) {
  return within('businesses', caller, db)
}

export function sitesWithin(caller: Managing, db?: Kysely<Tables>) {
  const sites = within('sites', caller, db)
  const only = caller.kind === 'partner' ? (caller.token?.siteId ?? null) : null
  return only === null ? sites : sites.where('sites.id', '=', only)
}

export function locationsWithin(caller: Managing, db?: Kysely<Tables>) {
  return within('locations', caller, db)
}

/** Tables of which each row belongs to one account. */
type Owned = 'users' | 'businesses' | 'sites' | 'locations'
type Rows<T extends Owned> = SelectQueryBuilder<Tables, T, object>

function within<T extends Owned>(table: T, caller: Managing, db: Kysely<Tables> = caller.app.store.db): Rows<T> {
  if (caller.kind === 'operator')
    return rowsOf[table](db).where(row.exists(accountOfRow(table).where('accounts.partner_id', 'is not', null)))
  const rows = managedBy(caller.partnerId, table, db)
  switch (caller.kind) {
    case 'partner':
      return caller.accountIds === null ? rows : rows.where(row(accountOf(table), 'in', caller.accountIds))
    case 'staff':
      return caller.customers === 'all' ? rows : rows.where(row.exists(lookedAfter(table, caller.userId)))
  }
}

/** Whether an account is the person's own, or that of a customer of theirs if they are staff: what they may do more there than see. */
export function isRunBy({ post, userId }: Pick<PersonCaller, 'post' | 'userId'>): Expression<SqlBool> {
  const isOwned = account('accounts.owner_id', '=', userId)
  switch (post?.customers) {
    case 'all':
      return account.lit(true)
    case 'assigned':
      return account.or([isOwned, account('accounts.looked_after_by', '=', userId)])
    case undefined:
      return isOwned
  }
}

/** Whether the person is on the list of the account's editors: they may do more with what they see of it. */
export function isEditedBy({ userId }: PersonCaller): Expression<SqlBool> {
  const editors = account.selectFrom('account_editors').select('account_editors.user_id').where('account_editors.user_id', '=', userId)
  return account.exists(editors.whereRef('account_editors.account_id', '=', 'accounts.id'))
}

/** Whether the person may mail everything of the account, now and later: an editor who may see all of it may. */
export function isMailedBy(person: PersonCaller): Expression<SqlBool> {
  const abilities = account.selectFrom('abilities').select('scope_id').where('user_id', '=', person.userId).where('key', '=', 'show')
  const seesAll = account.exists(abilities.where('scope_type', '=', 'Account').whereRef('scope_id', '=', 'accounts.id'))
  return account.or([isRunBy(person), account.and([isEditedBy(person), seesAll])])
}

const account = expressionBuilder<Tables, 'accounts'>()

function lookedAfter(table: Owned, userId: number) {
  const accounts = row.selectFrom('accounts').select('accounts.id').whereRef('accounts.id', '=', accountOf(table))
  return accounts.where('accounts.looked_after_by', '=', userId)
}

/** Like `accountsOf`. Checks the account of each row, so that the cost does not depend on the number of the partner's accounts. */
export function managedBy<T extends Owned>(partnerId: number, table: T, db: Kysely<Tables>): Rows<T> {
  return rowsOf[table](db).where(row.exists(accountOfRow(table).where('accounts.partner_id', '=', partnerId)))
}

function accountOfRow(table: Owned) {
  return row.selectFrom('accounts').select('accounts.id').whereRef('accounts.id', '=', accountOf(table))
}

function accountOf(table: Owned) {
  return `${table}.account_id` as const
}

const row = expressionBuilder<Tables, Owned>()

const rowsOf: { readonly [T in Owned]: (db: Kysely<Tables>) => Rows<T> } = {
  // Deleted users do not exist for those who manage accounts.
  users: (db) => db.selectFrom('users').where('users.state', '!=', 'deleted'),
  businesses: (db) => db.selectFrom('businesses'),
  sites: (db) => db.selectFrom('sites'),
  locations: (db) => db.selectFrom('locations'),
}
