/** How each documented refusal is brought about, told from an endpoint's row: what is sent in place of a good request. */
import type { BodyRules, Endpoint } from '../../src/api/endpoint.ts'
import { isGetAction } from '../../src/api/reference/possible-errors.ts'
import { sampleQuery, sampleSent } from '../../src/api/reference/samples.ts'
import { isList } from '../../src/fields/shape.ts'
import type { FailureCode } from '../../src/lib/failures.ts'
import type { Question } from './service.ts'

export interface Asking extends Question {
  readonly method: string
  readonly path: string
}

/** What cannot be had by asking: it needs a race, a fault of ours, or more load than a test should make. */
export const notByAsking: ReadonlySet<FailureCode> = new Set<FailureCode>(['conflict', 'internal', 'overloaded', 'unavailable'])

/** A request that is refused with this code. `good` is one that is answered well. */
export function provoking(code: FailureCode, endpoint: Endpoint, good: Asking): Asking | 'elsewhere' {
  const recipe = recipes[code]
  return recipe === undefined ? 'elsewhere' : recipe(endpoint, good)
}

type Recipe = (endpoint: Endpoint, good: Asking) => Asking

const recipes: Partial<Record<FailureCode, Recipe>> = {
  unauthorized: (_, good) => ({ ...good, credentials: null }),
  not_acceptable: (_, good) => ({ ...good, path: good.path.replace('.json', '.yaml') }),
  // A file is not looked into while it is received; only an empty one is none.
  malformed_body: (endpoint, good) => ({ ...good, body: endpoint.receives === 'file' ? '' : '[{', type: 'application/json' }),
  unsupported_media_type: (_, good) => ({ ...good, type: 'image/png', body: 'x' }),
  too_large: tooLarge,
  validation_failed: ({ body }, good) => ({
    ...good,
    body: JSON.stringify({ [body?.root ?? '']: body && wrong(body) }),
    type: 'application/json',
  }),
  method_not_allowed: (_, good) => ({ ...good, method: 'HEAD' }),
  not_found: ({ path }, good) =>
    path.includes('{')
      ? { ...good, path: good.path.replace(/\/\d+(?=[/.])/, '/999999999') }
      : { ...good, path: `${good.path}?account_id=999999999` },
  gone: (_, good) => ({ ...good, path: `${good.path}?after=after-1-notthere` }),
  precondition_failed: (_, good) => ({ ...good, headers: { 'if-match': '"another"' } }),
  bad_request: badRequest,
}

/** A list must be there; a control character is wrong in every field. */
function wrong({ of }: BodyRules): object | null {
  return isList(of) ? null : Object.fromEntries(Object.keys(of).map((name) => [name, '\u0001']))
}

/** Of what is very large the length is told, and nothing is sent. */
function tooLarge(endpoint: Endpoint, good: Asking): Asking {
  const bytes = largest(endpoint) + 1
  return bytes < 1 << 28
    ? { ...good, type: 'application/json', body: ' '.repeat(bytes) }
    : { ...good, type: 'application/json', body: ' ', headers: { 'content-length': bytes } }
}

function largest(endpoint: Endpoint): number {
  if (endpoint.takes !== undefined) return endpoint.takes.maxBytes
  return endpoint.body?.maxBytes ?? 65_536
}

/** A slip in the name of a parameter; where nothing is read from the query and strangers are let pass, a key that is none. */
function badRequest(endpoint: Endpoint, good: Asking): Asking {
  const [name] = Object.keys(endpoint.query ?? {})
  if (name !== undefined) return { ...good, path: withQuery(good.path, `${name}x=1`) }
  if (!endpoint.fromInterface) return { ...good, path: withQuery(good.path, 'nonsense=1') }
  return { ...good, headers: { 'idempotency-key': 'two words' } }
}

export function goodRequest(endpoint: Endpoint, values: Readonly<Record<string, unknown>>, credentials: string): Asking {
  const address = `/api/${endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[nameFor(endpoint, name)]))}.json`
  const needed = sampleQuery(endpoint, values)
  const path = needed === null ? address : withQuery(address, String(new URLSearchParams(needed)))
  const sent = sampleSent(endpoint, values)
  const asking = { method: endpoint.method, path, credentials }
  return sent === null || isGetAction(endpoint) ? asking : { ...asking, body: JSON.stringify(sent), type: 'application/json' }
}

export function withQuery(path: string, more: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${more}`
}

/** Only what is unfinished can be cancelled, only what is parked released, and the account of the partner itself cannot be deleted. */
export function nameFor({ method, path }: Endpoint, name: string): string {
  if (method === 'DELETE' && path === 'accounts/{account_id}') return 'spare_account_id'
  if (path.endsWith('/release')) return 'parked_intake_id'
  return method === 'DELETE' && name === 'intake_id' ? 'waiting_intake_id' : name
}
