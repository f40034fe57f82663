/** `Idempotency-Key`: which requests may have one, its syntax, and what counts as the same request. */

import type { IncomingMessage } from 'node:http'
import type { Node } from '../lib/body/tree.ts'
import { refusePlainly } from '../lib/failures.ts'
import type { PartnerCaller } from '../model/core/caller.ts'
import type { Repeatable } from '../model/core/idempotency.ts'
import type { Call, Endpoint } from './endpoint.ts'

const bare = /^[!-~]{1,255}$/
/** The syntax of structured fields: the same key in quotes. */
const quoted = /^"((?:[ !#-[\]-~]|\\["\\]){1,255})"$/

/** Null if the request has no key, or is one that reads. An uploaded file is known by its hash. */
export function repeatable(endpoint: Endpoint, call: Call, request: IncomingMessage): Repeatable | null {
  return isRepeatable(endpoint) ? repeatableAs(`${endpoint.method} ${endpoint.path}`, call, request) : null
}

/** For an endpoint that answers by itself. */
export function repeatableAs(operation: string, call: Call, request: IncomingMessage): Repeatable | null {
  const key = repeatKeyOf(request)
  return key === null ? null : { key, operation, content: contentOf(operation, call) }
}

/** Whether a repetition with the same Idempotency-Key gets the same bytes. */
export function isRepeatable(endpoint: Endpoint): boolean {
  return endpoint.method !== 'GET'
}

/** Null without a key. A header given twice arrives joined by a comma and a space, which matches neither form. */
export function repeatKeyOf({ headers }: IncomingMessage): string | null {
  const given = headers['idempotency-key']
  if (given === undefined) return null
  const text = String(given)
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replace(/\\(.)/g, '$1') : bare.exec(text)?.[0]
  return key ?? refusePlainly('bad_request', 'The Idempotency-Key must be 1 to 255 visible ASCII characters')
}

/** Two paths of one endpoint are the same operation, but two formats are not, because a repetition gets the same bytes. */
function contentOf(operation: string, { caller, ids, format, query, body, ifMatch, upload }: Call): string {
  const conditions = [
    ...(ifMatch === undefined ? [] : [ifMatch]),
    ...reachOf(caller),
    ...(upload?.sha256 === undefined ? [] : [upload.sha256]),
  ]
  return JSON.stringify([operation, ids, format, query, canonical(body), ...conditions])
}

/** A key that is limited to some accounts does not get an answer that was stored for another key. */
export function reachOf({ accountIds, keyId }: PartnerCaller): readonly string[] {
  return accountIds === null ? [] : [`key ${keyId}`]
}

/** The order of members and the language of the body do not matter; the order of items does. */
export function canonical({ kind, text, children }: Node): unknown {
  if (kind === 'list') return children.map(canonical)
  if (kind !== 'map') return kind === 'null' ? null : text
  const members = children.map((child) => [child.name, canonical(child)] as const)
  return { members: members.toSorted(([a], [b]) => order(a, b)) }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
