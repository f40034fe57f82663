/** The login of somebody of a customer, at the desk: suspended, let in again, or ended. */

import { notFound } from '../../../lib/failures.ts'
import { accountsWithin, type Managing, usersWithin } from '../../core/tenancy.ts'
import { refuseMeanwhile } from '../../core/transaction.ts'
import { deleteUser, suspendUser, unsuspendUser } from '../user-states.ts'

const acts = { suspend: suspendUser, unsuspend: unsuspendUser, end: deleteUser }

/** A person of another customer is changed at the page of that one. */
export async function changeLogin(
  caller: Managing,
  { accountId, userId }: { readonly accountId: number; readonly userId: number },
  act: keyof typeof acts,
  was: string,
): Promise<void> {
  const users = usersWithin(caller).select('state').where('id', '=', userId).where('account_id', '=', accountId)
  const { state } = (await users.executeTakeFirst()) ?? notFound('user')
  const account = accountsWithin(caller).select('owner_id').where('accounts.id', '=', accountId)
  const { owner_id } = (await account.executeTakeFirst()) ?? notFound('account')
  if (loginState({ state, isOwner: owner_id === userId }) !== was) refuseMeanwhile()
  await acts[act](caller, userId)
}

/** What a form about the login shows; whether somebody has logged in meanwhile changes nothing of it. */
export function loginState({ state, isOwner }: { readonly state: string; readonly isOwner: boolean }): string {
  return `${state === 'suspended' ? 'suspended' : 'open'} ${isOwner ? 'owner' : 'client'}`
}
