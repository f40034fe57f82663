/** One Fastify server: request ids, time limits, health, and a stop that lets work in hand finish. */

import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { Failure } from '../lib/failures.ts'
import { send } from './send.ts'

export interface ServerOptions {
  readonly log: FastifyBaseLogger
  /** Rejects when the service cannot do its work. */
  readonly isReady: () => Promise<void>
  /** Answers what no door has an address for, and what went wrong before a door was reached. */
  readonly refuse: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void
}

const seconds = 1_000

export function createServer({ log, isReady, refuse }: ServerOptions): FastifyInstance {
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    frameworkErrors: (_error, request, reply) => refuse(unreadableAddress, request, reply),
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 1_000 },
    connectionTimeout: 60 * seconds,
    requestTimeout: 20 * seconds,
    keepAliveTimeout: 65 * seconds,
    maxRequestsPerSocket: 0,
    forceCloseConnections: 'idle',
    http: { headersTimeout: 10 * seconds, maxHeaderSize: 16_384, connectionsCheckingInterval: 1 * seconds },
  })
  server.removeAllContentTypeParsers()
  // Bodies are read by the door that knows their limits, after it knows who is asking.
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  server.setNotFoundHandler((request, reply) => refuse(unknownAddress, request, reply))
  server.setErrorHandler<Error & { code?: string }>((error, request, reply) => refuse(isMediaType(error) ? badType : error, request, reply))
  registerHealth(server, isReady)
  return server
}

const unknownAddress = new Failure('not_found', { sentence: 'There is no such address' })
const unreadableAddress = new Failure('bad_request', { sentence: 'The address cannot be read' })
const badType = new Failure('unsupported_media_type')

/** Fastify itself refuses a Content-Type that is not one. */
function isMediaType({ code }: { readonly code?: string }): boolean {
  return code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
}

function registerHealth(server: FastifyInstance, isReady: () => Promise<void>): void {
  server.get('/health/live', (_request, reply) => send(reply, 200, plain, 'alive\n'))
  server.get('/health/ready', async (_request, reply) => {
    const ready = await isReady().then(
      () => true,
      () => false,
    )
    send(reply, ready ? 200 : 503, plain, ready ? 'ready\n' : 'not ready\n')
  })
}

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
