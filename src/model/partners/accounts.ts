/** Accounts of a partner: created, renamed, given an owner, listed. */

import type { Kysely } from 'kysely'
import { complete, type Draft, draftOf } from '../../fields/read.ts'
import { invalid, notFound, refuse } from '../../lib/failures.ts'
import { isTimeZone } from '../../lib/time/days.ts'
import { type Account, account, type NewAccount, newAccount } from '../../resources/account.ts'
import type { AccountRow, Tables } from '../../store/rows/tables.ts'
import { type Action, audit } from '../core/audit.ts'
import type { Caller, OperatorCaller, PartnerCaller } from '../core/caller.ts'
import { nameRecord, recordNarrowed } from '../core/external-ids.ts'
import { type ListPage, page, partnerPages } from '../core/paging.ts'
import { accountsOf, accountsWithin, type Managing, reachesAll } from '../core/tenancy.ts'
import { carriedOut, change, type ReadyChange, ready } from '../core/transaction.ts'

const columns = Object.keys(account) as (keyof Account)[]

export async function createAccount(caller: OperatorCaller, partnerId: number, wanted: string): Promise<Account> {
  const { name } = complete(newAccount, draftOf(newAccount, { name: wanted }))
  return change(caller, async (tx) => {
    const partner = await tx.selectFrom('partners').select('id').where('id', '=', partnerId).executeTakeFirst()
    return partner === undefined ? notFound('partner') : insertAccount(tx, caller, partnerId, name)
  })
}

export const createOwnAccount = carriedOut(prepareOwnAccount)

export async function prepareOwnAccount(
  caller: PartnerCaller,
  draft: Draft<NewAccount>,
  externalId?: string,
): Promise<ReadyChange<Account>> {
  if (!reachesAll(caller)) refuse('forbidden', 'This key is limited to accounts and creates none')
  const { name } = complete(newAccount, draft)
  return ready(async (tx) => {
    const created = await insertAccount(tx, caller, caller.partnerId, name)
    await nameRecord(tx, caller, 'account', created.id, externalId)
    return created
  })
}

/** What an account of a customer begins with beside its name. */
export type AccountBeginning = Partial<Pick<AccountRow, 'time_zone' | 'tags' | 'looked_after_by'>>

export async function insertAccount(
  tx: Kysely<Tables>,
  caller: Managing,
  partnerId: number,
  name: string,
  more: AccountBeginning = {},
): Promise<Account> {
  const now = caller.app.clock.now()
  const created = await tx
    .insertInto('accounts')
    .values({ partner_id: partnerId, name, owner_id: null, ...more, created_at: now, updated_at: now })
    .returning(columns)
    .executeTakeFirstOrThrow()
  await audit(
    tx,
    caller,
    'account.create',
    { id: created.id, account_id: created.id, partner_id: partnerId },
    { after: { ...created, ...more } },
  )
  return created
}

export interface NarrowAccounts {
  readonly partner_id?: number
  readonly external_id?: string
}

export async function listAccounts(caller: Managing, after?: string, narrow: NarrowAccounts = {}): Promise<ListPage<Account>> {
  if (reachesAll(caller) && Object.keys(narrow).length === 0) return everyAccount(caller, after)
  return page(accountRows(caller, narrow, await recordNarrowed(caller, 'account', narrow.external_id)), after)
}

/** `called` is the one of the external id. */
export function accountRows(caller: Managing, { partner_id }: NarrowAccounts, called?: number) {
  return accountsWithin(caller)
    .select(columns)
    .$if(partner_id !== undefined, (rows) => rows.where('partner_id', '=', partner_id ?? 0))
    .$if(called !== undefined, (rows) => rows.where('id', '=', called ?? 0))
}

const everyAccount = partnerPages<Account>((db, partnerId) => accountsOf(partnerId, db).select(columns))

export async function findAccount(caller: Managing, id: number): Promise<Account> {
  return (await accountsWithin(caller).select(columns).where('id', '=', id).executeTakeFirst()) ?? notFound('account')
}

/** A repetition changes nothing and records nothing. */
export const renameAccount = carriedOut(prepareAccountName)

export async function prepareAccountName(caller: Managing, id: number, draft: Draft<NewAccount>): Promise<ReadyChange<Account>> {
  await findAccount(caller, id)
  const { name } = complete(newAccount, draft)
  return ready(async (tx) => {
    const before = await lockAccount(tx, caller, id)
    return before.name === name ? before : update(tx, caller, 'account.rename', before, { name })
  })
}

/** Removes the owner of the account. */
export function clearOwner(caller: Managing, id: number): Promise<Account> {
  return change(caller, async (tx) => {
    const before = await lockAccount(tx, caller, id)
    return before.owner_id === null ? before : update(tx, caller, 'account.clear_owner', before, { owner_id: null })
  })
}

/** Replaces the owner of the account; the new owner must be an active user of the same account, who may not have logged in yet. */
export function setOwner(caller: Managing, accountId: number, userId: number): Promise<Account> {
  return change(caller, async (tx) => {
    // The user before the account, as a deletion takes them.
    await caller.app.store.lock(tx, 'users', userId)
    return replaceOwner(tx, caller, await lockAccount(tx, caller, accountId), userId)
  })
}

/** User and account are locked. */
export async function replaceOwner(tx: Kysely<Tables>, caller: Caller, before: Account, userId: number): Promise<Account> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('account_id', '=', before.id)
    .where('state', 'not in', ['suspended', 'deleted'])
    .executeTakeFirst()
  if (user === undefined) invalid([{ field: 'user_id', code: 'does_not_exist' }])
  return before.owner_id === userId ? before : update(tx, caller, 'account.set_owner', before, { owner_id: userId })
}

/** Sets the time zone in which pages count the account's days; `UTC` by default. API reports stay in UTC. */
export function setTimeZone(caller: OperatorCaller, accountId: number, zone: string): Promise<Account & { time_zone: string }> {
  if (!isTimeZone(zone)) refuse('bad_request', `${zone} is no time zone: give one by its name, such as Europe/Berlin or UTC`)
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'accounts', accountId)
    const found = accountsWithin(caller, tx)
      .select([...columns, 'time_zone'])
      .where('id', '=', accountId)
    const before = (await found.executeTakeFirst()) ?? notFound('account')
    if ((before.time_zone ?? 'UTC') === zone) return { ...before, time_zone: zone }
    const changed = { time_zone: zone, updated_at: caller.app.clock.now() }
    await tx.updateTable('accounts').set(changed).where('id', '=', accountId).execute()
    const after = { ...before, ...changed }
    await audit(tx, caller, 'account.set_time_zone', { id: accountId, account_id: accountId }, { before, after })
    return after
  })
}

async function lockAccount(tx: Kysely<Tables>, caller: Managing, id: number): Promise<Account> {
  await caller.app.store.lock(tx, 'accounts', id)
  return (await accountsWithin(caller, tx).select(columns).where('id', '=', id).executeTakeFirst()) ?? notFound('account')
}

/** Makes the user the first owner of an account that has none. */
export async function claimOwnership(tx: Kysely<Tables>, caller: OperatorCaller, user: { id: number; account_id: number }): Promise<void> {
  await caller.app.store.lock(tx, 'accounts', user.account_id)
  const before = await accountsWithin(caller, tx).select(columns).where('id', '=', user.account_id).executeTakeFirstOrThrow()
  if (before.owner_id !== null) refuse('conflict', `Account ${before.id} has an owner already: use account set-owner to replace them`)
  await update(tx, caller, 'account.set_owner', before, { owner_id: user.id })
}

async function update(
  tx: Kysely<Tables>,
  caller: Caller,
  action: Action,
  before: Account,
  values: Partial<Pick<Account, 'name' | 'owner_id'>>,
): Promise<Account> {
  const changed = { ...values, updated_at: caller.app.clock.now() }
  const after = await tx.updateTable('accounts').set(changed).where('id', '=', before.id).returning(columns).executeTakeFirstOrThrow()
  await audit(tx, caller, action, { id: before.id, account_id: before.id }, { before, after })
  return after
}
