/** A request that waits for something: it occupies one of the few places that a partner has for waiting, and none of the places for work. */

import type { RequestLimits } from '../http/concurrency-limits.ts'
import type { Exchange } from '../http/exchange.ts'
import type { App } from '../model/core/app.ts'
import { authenticate } from '../model/partners/authenticate.ts'
import { authorize } from './authorize.ts'
import type { Call, Endpoint } from './endpoint.ts'

/** The call, with the caller as they are by then. */
export async function afterWaiting(app: App, limits: RequestLimits, endpoint: Endpoint, call: Call, exchange: Exchange): Promise<Call> {
  const { request, response } = exchange
  const renew = async () => {
    const caller = await authenticate(app, request.headers.authorization, exchange.id)
    authorize(caller, endpoint)
    return caller
  }
  // An answer that is to be the last one of its connection tells that the service ends, unless the client asked for that.
  const isEnding = () => !response.shouldKeepAlive && request.headers.connection !== 'close'
  const leave = await limits.waits.enter('wait', String(call.caller.partnerId), response)
  try {
    await endpoint.waiting?.wait(call, renew, () => call.hasClientGone() || isEnding())
  } finally {
    leave()
  }
  return { ...call, caller: await renew() }
}
