/** What is known of a request by the time it is answered: for its log line and its metrics, and for nothing else. */

import type { IncomingMessage } from 'node:http'

export interface About {
  /** The template of the route, never the path: ids do not belong in labels. */
  route: string
  partner_id?: number
  /** The part of the key that may be shown. */
  key?: string
  /** The code of the failure that was answered. */
  code?: string
}

const known = new WeakMap<IncomingMessage, About>()

export function about(request: IncomingMessage): About {
  const found = known.get(request) ?? { route: 'unknown' }
  known.set(request, found)
  return found
}
