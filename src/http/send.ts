/** Sends a whole answer: writes the head once, with the headers that every answer has. */

import type { ServerResponse } from 'node:http'
import { atEndOfTurn } from '../lib/work/slices.ts'
import type { Exchange } from './exchange.ts'
import { securityHeaders } from './headers.ts'

export function send(exchange: Exchange, status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void {
  const { request, response } = exchange
  const isEmpty = status === 204 || status === 304
  const own = isEmpty ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  writeHead(exchange, status, own)
  endWithOthers(response, isEmpty || request.method === 'HEAD' ? '' : body)
}

export function writeHead({ response, headers: also, id }: Exchange, status: number, headers: Readonly<Record<string, string>>): void {
  const all = { ...securityHeaders, ...also, ...headers, ...variesBy(also, headers), 'x-request-id': id }
  response.writeHead(status, all['x-frame-options'] ? all : without(all, 'x-frame-options'))
}

/** What every writer adds, and what this one says itself. */
function variesBy({ vary }: Headers, own: Headers): Headers {
  return vary === undefined || own['vary'] === undefined ? {} : { vary: `${own['vary']}, ${vary}` }
}

type Headers = Readonly<Record<string, string>>

/** A page that others may show in a frame says so in its policy alone. */
function without(all: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([header]) => header !== name))
}

const mostTogether = 64
const leaving: { readonly response: ServerResponse; readonly body: string | Buffer }[] = []

/** Answers of one turn of the event loop are sent right after each other: sent alone, each would wake its reader and evict our code from the processor's caches. */
function endWithOthers(response: ServerResponse, body: string | Buffer): void {
  leaving.push({ response, body })
  if (leaving.length === 1) atEndOfTurn(endAll)
  else if (leaving.length === mostTogether) endAll()
}

function endAll(): void {
  for (const { response, body } of leaving.splice(0)) response.end(body)
}
