/** The API's door: from a request to an endpoint's answer, refusing in the one order that is documented. */

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { about } from '../http/about.ts'
import { readBody } from '../http/body.ts'
import { hasBody } from '../http/front.ts'
import type { Limits } from '../http/limits.ts'
import type { Rates } from '../http/rate-limit.ts'
import { send } from '../http/send.ts'
import { refuse } from '../lib/failures.ts'
import type { PartnerCaller } from '../model/caller.ts'
import type { Ground } from '../model/ground.ts'
import { doOnce, type KeptAnswer } from '../model/idempotency.ts'
import { isOn } from '../model/switches.ts'
import { authenticate } from './authenticate.ts'
import type { Call, Endpoint, RecordEndpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { fence, fencePrefetch } from './fence.ts'
import { chooseFormat, errorFormat, type Format, mediaTypes, splitExtension } from './format.ts'
import { repeatable } from './idempotency.ts'
import { problemBody, stated } from './problems.ts'
import { emptyBody, readRequest } from './read-request.ts'
import { type Match, routesOf } from './routes.ts'

const routes = routesOf(endpoints)
const bothFormats: readonly Format[] = ['xml', 'json']

interface Address {
  readonly path: string
  readonly extension: string | null
  readonly query: URLSearchParams
}

/** What stands between the door and those who ask too much. */
export interface Gates {
  readonly limits: Limits
  readonly rates: Rates
}

/** In a hook that comes before Fastify looks at the body, so that nothing is refused out of order; what is not routed is answered too. */
export function registerApi(server: FastifyInstance, ground: Ground, gates: Gates): void {
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => answer(ground, gates, request, reply)
  server.register(
    async (api) => {
      api.addHook('onRequest', onRequest)
      // A route of its own, or the pages' catch-all would take what begins with /api.
      api.all('/*', answered)
      api.setNotFoundHandler(answered)
    },
    { prefix: '/api' },
  )
  for (const url of ['/businesses', '/businesses.*']) server.all(url, { onRequest }, answered)
}

function answered(): void {}

/** What no door has an address for, in the API's words. */
export function refuseAtDoor(ground: Ground) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    sendProblem(ground, error, null, addressOf(request.raw), request, reply)
  }
}

async function answer(ground: Ground, gates: Gates, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const address = addressOf(request.raw)
  const match = routes(address.path)
  about(request.raw).route = match?.template ?? '/api/*'
  try {
    if (gates.limits.isFull(match?.endpoints[0]?.access ?? 'provision')) return refuse('overloaded', undefined, { 'retry-after': '1' })
    if (match === null) return refuse('not_found', 'There is no such address')
    await run(ground, gates, match, endpointOf(match, request), address, request, reply)
  } catch (error) {
    sendProblem(ground, error, match, address, request, reply)
  }
}

/** 404 and 405 are behind us; then 401, 403, 429, 406, 413, 415, 400, 404 of an id in the path, and what the model says. */
async function run(
  ground: Ground,
  gates: Gates,
  match: Match,
  endpoint: Endpoint | null,
  address: Address,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (endpoint === null) return send(reply, 204, { allow: allowed(match) }, '')
  if (endpoint.changes && endpoint.method === 'GET' && !(await isOn(ground, 'get_actions'))) refuseMethod('POST')
  const caller = await authenticate(ground, endpoint, request)
  Object.assign(about(request.raw), { partner_id: caller.partnerId, key: caller.keyName })
  if (endpoint.changes) guard(ground, endpoint, request)
  spendRate(gates.rates, endpoint, caller, reply)
  const format = chooseFormat(address.extension, request.headers.accept, endpoint.formats ?? bothFormats)
  const body = await bodyOf(endpoint, request)
  const call: Call = { caller, ids: idsIn(match), query: address.query, body, format }
  // Only now: a place inside is for work, not for waiting until a slow client has sent its body.
  const leave = await gates.limits.enter(endpoint.access, String(caller.partnerId), reply.raw)
  try {
    await ('stream' in endpoint ? endpoint.stream(call, request, reply) : act(endpoint, call, request, reply))
  } finally {
    leave()
  }
}

function spendRate(rates: Rates, endpoint: Endpoint, { partnerId, limits }: PartnerCaller, reply: FastifyReply): void {
  const kind = endpoint.changes ? 'writes' : 'reads'
  const { isWithin, headers } = rates.take(partnerId, kind, kind === 'writes' ? limits.writesPerMinute : limits.readsPerMinute)
  // Set on the reply itself, because streams and refusals write their heads in other places.
  for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value)
  if (!isWithin) refuse('too_many_requests')
}

/** A body that nobody asked for is read all the same before anything changes: only its clean end shows that the request was meant so. */
async function bodyOf(endpoint: Endpoint, { raw }: FastifyRequest) {
  if (endpoint.body !== undefined) return readRequest(raw, endpoint.body)
  if (endpoint.changes && !('stream' in endpoint) && hasBody(raw)) await readBody(raw, maxUnaskedBytes)
  return emptyBody
}

const maxUnaskedBytes = 65_536

async function act(endpoint: RecordEndpoint<unknown>, call: Call, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const asked = repeatable(endpoint, call, request)
  if (asked === null) return sendAnswer(reply, written(endpoint, call, await endpoint.act(call)))
  const answerOf = (result: unknown): KeptAnswer => kept(written(endpoint, call, result))
  const { answer, isReplay } = await doOnce(call.caller, asked, (caller) => endpoint.act({ ...call, caller }), answerOf)
  sendAnswer(reply, { ...answer, headers: { ...answer.headers, 'idempotency-replayed': String(isReplay) } })
}

interface Written extends Omit<KeptAnswer, 'body'> {
  /** Text where it can be: Node sends it in one piece with the head. */
  readonly body: string | Buffer
}

function written({ answer }: RecordEndpoint<unknown>, { format, caller }: Call, result: unknown): Written {
  const headers = { ...answerHeaders[format], ...answer.headers?.(result, caller.ground.settings.baseUrl, format) }
  return { status: answer.status, headers, body: answer.write(result, format) }
}

function kept(answer: Written): KeptAnswer {
  return { ...answer, body: Buffer.from(answer.body) }
}

function sendAnswer(reply: FastifyReply, { status, headers, body }: Written): void {
  send(reply, status, headers, body)
}

const answerHeaders = {
  xml: { 'content-type': mediaTypes.xml, 'cache-control': 'no-store', vary: 'Accept, Authorization' },
  json: { 'content-type': mediaTypes.json, 'cache-control': 'no-store', vary: 'Accept, Authorization' },
  csv: { 'content-type': mediaTypes.csv, 'cache-control': 'no-store', vary: 'Accept, Authorization' },
} as const

function guard(ground: Ground, endpoint: Endpoint, request: FastifyRequest): void {
  fence(request.headers, (origin) => origin === new URL(ground.settings.baseUrl).origin)
  if (endpoint.method === 'GET') fencePrefetch(request.headers)
}

function addressOf(request: IncomingMessage): Address {
  const [path = '/', search = ''] = splitOnce(request.url ?? '/', '?')
  return { ...splitExtension(path), query: new URLSearchParams(search) }
}

/** Null for OPTIONS, which never acts. HEAD answers like GET, except where GET acts. */
function endpointOf(match: Match, request: FastifyRequest): Endpoint | null {
  if (request.method === 'OPTIONS') return null
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = match.endpoints.find((candidate) => candidate.method === method && !(request.method === 'HEAD' && candidate.changes))
  return endpoint ?? refuseMethod(allowed(match))
}

function refuseMethod(allow: string): never {
  return refuse('method_not_allowed', undefined, { allow })
}

function allowed({ endpoints: here }: Match): string {
  const methods = here.map(({ method }) => method as string)
  const isReadable = here.some(({ method, changes }) => method === 'GET' && !changes)
  return [...new Set(isReadable ? [...methods, 'HEAD'] : methods)].toSorted().join(', ')
}

/** Ids are positive integers below 2^53; whatever else stands there is 0, which names nothing, so that the model answers for it in its turn. */
function idsIn({ ids }: Match): [number, ...number[]] {
  return ids.map((text) => (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : 0)) as [number, ...number[]]
}

function sendProblem(
  ground: Ground,
  error: unknown,
  match: Match | null,
  address: Address,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const failure = stated(error)
  about(request.raw).code = failure.code
  if (failure.code === 'internal')
    request.log.error({ err: error, request_id: request.id, route: match?.template ?? null }, 'a request failed')
  const root = match?.endpoints.find(({ method }) => method === request.method)?.body?.root ?? ''
  const format = errorFormat(address.extension, request.headers.accept)
  const { status, contentType, headers, body } = problemBody(failure, {
    format,
    root,
    requestId: request.id,
    baseUrl: ground.settings.baseUrl,
  })
  send(reply, status, { 'content-type': contentType, 'cache-control': 'no-store', ...headers }, body)
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
