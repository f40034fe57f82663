/** One server: request ids, time limits, health, and a stop that lets work in hand finish. The API has a door of its own; pages go through Fastify. */

import { randomUUID } from 'node:crypto'
import { type IncomingMessage, createServer as openServer, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { Failure } from '../lib/failures.ts'
import type { Log } from '../lib/log.ts'
import { problems } from '../resources/problem.ts'
import { endUnread, guardConnections, hasBody, headersCame, refuseAmbiguous } from './connection-guard.ts'
import { type Exchange, exchangeOf, handOver, openExchange, takeOver } from './exchange.ts'
import { type IsTrusted, trusting } from './proxies.ts'
import { send } from './send.ts'

/** Answers all requests to the addresses it takes. */
export interface Door {
  takes(url: string): boolean
  answer(exchange: Exchange): Promise<void>
}

export interface ServerOptions {
  readonly log: Log
  readonly api: Door
  /** Rejects when the service cannot do its work. */
  readonly isReady: () => Promise<void>
  /** Answers what no door has an address for, and what went wrong before a door was reached. */
  readonly refuse: (error: unknown, exchange: Exchange) => void
  /** Is told of each exchange once it is over. */
  readonly observe: (exchange: Exchange) => void
  /** Proxies that are believed when they say whom they speak for. */
  readonly trustedProxies: readonly string[]
}

const seconds = 1_000

export function createServer(options: ServerOptions): FastifyInstance {
  const { log, isReady, refuse, trustedProxies } = options
  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Each line names its request by itself, so no logger is made for each.
    childLoggerFactory: (logger) => logger,
    serverFactory: (pages) => front(options, pages),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: (request) => exchangeOf(request as IncomingMessage).id,
    requestIdHeader: false,
    frameworkErrors: (_error, request, reply) => refusing(refuse)(unreadableAddress, request, reply),
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 1_000 },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket as Socket),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  server.removeAllContentTypeParsers()
  // Bodies are read by the door that knows their limits, after it knows who is asking.
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  server.setNotFoundHandler((request, reply) => refusing(refuse)(unknownAddress, request, reply))
  server.setErrorHandler<Error & { code?: string }>((error, request, reply) =>
    refusing(refuse)(isMediaType(error) ? badType : error, request, reply),
  )
  registerHealth(server, isReady)
  return server
}

/** What stands before all doors: the server itself, strict about HTTP, with every exchange observed. */
function front(
  { log, api, refuse, observe, trustedProxies }: ServerOptions,
  pages: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const isTrusted = trusting(trustedProxies)
  const server = openServer(limits, (request, response) => {
    headersCame(request)
    const exchange = openExchange(request, response, requestId(request, isTrusted), log)
    response.on('close', () => {
      endUnread(request)
      observe(exchange)
    })
    if (!server.listening || sendsUnwanted(request)) exchange.headers = closing
    try {
      refuseAmbiguous(request)
    } catch (error) {
      return refuse(error, exchange)
    }
    if (api.takes(request.url ?? '')) return void api.answer(exchange).catch((error: unknown) => breakOff(exchange, error))
    handOver(exchange)
    pages(request, response)
  })
  // A proxy must not find a connection closed that it is about to use.
  server.keepAliveTimeout = (trustedProxies.length === 0 ? 5 : 65) * seconds
  server.maxRequestsPerSocket = 1_000
  server.setTimeout(30 * seconds)
  guardConnections(server, isTrusted)
  inviteBodies(server)
  return server
}

const limits = {
  headersTimeout: 10 * seconds,
  // For the longest push of data; what is short is given less time where it is read.
  requestTimeout: 120 * seconds,
  maxHeaderSize: 16_384,
  connectionsCheckingInterval: 1 * seconds,
  requireHostHeader: false,
}

function refusing(refuse: ServerOptions['refuse']) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    refuse(error, takeOver(request, reply))
  }
}

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])
const closing = { connection: 'close' }

/** Nobody reads such a body, and what follows on the connection could be mistaken for it. */
function sendsUnwanted(request: IncomingMessage): boolean {
  return bodiless.has(request.method ?? '') && hasBody(request)
}

/** Nothing may be left hanging, and what has been sent must not look like a whole. */
function breakOff({ id, log, response }: Exchange, error: unknown): void {
  log.error({ err: error, request_id: id }, 'a request broke off')
  response.destroy()
}

/** A client that asks first is told to go on only when somebody wants its body: after 401, 403 and 429. */
function inviteBodies(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const read = request._read
    request._read = function invite(size) {
      request._read = read
      if (!response.headersSent) response.writeContinue()
      read.call(request, size)
    }
    server.emit('request', request, response)
  })
}

function requestId(request: IncomingMessage, isTrusted: IsTrusted): string {
  const given = request.headers['x-request-id']
  const isUsable = typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) && isTrusted(request.socket.remoteAddress)
  return isUsable ? given : randomUUID()
}

/** What was no request at all still gets an answer in the API's words, then the connection goes. */
function refuseUnreadable({ code }: { readonly code: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, title] = statuses[code] ?? [400, 'Bad Request']
  const { sentence } = problems.bad_request
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<errors>\n  <error code="bad_request">${sentence}</error>\n</errors>\n`
  const head = ['content-type: application/xml; charset=utf-8', `content-length: ${body.length}`, `x-request-id: ${randomUUID()}`]
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`, () => socket.destroy())
}

const statuses: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
}

const unknownAddress = new Failure('not_found', { sentence: 'There is no such address' })
const unreadableAddress = new Failure('bad_request', { sentence: 'The address cannot be read' })
const badType = new Failure('unsupported_media_type')

/** Fastify itself refuses a Content-Type that is not one. */
function isMediaType({ code }: { readonly code?: string }): boolean {
  return code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
}

function registerHealth(server: FastifyInstance, isReady: () => Promise<void>): void {
  server.get('/health/live', (request, reply) => {
    answerPlainly(request, reply, 200, 'alive\n')
  })
  server.get('/health/ready', async (request, reply) => {
    const ready = await isReady().then(
      () => true,
      () => false,
    )
    answerPlainly(request, reply, ready ? 200 : 503, ready ? 'ready\n' : 'not ready\n')
  })
}

function answerPlainly(request: FastifyRequest, reply: FastifyReply, status: number, body: string): void {
  const exchange = takeOver(request, reply)
  exchange.route = request.routeOptions.url ?? exchange.route
  send(exchange, status, plain, body)
}

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
