/** What is still to be done for test partners: filled, or emptied, one at a time. */

import type { TestPartnerRow } from '../../../store/rows/partners.ts'
import type { App } from '../../core/app.ts'
import type { OperatorCaller } from '../../core/caller.ts'
import { deleteAccount, previewDeletion } from '../deleted-accounts.ts'

export type Filling = Pick<TestPartnerRow, 'partner_id' | 'state' | 'intake_id'> & { readonly fillings: number; readonly home: number }

export async function nextFilling({ store }: App): Promise<Filling | undefined> {
  const row = await store.db
    .selectFrom('test_partners')
    .innerJoin('partners', 'partners.id', 'test_partners.partner_id')
    .select(['partner_id', 'test_partners.state', 'fillings', 'intake_id', 'partners.account_id as home'])
    .where('test_partners.state', 'in', ['filling', 'emptying', 'refilling'])
    .orderBy('changed_at')
    .orderBy('partner_id')
    .executeTakeFirst()
  return row && { ...row, home: row.home ?? 0 }
}

export async function keepFilling(
  { store, clock }: App,
  { partner_id }: Filling,
  values: Partial<Pick<TestPartnerRow, 'state' | 'intake_id'>> & { readonly fillings?: number },
): Promise<void> {
  const changed = { ...values, changed_at: clock.now() }
  await store.write((tx) => tx.updateTable('test_partners').set(changed).where('partner_id', '=', partner_id).execute())
}

/** Deletes one account, whose removal begins at once; false if only the account of the partner itself is left. */
export async function emptySome(caller: OperatorCaller, { partner_id, home }: Filling): Promise<boolean> {
  const { store, clock } = caller.app
  const accounts = store.db.selectFrom('accounts').select('id').where('partner_id', '=', partner_id).where('id', '!=', home)
  const account = await accounts.orderBy('id').executeTakeFirst()
  if (account === undefined) return false
  await deleteAccount(caller, account.id, (await previewDeletion(caller, account.id)).confirm)
  const deleted = { ends_at: clock.now() }
  await store.write((tx) => tx.updateTable('deleted_accounts').set(deleted).where('account_id', '=', account.id).execute())
  return true
}

/** Whether the file that fills it is still to be stored. */
export async function isBeingStored({ store }: App, intakeId: number): Promise<boolean> {
  const tasks = store.db.selectFrom('intake_tasks').select('intake_id').where('intake_id', '=', intakeId)
  return (await tasks.executeTakeFirst()) !== undefined
}
