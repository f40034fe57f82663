/** The HTTP server: request ids, time limits, and a list of doors; the first door that takes a request answers it. */

import { randomUUID } from 'node:crypto'
import { type IncomingMessage, createServer as openServer, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '../lib/failures.ts'
import type { Log } from '../lib/log.ts'
import { problems } from '../resources/problem.ts'
import { endUnread, guardConnections, hasBody, headersCame, refuseAmbiguous } from './connection-guard.ts'
import { type Exchange, type IsTrusted, openExchange } from './exchange.ts'
import { trusting } from './proxies.ts'

/** One of the ways into the service: the API, health, the reference, the pages. */
export interface Door {
  takes(request: IncomingMessage): boolean
  answer(exchange: Exchange): Promise<void>
}

export interface ServerOptions {
  readonly log: Log
  /** The doors in the order in which they are asked. */
  readonly doors: readonly Door[]
  /** Answers requests that no door takes, and failures before a door was reached. */
  readonly refuse: (error: unknown, exchange: Exchange) => void
  /** Called with each exchange once it is complete. */
  readonly observe: (exchange: Exchange) => void
  /** Proxies whose X-Forwarded headers are believed. */
  readonly trustedProxies: readonly string[]
}

const seconds = 1_000

export function createServer({ log, doors, refuse, observe, trustedProxies }: ServerOptions): Server {
  const isTrusted = trusting(trustedProxies)
  const server = openServer(limits, (request, response) => {
    headersCame(request)
    const exchange = openExchange(request, response, requestId(request, isTrusted), log, isTrusted)
    response.on('close', () => observe(exchange))
    // Before Node's own listener, which closes the connection.
    response.prependListener('finish', () => endUnread(request))
    if (sendsUnwanted(request)) exchange.headers = closing
    try {
      refuseAmbiguous(request)
      refuseExpectation(request)
      const door = doors.find((candidate) => candidate.takes(request)) ?? refuseAddress()
      door.answer(exchange).catch((error: unknown) => breakOff(exchange, error))
    } catch (error) {
      refuse(error, exchange)
    }
  })
  // A proxy must not find a connection closed that it is about to use, so it is kept longer than the proxy's own timeout.
  server.keepAliveTimeout = (trustedProxies.length === 0 ? 5 : 65) * seconds
  server.setTimeout(30 * seconds)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseUnreadable(error, socket as Socket))
  guardConnections(server, isTrusted)
  inviteBodies(server)
  // Node would answer 417 by itself, without a request id.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

const limits = {
  headersTimeout: 10 * seconds,
  // The time limit of a body is set where it is read: seconds for a record, and progress for a file.
  requestTimeout: 0,
  maxHeaderSize: 16_384,
  connectionsCheckingInterval: 1 * seconds,
  requireHostHeader: false,
}

function refuseAddress(): never {
  throw new Failure('not_found', { sentence: 'There is no such address' })
}

function refuseExpectation({ headers: { expect } }: IncomingMessage): void {
  if (expect !== undefined && !/100-continue/i.test(expect)) throw new Failure('expectation_failed', { headers: closing })
}

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])
const closing = { connection: 'close' }

/** Refuses a body that nobody reads, because a later request on the connection could be mistaken for it. */
function sendsUnwanted(request: IncomingMessage): boolean {
  return bodiless.has(request.method ?? '') && hasBody(request)
}

/** Closes the connection, so that the request does not hang and a partial answer is not taken for complete. */
function breakOff({ id, log, response }: Exchange, error: unknown): void {
  log.error({ err: error, request_id: id }, 'a request broke off')
  response.destroy()
}

/** With `Expect: 100-continue`, the client is told to continue only when its body is read, which is after 401, 403 and 429. */
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

/** Answers bytes that are not a valid request with a problem of the API, and closes the connection. */
function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
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
