/** The door of the API: from a request to an endpoint's answer, with refusals in the documented order. */

import type { IncomingMessage } from 'node:http'
import { readBody } from '../http/body.ts'
import { allowTime, type RequestKind, type RequestLimits } from '../http/concurrency-limits.ts'
import { hasBody } from '../http/connection-guard.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Rate, RateKind, Rates } from '../http/rate-limit.ts'
import type { Match as RouteMatch } from '../http/router.ts'
import { send } from '../http/send.ts'
import type { Door } from '../http/server.ts'
import { refuse } from '../lib/failures.ts'
import { idIn } from '../lib/text-kinds.ts'
import type { App } from '../model/core/app.ts'
import type { PartnerCaller } from '../model/core/caller.ts'
import { isOn } from '../model/core/switches.ts'
import { tokenParty } from '../model/partners/keys/read-tokens.ts'
import { act } from './act.ts'
import { afterWaiting } from './after-waiting.ts'
import { fieldsIn, noteAnswer } from './answered.ts'
import { authorize, isByReadAlone, refuseKeyAlone } from './authorize.ts'
import { noteReason, whoAsks } from './callers.ts'
import { originHeaders, preflightHeaders } from './cross-origin.ts'
import { refuseCrossSite, refusePrefetch } from './cross-site.ts'
import { deprecationHeaders } from './deprecations.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { endpointsAt } from './endpoints.ts'
import { chooseFormat, errorFormat, type Format, isJsonType, splitUrl } from './format.ts'
import { asFailure, plainSentence, problemBody } from './problems.ts'
import { readQuery } from './query.ts'
import { emptyBody, type ReadBody, readRequest } from './read-request.ts'
import { namingUnheld } from './unheld-fields.ts'

type Match = RouteMatch<Endpoint>

const bothFormats: readonly Format[] = ['xml', 'json']

interface Address {
  readonly path: string
  readonly extension: string | null
  readonly query: URLSearchParams
  /** Whether the request's body is JSON, as far as known; the answer is then JSON too, if nothing else decides. */
  isJson: boolean
}

/** The limits that a request must pass. */
export interface AdmissionLimits {
  readonly limits: RequestLimits
  readonly rates: Rates
}

export function apiDoor(app: App, admission: AdmissionLimits): Door {
  return { takes: ({ url = '' }) => addresses.test(url), answer: (exchange) => answer(app, admission, exchange) }
}

const addresses = /^\/(?:api(?=[/?]|$)|businesses(?=[.?]|$))/

/** Answers requests that no door takes, with a problem of the API. */
export function refuseAtDoor(app: App): (error: unknown, exchange: Exchange) => void {
  return (error, exchange) => sendProblem(app, error, null, addressOf(exchange), exchange)
}

async function answer(app: App, admission: AdmissionLimits, exchange: Exchange): Promise<void> {
  const address = addressOf(exchange)
  const match = endpointsAt(address.path)
  exchange.route = match?.template ?? '/api/*'
  try {
    if (admission.limits.isFull(kindOf(match?.rows[0]))) return refuse('overloaded', undefined, { 'retry-after': '1' })
    if (match === null) return refuse('not_found', 'There is no such address')
    await run(app, admission, match, address, exchange)
  } catch (error) {
    sendProblem(app, error, match, address, exchange)
  } finally {
    noteAnswer(app, exchange)
  }
}

/** 404 and 405 come before this; then 401, 403, 429, 406, 413, 415, 400, 404 of an id in the path, and the failures of the model. */
async function run(app: App, admission: AdmissionLimits, match: Match, address: Address, exchange: Exchange): Promise<void> {
  const { request } = exchange
  const endpoint = endpointOf(match, request)
  if (endpoint === null) return send(exchange, 204, { allow: allowed(match), ...preflightHeaders(match.rows, request.headers) }, '')
  if (endpoint.changes && endpoint.method === 'GET' && !(await isOn(app, 'get_actions'))) refuseMethod('POST')
  const caller = await whoAsks(app, exchange)
  exchange.headers = { ...exchange.headers, ...originHeaders(caller, request.headers) }
  exchange.partner_id = caller.partnerId
  exchange.key = caller.keyName
  await refuseKeyAlone(caller, endpoint)
  exchange.key_id = caller.keyId
  const party = caller.token === undefined ? caller.partnerId : tokenParty(caller.token.id)
  const rate = await admission.rates.take(party, ...limitOf(endpoint, caller.limits))
  tellRate(exchange, rate, endpoint, app)
  authorize(caller, endpoint)
  if (endpoint.changes) guard(app, endpoint, request)
  if (!rate.isWithin) refuse('too_many_requests', undefined, rate.wait)
  const asked = { endpoint, caller, match, address, exchange, format: formatOf(endpoint, address, request) }
  const given = takesBody(endpoint, request) ? await callWithBody(asked) : callOf(asked, emptyBody)
  const call = endpoint.waiting?.isAsked(given) ? await afterWaiting(app, admission.limits, endpoint, given, exchange) : given
  exchange.fields = fieldsIn(endpoint, call.body)
  if (endpoint.countsAs !== undefined) await chargeRate(admission.rates, endpoint, call, endpoint.countsAs(call) - 1, exchange)
  await (endpoint.receive !== undefined ? receiveAndWork(admission, endpoint, call, exchange) : work(admission, endpoint, call, exchange))
}

/** A body that arrives slowly occupies one of the many places for uploads, and none of the places for work. */
async function receiveAndWork({ limits, rates }: AdmissionLimits, endpoint: Endpoint, call: Call, exchange: Exchange): Promise<void> {
  const leave = await limits.uploads.enter(endpoint.receives ?? 'upload', String(call.caller.partnerId), exchange.response)
  try {
    const upload = await endpoint.receive?.(exchange, call)
    try {
      await work({ limits, rates }, endpoint, { ...call, ...(upload && { upload }) }, exchange)
    } finally {
      await upload?.close()
    }
  } finally {
    leave()
  }
}

/** The place for work is taken only now, after the body has arrived. */
async function work({ limits }: AdmissionLimits, endpoint: Endpoint, call: Call, exchange: Exchange): Promise<void> {
  const kind = kindOf(endpoint, call.format)
  if (kind === 'push') allowTime(exchange, kind)
  const leave = await limits.enter(kind, String(call.caller.partnerId), exchange.response)
  try {
    await namingUnheld(endpoint, call, () => ('stream' in endpoint ? endpoint.stream(call, exchange) : act(endpoint, call, exchange)))
  } finally {
    leave()
  }
}

/** A list as a table is as long as a report. */
function kindOf(endpoint: Endpoint | undefined, format?: Format): RequestKind {
  return endpoint?.work ?? (endpoint?.access === 'report' || format === 'csv' ? 'report' : 'provision')
}

interface Asked {
  readonly endpoint: Endpoint
  readonly caller: PartnerCaller
  readonly match: Match
  readonly address: Address
  readonly exchange: Exchange
  readonly format: Format
}

function callOf({ endpoint, caller, match, address, exchange, format }: Asked, body: Call['body']): Call {
  const { path, extension } = address
  const { request, isFromTool } = exchange
  const ifMatch = request.headers['if-match']
  const query = readQuery(endpoint, address.query)
  const hasClientGone = () => request.socket.destroyed
  const isBrief = isFromTool || isByReadAlone(caller.scopes, endpoint)
  const asked = { caller, ids: idsIn(match), query, body, format, path, extension, isBrief, hasClientGone, client: exchange.response }
  return { ...asked, ...(ifMatch !== undefined && { ifMatch }) }
}

async function callWithBody(asked: Asked): Promise<Call> {
  const { endpoint, address } = asked
  const { request } = asked.exchange
  const body = await bodyOf(endpoint, request)
  // Only the body itself tells whether something labelled as a form is JSON.
  address.isJson ||= body?.isJson === true
  const format = body?.isJson === true ? formatOf(endpoint, address, request) : asked.format
  return callOf({ ...asked, format }, body?.record ?? emptyBody)
}

function formatOf({ formats = bothFormats, areLines }: Endpoint, { extension, isJson }: Address, { headers }: IncomingMessage): Format {
  if (areLines && (extension === 'ndjson' || (extension === null && isJsonType(headers.accept)))) return 'json'
  return chooseFormat(extension, headers.accept, formats, isJson)
}

/** Every answer to a known key says how many requests are left, even a refusal. */
function tellRate(exchange: Exchange, { headers }: Rate, endpoint: Endpoint, { settings }: App): void {
  exchange.headers = { ...exchange.headers, ...headers, ...deprecationHeaders(endpoint, settings.baseUrl) }
}

/** One token was taken at admission; the others are taken once their number is known. */
async function chargeRate(rates: Rates, endpoint: Endpoint, { caller }: Call, more: number, exchange: Exchange): Promise<void> {
  if (more < 1) return
  const { headers } = await rates.charge(caller.partnerId, ...limitOf(endpoint, caller.limits), more)
  exchange.headers = { ...exchange.headers, ...headers }
}

function limitOf({ changes }: Endpoint, { readsPerMinute, writesPerMinute }: PartnerCaller['limits']): [kind: RateKind, perMinute: number] {
  return changes ? ['writes', writesPerMinute] : ['reads', readsPerMinute]
}

/** An unexpected body is read too before anything changes, because only its clean end shows that the request is complete. */
function takesBody(endpoint: Endpoint, request: IncomingMessage): boolean {
  return endpoint.body !== undefined || (endpoint.changes === true && endpoint.receive === undefined && hasBody(request))
}

async function bodyOf(endpoint: Endpoint, request: IncomingMessage): Promise<ReadBody | null> {
  if (endpoint.body !== undefined) return readRequest(request, endpoint.body)
  await readBody(request, maxUnaskedBytes)
  return null
}

const maxUnaskedBytes = 65_536

function guard(app: App, endpoint: Endpoint, request: IncomingMessage): void {
  refuseCrossSite(request.headers, (origin) => origin === new URL(app.settings.baseUrl).origin)
  if (endpoint.method === 'GET') refusePrefetch(request.headers)
}

function addressOf({ request }: Exchange): Address {
  const { url = '/', headers } = request
  const { path, extension, query } = splitUrl(url)
  return { path, extension, query, isJson: hasBody(request) && isJsonType(headers['content-type']) }
}

/** Null for OPTIONS, which never acts. HEAD is treated like GET, except where GET changes state. */
function endpointOf(match: Match, request: IncomingMessage): Endpoint | null {
  if (request.method === 'OPTIONS') return null
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = match.rows.find((candidate) => candidate.method === method && !(request.method === 'HEAD' && candidate.changes))
  return endpoint ?? refuseMethod(allowed(match))
}

function refuseMethod(allow: string): never {
  return refuse('method_not_allowed', undefined, { allow })
}

function allowed({ rows: here }: Match): string {
  const methods = here.map(({ method }) => method as string)
  const isReadable = here.some(({ method, changes }) => method === 'GET' && !changes)
  return [...new Set(isReadable ? [...methods, 'HEAD'] : methods)].toSorted().join(', ')
}

function idsIn({ params }: Match): [number, ...number[]] {
  return params.map(idIn) as [number, ...number[]]
}

function sendProblem(app: App, error: unknown, match: Match | null, { extension, isJson }: Address, exchange: Exchange): void {
  const { request, id, log } = exchange
  const failure = asFailure(error)
  exchange.code = failure.code
  exchange.sentence = plainSentence(failure)
  noteReason(exchange, failure.details.logged)
  if (failure.code === 'internal') log.error({ err: error, request_id: id, route: match?.template ?? null }, 'a request failed')
  const root = match?.rows.find(({ method }) => method === request.method)?.body?.root ?? ''
  const format = errorFormat(extension, request.headers.accept, isJson)
  const { authorization } = request.headers
  const asked = { format, root, requestId: id, baseUrl: app.settings.baseUrl, authorization }
  const { status, contentType, headers, body } = problemBody(failure, asked)
  send(exchange, status, { 'content-type': contentType, 'cache-control': 'no-store', ...headers }, body)
}
