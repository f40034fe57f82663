/** One request and its response, with what becomes known along the way for the log and the metrics. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../lib/log.ts'

export type IsTrusted = (address: string | undefined) => boolean

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Identifies the request in answers, logs and audit entries. */
  readonly id: string
  readonly log: Log
  /** Tells which peers are trusted proxies. */
  readonly isTrusted: IsTrusted
  readonly startedAt: number
  /** Whether it is a request of our own, made for an agent's tool. */
  isFromTool: boolean
  /** Headers that every writer of the response adds to its own. */
  headers: Readonly<Record<string, string>>
  /** The template of the route, never the path, because ids do not belong in metric labels. */
  route: string
  partner_id: number | undefined
  /** The accepted key; undefined until one is accepted. */
  key_id: number | undefined
  /** The part of the key that may be shown. */
  key: string | undefined
  /** The code of the failure in the answer. */
  code: string | undefined
  /** Why the request was refused, if the answer does not say. */
  reason: string | undefined
  /** What the answer says of the failure beside its code, without anything that the request said. */
  sentence: string | undefined
  /** The names of the fields in the body. */
  fields: readonly string[]
}

export function openExchange(request: IncomingMessage, response: ServerResponse, id: string, log: Log, isTrusted: IsTrusted): Exchange {
  return {
    request,
    response,
    id,
    log,
    isTrusted,
    startedAt: performance.now(),
    isFromTool: false,
    headers: {},
    route: 'unknown',
    partner_id: undefined,
    key_id: undefined,
    key: undefined,
    code: undefined,
    reason: undefined,
    sentence: undefined,
    fields: [],
  }
}
