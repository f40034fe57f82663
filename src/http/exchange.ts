/** One request and its answer: what every door has in hand, and what becomes known on the way for the log and the metrics. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../lib/log.ts'
import type { IsTrusted } from './proxies.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Names the request in answers, logs and audit entries. */
  readonly id: string
  readonly log: Log
  /** Says which peers are our own proxies. */
  readonly isTrusted: IsTrusted
  readonly startedAt: number
  /** What the answer carries beside its own headers, whoever writes its head. */
  headers: Readonly<Record<string, string>>
  /** The template of the route, never the path: ids do not belong in labels. */
  route: string
  partner_id: number | undefined
  /** The key that was accepted; undefined as long as none was. */
  key_id: number | undefined
  /** The part of the key that may be shown. */
  key: string | undefined
  /** The code of the failure that was answered. */
  code: string | undefined
  /** Why it was refused, where the answer does not say. */
  reason: string | undefined
}

export function openExchange(request: IncomingMessage, response: ServerResponse, id: string, log: Log, isTrusted: IsTrusted): Exchange {
  return {
    request,
    response,
    id,
    log,
    isTrusted,
    startedAt: performance.now(),
    headers: {},
    route: 'unknown',
    partner_id: undefined,
    key_id: undefined,
    key: undefined,
    code: undefined,
    reason: undefined,
  }
}
