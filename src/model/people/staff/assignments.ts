/** Who of the staff looks after an account: a name beside it, and for whoever has assigned customers, what they reach. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../../fields/read.ts'
import { invalid, notFound, refuse } from '../../../lib/failures.ts'
import { type Colleague, type NewColleague, newColleague } from '../../../resources/user.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import { accountsWithin, type Managing } from '../../core/tenancy.ts'
import { change, refuseMeanwhile } from '../../core/transaction.ts'
import { isOverStaff, postOf } from './staff-rules.ts'

type Db = Kysely<Tables>

export async function findColleague(caller: Managing, accountId: number): Promise<Colleague> {
  const { id, looked_after_by } = await readAccount(caller, caller.app.store.db, accountId)
  return { account_id: id, staff_id: looked_after_by }
}

export async function setColleague(caller: Managing, accountId: number, draft: Draft<NewColleague>): Promise<Colleague> {
  await readAccount(caller, caller.app.store.db, accountId)
  return assignCustomer(caller, accountId, complete(newColleague, draft).staff_id)
}

/** Null for nobody. With `was`, the change is refused if somebody else made another meanwhile. A repetition changes nothing and records nothing. */
export function assignCustomer(caller: Managing, accountId: number, staffId: number | null, was?: number | null): Promise<Colleague> {
  refuseUnlessAssigning(caller)
  return change(caller, async (tx) => {
    // The partner before the account, as whoever is removed from the staff leaves their customers.
    const { partner_id: partnerId } = await readAccount(caller, tx, accountId)
    if (partnerId !== null) await caller.app.store.lock(tx, 'partners', partnerId)
    await caller.app.store.lock(tx, 'accounts', accountId)
    const { id, partner_id, looked_after_by: before } = await readAccount(caller, tx, accountId)
    if (was !== undefined && was !== before) refuseMeanwhile()
    const post = staffId === null ? null : await postOf(tx, staffId)
    if (post !== null && post?.partner_id !== partner_id) invalid([{ field: 'staff_id', code: 'does_not_exist' }])
    if (before !== staffId) {
      await tx.updateTable('accounts').set({ looked_after_by: staffId }).where('id', '=', id).execute()
      const detail = { before: { staff_id: before }, after: { staff_id: staffId } }
      await audit(tx, caller, 'account.assign', { id, account_id: id, ...(partner_id !== null && { partner_id }) }, detail)
    }
    return { account_id: id, staff_id: staffId }
  })
}

/** Whoever has assigned customers does not decide whose they are. */
export function mayAssign(caller: Managing): boolean {
  return isOverStaff(caller) || (caller.kind === 'staff' && caller.customers === 'all')
}

function refuseUnlessAssigning(caller: Managing): void {
  if (!mayAssign(caller)) refuse('forbidden', 'Only staff who have all customers, the operator or a key with the scope staff assign them')
}

async function readAccount(caller: Managing, db: Db, id: number) {
  const accounts = accountsWithin(caller, db).select(['accounts.id', 'accounts.partner_id', 'looked_after_by'])
  return (await accounts.where('accounts.id', '=', id).executeTakeFirst()) ?? notFound('account')
}
