/** Whether the caller's key may use an endpoint: 401, then 403, before the body is read. */

import { refusePlainly } from '../lib/failures.ts'
import type { PartnerCaller } from '../model/core/caller.ts'
import { refuseWithoutPassword } from '../model/partners/authenticate.ts'
import type { Endpoint } from './endpoint.ts'

/** A key without its password may only read reports. */
export async function refuseKeyAlone(caller: PartnerCaller, { access }: Pick<Endpoint, 'access'>): Promise<void> {
  if (caller.hasPassword || (access === 'report' && caller.mayReadWithKeyAlone)) return
  await refuseWithoutPassword(caller)
}

export function authorize(caller: PartnerCaller, { access, alsoNeeds = access }: Pick<Endpoint, 'access' | 'alsoNeeds'>): void {
  const missing = [access, alsoNeeds].find((scope) => !caller.scopes.includes(scope))
  if (missing !== undefined) refusePlainly('forbidden', `This key does not have the scope ${missing}`)
}
