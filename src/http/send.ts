/** Sending an answer whole: the head is written once, with the headers that every answer carries. */

import type { FastifyReply } from 'fastify'
import { securityHeaders } from './headers.ts'

export function send(reply: FastifyReply, status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void {
  reply.hijack()
  const hasBody = reply.request.method !== 'HEAD' && status !== 204 && status !== 304
  const length = status === 204 || status === 304 ? {} : { 'content-length': Buffer.byteLength(body) }
  reply.raw.writeHead(status, { ...securityHeaders, ...headers, ...length, 'x-request-id': reply.request.id })
  reply.raw.end(hasBody ? body : undefined)
}
