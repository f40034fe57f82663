/** Tenancy, by construction: every query starts from what the caller can reach, so a foreign id is as absent as an unknown one. */

import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { OperatorCaller, PartnerCaller } from './caller.ts'

/** Those who manage accounts; people see through their abilities instead (access.ts). */
export type Managing = PartnerCaller | OperatorCaller

export function accountsWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  return caller.kind === 'partner' ? accountsOf(caller.partnerId, db) : db.selectFrom('accounts')
}

/** For statements that are built before anyone asks, and for the report thread, which is told the caller's partner. */
export function accountsOf(partnerId: number, db: Kysely<Tables>) {
  return db.selectFrom('accounts').where('accounts.partner_id', '=', partnerId)
}

export function usersWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  return caller.kind === 'partner' ? usersOf(caller.partnerId, db) : liveUsers(db)
}

/** As `accountsOf`. */
export function usersOf(partnerId: number, db: Kysely<Tables>) {
  return liveUsers(db).where(managedBy('users', partnerId))
}

/** Deleted users are gone for whoever manages accounts. */
function liveUsers(db: Kysely<Tables>) {
  return db.selectFrom('users').where('users.state', '!=', 'deleted')
}

export function businessesWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  return caller.kind === 'partner' ? businessesOf(caller.partnerId, db) : db.selectFrom('businesses')
}

/** As `accountsOf`. */
export function businessesOf(partnerId: number, db: Kysely<Tables>) {
  return db.selectFrom('businesses').where(managedBy('businesses', partnerId))
}

export function sitesWithin(caller: Managing, db: Kysely<Tables> = caller.app.store.db) {
  return caller.kind === 'partner' ? sitesOf(caller.partnerId, db) : db.selectFrom('sites')
}

/** As `accountsOf`. */
export function sitesOf(partnerId: number, db: Kysely<Tables>) {
  return db.selectFrom('sites').where(managedBy('sites', partnerId))
}

/** Asked of each row's own account, so that it costs the same however many accounts the partner manages. */
function managedBy<T extends 'users' | 'businesses' | 'sites'>(table: T, partnerId: number) {
  return (row: ExpressionBuilder<Tables, T>) =>
    row.exists(
      (row as unknown as ExpressionBuilder<Tables, 'users' | 'businesses' | 'sites'>)
        .selectFrom('accounts')
        .select('accounts.id')
        .whereRef('accounts.id', '=', `${table as 'users'}.account_id`)
        .where('accounts.partner_id', '=', partnerId),
    )
}
