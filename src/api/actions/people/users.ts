/** Users: created, shown, listed, changed, suspended and unsuspended, deleted, given a login link. */

import { complete, readDraft } from '../../../fields/read.ts'
import { createLoginLink } from '../../../model/people/login-links.ts'
import { changeUser } from '../../../model/people/user-changes.ts'
import { deleteUser, suspendUser, unsuspendUser } from '../../../model/people/user-states.ts'
import { createUser, findUser, listUsers } from '../../../model/people/users.ts'
import { changedUser, newLoginLink, newUser } from '../../../resources/user.ts'
import type { Call } from '../../endpoint.ts'
import type { ownId, userFilters } from '../../parameters.ts'

export function create({ caller, body, query }: Call<typeof ownId>) {
  return createUser(caller, readDraft(newUser, body), query.external_id)
}

export function show({ caller, ids: [id] }: Call) {
  return findUser(caller, id)
}

export function index({ caller, query: { after, ...narrow } }: Call<typeof userFilters>) {
  return listUsers(caller, after, narrow)
}

export function change({ caller, ids: [id], body }: Call) {
  return changeUser(caller, id, readDraft(changedUser, body))
}

export function suspend({ caller, ids: [id] }: Call) {
  return suspendUser(caller, id)
}

export function unsuspend({ caller, ids: [id] }: Call) {
  return unsuspendUser(caller, id)
}

export function remove({ caller, ids: [id] }: Call) {
  return deleteUser(caller, id)
}

export async function loginLink({ caller, ids: [id], body }: Call) {
  const draft = readDraft(newLoginLink, body)
  if (draft.faults.length > 0) await findUser(caller, id)
  return createLoginLink(caller, id, complete(newLoginLink, draft).seconds)
}
