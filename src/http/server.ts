/** One Fastify server: request ids, time limits, health, and a stop that lets work in hand finish. */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { Failure } from '../lib/failures.ts'
import { problems } from '../resources/problem.ts'
import { about } from './about.ts'
import { guardConnections, hasBody, refuseAmbiguous } from './front.ts'
import { type IsTrusted, trusting } from './proxies.ts'
import { send } from './send.ts'

export interface ServerOptions {
  readonly log: FastifyBaseLogger
  /** Rejects when the service cannot do its work. */
  readonly isReady: () => Promise<void>
  /** Answers what no door has an address for, and what went wrong before a door was reached. */
  readonly refuse: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void
  /** Proxies that are believed when they say whom they speak for. */
  readonly trustedProxies: readonly string[]
}

const seconds = 1_000

export function createServer({ log, isReady, refuse, trustedProxies }: ServerOptions): FastifyInstance {
  const isTrusted = trusting(trustedProxies)
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Each line names its request by itself, so no logger is made for each.
    childLoggerFactory: (logger) => logger,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: (request) => requestId(request as IncomingMessage, isTrusted),
    requestIdHeader: false,
    frameworkErrors: (_error, request, reply) => refuse(unreadableAddress, request, reply),
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 1_000 },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket as Socket),
    connectionTimeout: 30 * seconds,
    // For the longest push of data; what is short is given less time where it is read.
    requestTimeout: 120 * seconds,
    // A proxy must not find a connection closed that it is about to use.
    keepAliveTimeout: (trustedProxies.length === 0 ? 5 : 65) * seconds,
    maxRequestsPerSocket: 1_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { headersTimeout: 10 * seconds, maxHeaderSize: 16_384, connectionsCheckingInterval: 1 * seconds, requireHostHeader: false },
  })
  server.removeAllContentTypeParsers()
  // Bodies are read by the door that knows their limits, after it knows who is asking.
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  server.setNotFoundHandler((request, reply) => refuse(unknownAddress, request, reply))
  server.setErrorHandler<Error & { code?: string }>((error, request, reply) => refuse(isMediaType(error) ? badType : error, request, reply))
  server.addHook('onRequest', async (request, reply) => beStrict(request, reply, refuse))
  guardConnections(server.server, isTrusted)
  inviteBodies(server.server)
  registerHealth(server, isReady)
  return server
}

async function beStrict(request: FastifyRequest, reply: FastifyReply, refuse: ServerOptions['refuse']): Promise<void> {
  try {
    refuseAmbiguous(request.raw)
    // Nobody reads a body here, and what follows on the connection could be mistaken for it.
    if (bodiless.has(request.method) && hasBody(request.raw)) reply.raw.setHeader('connection', 'close')
  } catch (error) {
    refuse(error, request, reply)
  }
}

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])

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
    about(request.raw).route = '/health/live'
    send(reply, 200, plain, 'alive\n')
  })
  server.get('/health/ready', async (request, reply) => {
    about(request.raw).route = '/health/ready'
    const ready = await isReady().then(
      () => true,
      () => false,
    )
    send(reply, ready ? 200 : 503, plain, ready ? 'ready\n' : 'not ready\n')
  })
}

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
