/** Sending an answer whole: the head is written once, with the headers that every answer carries. */

import type { Exchange } from './exchange.ts'
import { securityHeaders } from './headers.ts'

export function send(exchange: Exchange, status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void {
  const { request, response } = exchange
  const isEmpty = status === 204 || status === 304
  const own = isEmpty ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  writeHead(exchange, status, own)
  response.end(isEmpty || request.method === 'HEAD' ? undefined : body)
}

export function writeHead({ response, headers: also, id }: Exchange, status: number, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, { ...securityHeaders, ...also, ...headers, 'x-request-id': id })
}
