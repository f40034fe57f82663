/** Whether a user can see something, and why. */

import { explainAccess } from '../../../model/people/access-reasons.ts'
import { findEffectiveAccess } from '../../../model/people/effective-access.ts'
import type { Call } from '../../endpoint.ts'
import type { accessQuestion } from '../../parameters.ts'

export function effective({ caller, ids: [id] }: Call) {
  return findEffectiveAccess(caller, id)
}

export function show({ caller, ids: [id], query }: Call<typeof accessQuestion>) {
  return explainAccess(caller, id, query.scope_type, query.scope_id)
}
