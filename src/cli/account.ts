/** `marquee account`: the accounts of partners and who owns them. */

import { createAccount, listAccounts, setOwner as setAccountOwner } from '../model/accounts.ts'
import { allPages } from '../model/paging.ts'
import type { Desk, Output } from './command.ts'
import { accountRecord } from './records.ts'

export async function create({ caller, number, text }: Desk): Promise<Output> {
  return { document: { account: accountRecord(await createAccount(caller, number('partner') ?? 0, text('name') ?? '')) } }
}

export async function list({ caller, number }: Desk): Promise<Output> {
  const partner_id = number('partner')
  const accounts = await allPages((after) => listAccounts(caller, after, partner_id === undefined ? {} : { partner_id }))
  return { document: { accounts: accounts.map(accountRecord) }, columns: ['id', 'name', 'owner_id', 'created_at'] }
}

export async function setOwner({ caller, id, number }: Desk): Promise<Output> {
  return { document: { account: accountRecord(await setAccountOwner(caller, id, number('user') ?? 0)) } }
}
