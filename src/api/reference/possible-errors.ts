/** The refusals that an endpoint can give, derived from its row in the table, for the documentation and OpenAPI. */

import type { FailureCode } from '../../lib/failures.ts'
import { problems } from '../../resources/problem.ts'
import { type Endpoint, isReport } from '../endpoint.ts'
import { isRepeatable } from '../idempotency.ts'

const always = () => true
const never = () => false

// biome-ignore format: a table reads by its columns
const when: Record<FailureCode, (endpoint: Endpoint) => boolean> = {
  malformed_body:         takesBody,
  bad_request:            (endpoint) => endpoint.query !== undefined || !endpoint.fromInterface || isRepeatable(endpoint),
  unauthorized:           always,
  forbidden:              always,
  not_found:              namesAnId,
  method_not_allowed:     isGetAction,
  not_acceptable:         always,
  conflict:               (endpoint) => isRepeatable(endpoint) || storesSeries(endpoint),
  gone:                   ({ waiting }) => waiting !== undefined,
  precondition_failed:    (endpoint) => isConditional(endpoint) && endpoint.method !== 'GET',
  too_large:              (endpoint) => endpoint.method !== 'GET',
  unsupported_media_type: takesBody,
  expectation_failed:     never,
  misdirected:            never,
  validation_failed:      (endpoint) => endpoint.body !== undefined,
  idempotency_mismatch:   isRepeatable,
  too_many_requests:      always,
  internal:               always,
  overloaded:             always,
  unavailable:            always,
}

/** The codes by status, in ascending order. */
export function refusalsOf(endpoint: Endpoint): Map<number, FailureCode[]> {
  const codes = (Object.keys(problems) as FailureCode[]).filter((code) => when[code](endpoint))
  return Map.groupBy(
    codes.toSorted((a, b) => problems[a].status - problems[b].status),
    (code) => problems[code].status,
  )
}

/** The successful answers with another status, and the meaning of each. */
export function alsoAnswered(endpoint: Endpoint): Readonly<Record<number, string>> {
  return ('answer' in endpoint ? endpoint.answer.also : endpoint.also) ?? {}
}

/** Whether answers have a tag, and changes honour `If-Match`. */
export function isConditional(endpoint: Endpoint): boolean {
  return 'isConditional' in endpoint && endpoint.isConditional === true
}

/** Whether it is a GET request that changes state, which the operator can switch off. */
export function isGetAction({ method, changes }: Endpoint): boolean {
  return method === 'GET' && changes === true
}

function takesBody(endpoint: Endpoint): boolean {
  return endpoint.body !== undefined || endpoint.takes !== undefined
}

/** An account has room for so many series, and for one of each name. */
function storesSeries({ takes }: Endpoint): boolean {
  return takes !== undefined
}

/** In a list, an id in the query is a filter; in a report or an upload, it must exist. */
function namesAnId(endpoint: Endpoint): boolean {
  const { path, areLines, takes, query } = endpoint
  return (
    path.includes('{') ||
    query?.['mapping_name']?.isRequired === true ||
    isReport(endpoint) ||
    areLines === true ||
    (takes !== undefined && query?.['account_id'] !== undefined)
  )
}
