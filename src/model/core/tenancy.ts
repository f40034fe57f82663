/** Tenancy by construction: every query starts from what the caller can reach, so a foreign id looks like an unknown one. */

import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { OperatorCaller, PartnerCaller } from './caller.ts'

/** Callers who manage accounts. People instead see what their abilities allow (model/people/visible-sites.ts). */
export type Managing = PartnerCaller | OperatorCaller

/** A partner whose key is not limited to some accounts; prepared statements exist only for these. */
export type WholePartner = PartnerCaller & { readonly accountIds: null }

export function reachesAll(caller: Managing): caller is WholePartner {
  return caller.kind === 'partner' && caller.accountIds === null
}

export function accountsWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  if (caller.kind === 'operator') return db.selectFrom('accounts')
  const accounts = accountsOf(caller.partnerId, db)
  return caller.accountIds === null ? accounts : accounts.where('accounts.id', 'in', caller.accountIds)
}

/** For prepared statements, and for the report thread, which receives the caller's partner id. */
export function accountsOf(partnerId: number, db: Kysely<Tables>) {
  return db.selectFrom('accounts').where('accounts.partner_id', '=', partnerId)
}

export function usersWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  if (caller.kind === 'operator') return liveUsers(db)
  const users = usersOf(caller.partnerId, db)
  return caller.accountIds === null ? users : users.where('users.account_id', 'in', caller.accountIds)
}

/** Like `accountsOf`. */
export function usersOf(partnerId: number, db: Kysely<Tables>) {
  return liveUsers(db).where(managedBy('users', partnerId))
}

/** Deleted users do not exist for those who manage accounts. */
function liveUsers(db: Kysely<Tables>) {
  return db.selectFrom('users').where('users.state', '!=', 'deleted')
}

export function businessesWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  if (caller.kind === 'operator') return db.selectFrom('businesses')
  const businesses = businessesOf(caller.partnerId, db)
  return caller.accountIds === null ? businesses : businesses.where('businesses.account_id', 'in', caller.accountIds)
}

/** Like `accountsOf`. */
export function businessesOf(partnerId: number, db: Kysely<Tables>) {
  return db.selectFrom('businesses').where(managedBy('businesses', partnerId))
}

export function sitesWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  if (caller.kind === 'operator') return db.selectFrom('sites')
  const sites = sitesOf(caller.partnerId, db)
  return caller.accountIds === null ? sites : sites.where('sites.account_id', 'in', caller.accountIds)
}

/** Like `accountsOf`. */
export function sitesOf(partnerId: number, db: Kysely<Tables>) {
  return db.selectFrom('sites').where(managedBy('sites', partnerId))
}

export function locationsWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  if (caller.kind === 'operator') return db.selectFrom('locations')
  const locations = db.selectFrom('locations').where(managedBy('locations', caller.partnerId))
  return caller.accountIds === null ? locations : locations.where('locations.account_id', 'in', caller.accountIds)
}

/** Checks the account of each row, so that the cost does not depend on the number of the partner's accounts. */
function managedBy<T extends 'users' | 'businesses' | 'sites' | 'locations'>(table: T, partnerId: number) {
  return (row: ExpressionBuilder<Tables, T>) =>
    row.exists(
      (row as unknown as ExpressionBuilder<Tables, 'users' | 'businesses' | 'sites' | 'locations'>)
        .selectFrom('accounts')
        .select('accounts.id')
        .whereRef('accounts.id', '=', `${table as 'users'}.account_id`)
        .where('accounts.partner_id', '=', partnerId),
    )
}
