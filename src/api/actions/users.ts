/** Users: created, shown, listed, found by login or email. */

import { readDraft } from '../../fields/read.ts'
import { createUser, findUser, listUsers } from '../../model/people/users.ts'
import { newUser } from '../../resources/user.ts'
import type { Call } from '../endpoint.ts'
import type { userFilters } from '../parameters.ts'

export function create({ caller, body }: Call) {
  return createUser(caller, readDraft(newUser, body))
}

export function show({ caller, ids: [id] }: Call) {
  return findUser(caller, id)
}

export function index({ caller, query: { after, ...narrow } }: Call<typeof userFilters>) {
  return listUsers(caller, after, narrow)
}
