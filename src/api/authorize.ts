/** Whether the caller's key may use an endpoint: 401, then 403, before the body is read. */

import { Failure, refuse } from '../lib/failures.ts'
import type { PartnerCaller } from '../model/core/caller.ts'
import type { Endpoint } from './endpoint.ts'

/** A key without its password may only read reports. */
export function refuseKeyAlone(caller: PartnerCaller, { access }: Endpoint): void {
  if (caller.hasPassword || (access === 'report' && caller.mayReadWithKeyAlone)) return
  throw new Failure('unauthorized', { logged: { reason: 'the password is missing' } })
}

export function authorize(caller: PartnerCaller, { access }: Endpoint): void {
  if (!caller.scopes.includes(access)) refuse('forbidden', `This key does not have the scope ${access}`)
}
