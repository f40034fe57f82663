/** Accounts that the partner reaches: created, shown, listed, renamed, deleted, and their owner set or removed. */

import { complete, readDraft } from '../../fields/read.ts'
import { clearOwner, createOwnAccount, findAccount, listAccounts, renameAccount, setOwner } from '../../model/partners/accounts.ts'
import { deleteAccount, previewDeletion } from '../../model/partners/deleted-accounts.ts'
import { newAccount, newOwner } from '../../resources/account.ts'
import type { Call } from '../endpoint.ts'
import type { accountFilters, deletionFlags, ownId } from '../parameters.ts'

export function create({ caller, body, query }: Call<typeof ownId>) {
  return createOwnAccount(caller, readDraft(newAccount, body), query.external_id)
}

export function show({ caller, ids: [id] }: Call) {
  return findAccount(caller, id)
}

export function index({ caller, query: { after, ...narrow } }: Call<typeof accountFilters>) {
  return listAccounts(caller, after, narrow)
}

export function change({ caller, ids: [id], body }: Call) {
  return renameAccount(caller, id, readDraft(newAccount, body))
}

export function remove({ caller, ids: [id], query }: Call<typeof deletionFlags>) {
  return deleteAccount(caller, id, query.confirm)
}

export function previewRemoval({ caller, ids: [id] }: Call<typeof deletionFlags>) {
  return previewDeletion(caller, id)
}

export async function giveOwner({ caller, ids: [id], body }: Call) {
  await findAccount(caller, id)
  return setOwner(caller, id, complete(newOwner, readDraft(newOwner, body)).user_id)
}

export function takeOwner({ caller, ids: [id] }: Call) {
  return clearOwner(caller, id)
}
