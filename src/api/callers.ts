/** Who asks: by a key, or by a token that a key has made; and what is noted of a request that is refused. */

import type { Exchange } from '../http/exchange.ts'
import type { LoggedReason } from '../lib/failures.ts'
import type { App } from '../model/core/app.ts'
import type { PartnerCaller } from '../model/core/caller.ts'
import { authenticate } from '../model/partners/authenticate.ts'
import { authenticateToken, tokenIn } from '../model/partners/keys/token-caller.ts'

export function whoAsks(app: App, { request, id }: Exchange): Promise<PartnerCaller> {
  const { authorization } = request.headers
  const token = tokenIn(authorization)
  return token === undefined ? authenticate(app, authorization, id) : authenticateToken(app, token, id)
}

/** The answer is the same for every refused key; the log says which key it was and why it was refused. */
export function noteReason(exchange: Exchange, logged: LoggedReason | undefined): void {
  if (logged === undefined) return
  exchange.reason = logged.reason
  exchange.key ??= logged.key
  exchange.partner_id ??= logged.partner_id
}
