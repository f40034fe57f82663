/** Whether the caller's key may use an endpoint: 401, then 403, before the body is read. */

import { refusePlainly } from '../lib/failures.ts'
import type { KeyScope, PartnerCaller } from '../model/core/caller.ts'
import { refuseWithoutPassword } from '../model/partners/authenticate.ts'
import type { Endpoint } from './endpoint.ts'

type Guarded = Pick<Endpoint, 'method' | 'access' | 'alsoNeeds' | 'changes' | 'needsPassword' | 'isKeptFromRead' | 'isOpenToTokens'>

/** A key without its password may only read reports, and only by the scope `report`. */
export async function refuseKeyAlone(caller: PartnerCaller, endpoint: Guarded): Promise<void> {
  const { access, needsPassword } = endpoint
  const isReport = access === 'report' && needsPassword === undefined && !isByReadAlone(caller.scopes, endpoint)
  if (caller.hasPassword || (isReport && caller.mayReadWithKeyAlone)) return
  await refuseWithoutPassword(caller)
}

export function authorize({ scopes, token }: PartnerCaller, endpoint: Guarded): void {
  if (token !== undefined && endpoint.isOpenToTokens === undefined)
    refusePlainly('forbidden', 'A token only reads summaries, rankings and the SEO report')
  const missing = missingScope(scopes, endpoint)
  if (missing !== undefined) refuseFor(missing)
}

/** For a scope that a request needs by what it asks for. */
export function refuseWithoutScope({ scopes }: PartnerCaller, scope: KeyScope): void {
  if (!scopes.includes(scope)) refuseFor(scope)
}

export function mayUse(scopes: readonly KeyScope[], endpoint: Guarded): boolean {
  return missingScope(scopes, endpoint) === undefined
}

/** Whether nothing but the scope `read` opens the endpoint: answers to such a key leave out what nobody needs to read. */
export function isByReadAlone(scopes: readonly KeyScope[], endpoint: Guarded): boolean {
  return !scopes.includes(endpoint.access) && isOpenToRead(endpoint) && scopes.includes('read')
}

/** Every GET that changes nothing, except of what decides about rights, and of all data at once. */
export function isOpenToRead({ method, changes, access, isKeptFromRead }: Guarded): boolean {
  return method === 'GET' && changes === undefined && !apart.includes(access) && isKeptFromRead === undefined
}

const apart: readonly KeyScope[] = ['keys', 'staff', 'events']

function refuseFor(scope: KeyScope): never {
  return refusePlainly('forbidden', `This key does not have the scope ${scope}`)
}

function missingScope(scopes: readonly KeyScope[], endpoint: Guarded): KeyScope | undefined {
  const { access, alsoNeeds = access } = endpoint
  return isByReadAlone(scopes, endpoint) ? undefined : [access, alsoNeeds].find((scope) => !scopes.includes(scope))
}
