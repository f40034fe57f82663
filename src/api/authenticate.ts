/** Who asks, and whether their key opens this endpoint: 401 and 403, before anything of the request is read. */

import type { FastifyRequest } from 'fastify'
import { refuse } from '../lib/failures.ts'
import type { PartnerCaller } from '../model/caller.ts'
import type { Ground } from '../model/ground.ts'
import { identify } from '../model/identify.ts'
import type { Endpoint } from './endpoint.ts'

export async function authenticate(ground: Ground, { access }: Endpoint, request: FastifyRequest): Promise<PartnerCaller> {
  const caller = await identify(ground, request.headers.authorization, request.id)
  if (!caller.hasPassword && !(access === 'report' && caller.mayReadWithKeyAlone)) refuse('unauthorized')
  if (!caller.scopes.includes(access)) refuse('forbidden', `This key does not have the scope ${access}`)
  return caller
}
