/** `marquee account`: accounts of partners and their owners. */

import { allPages } from '../../../model/core/paging.ts'
import { createAccount, listAccounts, setOwner as setAccountOwner, setTimeZone } from '../../../model/partners/accounts.ts'
import { deleteAccount, listDeletedAccounts, previewDeletion, restoreAccount } from '../../../model/partners/deleted-accounts.ts'
import { findPartner, listPartners } from '../../../model/partners/partners.ts'
import type { OperatorInput, Output } from '../../command.ts'
import { accountRecord } from '../../records.ts'

export async function create({ caller, number, text }: OperatorInput): Promise<Output> {
  return { document: { account: accountRecord(await createAccount(caller, number('partner') ?? 0, text('name') ?? '')) } }
}

export async function list({ caller, number, has }: OperatorInput): Promise<Output> {
  const only = number('partner')
  if (has('deleted')) return listDeleted(await listDeletedAccounts(caller, only))
  const accounts: object[] = []
  for (const { id } of only === undefined ? await listPartners(caller) : [await findPartner(caller, only)])
    for (const account of await allPages((after) => listAccounts(caller, after, { partner_id: id })))
      accounts.push({ ...accountRecord(account), partner_id: id })
  return { document: { accounts }, columns: ['id', 'partner_id', 'name', 'owner_id', 'created_at'] }
}

function listDeleted(accounts: Awaited<ReturnType<typeof listDeletedAccounts>>): Output {
  return { document: { accounts }, columns: ['id', 'partner_id', 'name', 'deleted_at', 'kept_until', 'is_ending'] }
}

/** Without its confirmation it only tells what would go. */
export async function remove({ caller, id, text }: OperatorInput): Promise<Output> {
  const confirm = text('confirm')
  if (confirm !== undefined) return { document: { account: accountRecord(await deleteAccount(caller, id, confirm)) }, note: 'Deleted.' }
  const deletion = await previewDeletion(caller, id)
  return { document: { deletion }, note: `Nothing was deleted. Run it again with --confirm ${deletion.confirm}` }
}

export async function restore({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { account: accountRecord(await restoreAccount(caller, id)) } }
}

export async function setOwner({ caller, id, number }: OperatorInput): Promise<Output> {
  return { document: { account: accountRecord(await setAccountOwner(caller, id, number('user') ?? 0)) } }
}

export async function set({ caller, id, text }: OperatorInput): Promise<Output> {
  const account = await setTimeZone(caller, id, text('time-zone') ?? '')
  return { document: { account: { ...accountRecord(account), time_zone: account.time_zone } } }
}
