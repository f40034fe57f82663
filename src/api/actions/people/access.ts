/** Whether a user can see something, and why. */

import { explainAccess } from '../../../model/people/access-reasons.ts'
import type { Call } from '../../endpoint.ts'
import type { accessQuestion } from '../../parameters.ts'

export function show({ caller, ids: [id], query }: Call<typeof accessQuestion>) {
  return explainAccess(caller, id, query.scope_type, query.scope_id)
}
