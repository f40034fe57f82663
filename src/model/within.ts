/** Tenancy, by construction: every query starts from what the caller can reach, so a foreign id is as absent as an unknown one. */

import type { Kysely } from 'kysely'
import type { Tables } from '../store/rows.ts'
import type { OperatorCaller, PartnerCaller } from './caller.ts'

/** Those who manage accounts; people see through their abilities instead (access.ts). */
export type Managing = PartnerCaller | OperatorCaller

export function accountsWithin(caller: Managing, db: Kysely<Tables> = caller.ground.store.db) {
  const accounts = db.selectFrom('accounts')
  return caller.kind === 'partner' ? accounts.where('accounts.partner_id', '=', caller.partnerId) : accounts
}

/** Deleted users are gone for whoever manages accounts. */
export function usersWithin(caller: Managing, db: Kysely<Tables> = caller.ground.store.db) {
  const users = db.selectFrom('users').where('users.state', '!=', 'deleted')
  return caller.kind === 'partner' ? users.where('users.account_id', 'in', managedIds(caller, db)) : users
}

export function businessesWithin(caller: Managing, db: Kysely<Tables> = caller.ground.store.db) {
  const businesses = db.selectFrom('businesses')
  return caller.kind === 'partner' ? businesses.where('businesses.account_id', 'in', managedIds(caller, db)) : businesses
}

export function sitesWithin(caller: Managing, db: Kysely<Tables> = caller.ground.store.db) {
  const sites = db.selectFrom('sites')
  return caller.kind === 'partner' ? sites.where('sites.account_id', 'in', managedIds(caller, db)) : sites
}

function managedIds(caller: PartnerCaller, db: Kysely<Tables>) {
  return db.selectFrom('accounts').select('accounts.id').where('accounts.partner_id', '=', caller.partnerId)
}
