/** The API's door: from a request to an endpoint's answer, refusing in the one order that is documented. */

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { send } from '../http/send.ts'
import { refuse } from '../lib/failures.ts'
import type { Ground } from '../model/ground.ts'
import { authenticate } from './authenticate.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { fence, fencePrefetch } from './fence.ts'
import { chooseFormat, errorFormat, type Format, mediaTypes, splitExtension } from './format.ts'
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

/** In a hook that comes before Fastify looks at the body, so that nothing is refused out of order; what is not routed is answered too. */
export function registerApi(server: FastifyInstance, ground: Ground): void {
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => answer(ground, request, reply)
  server.register(
    async (api) => {
      api.addHook('onRequest', onRequest)
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

async function answer(ground: Ground, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const address = addressOf(request.raw)
  const match = routes(address.path)
  try {
    if (match === null) return refuse('not_found', 'There is no such address')
    await run(ground, match, endpointOf(match, request), address, request, reply)
  } catch (error) {
    sendProblem(ground, error, match, address, request, reply)
  }
}

/** 404 and 405 are behind us; then 401, 403, 429, 406, 413, 415, 400, 404 of an id in the path, and what the model says. */
async function run(
  ground: Ground,
  match: Match,
  endpoint: Endpoint | null,
  address: Address,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (endpoint === null) return send(reply, 204, { allow: allowed(match) }, '')
  const caller = await authenticate(ground, endpoint, request)
  if (endpoint.changes) guard(ground, endpoint, request)
  const format = chooseFormat(address.extension, request.headers.accept, endpoint.formats ?? bothFormats)
  const body = endpoint.body === undefined ? emptyBody : await readRequest(request.raw, endpoint.body)
  const call: Call = { caller, ids: idsIn(match), query: address.query, body, format }
  if ('stream' in endpoint) return endpoint.stream(call, request, reply)
  const result = await endpoint.act(call)
  const headers = endpoint.answer.headers?.(result, ground.settings.baseUrl, format)
  send(reply, endpoint.answer.status, { ...answerHeaders[format], ...headers }, endpoint.answer.write(result, format))
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
  return endpoint ?? refuse('method_not_allowed', undefined, { allow: allowed(match) })
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
