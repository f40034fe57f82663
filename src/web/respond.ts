/** Sends a page with the content security policy, compressed if the browser accepts it. */

import type { Exchange } from '../http/exchange.ts'
import { peerOf } from '../http/proxies.ts'
import { send } from '../http/send.ts'
import { streamResponse } from '../http/stream-response.ts'
import type { ChunkSource } from '../lib/streams/chunks.ts'
import { isStreamed, packed } from './pack-page.ts'
import type { PageAnswer } from './page-request.ts'
import type { PageHead } from './page-work.ts'
import { pagePolicy } from './policy.ts'

const pageHeaders = {
  'content-security-policy': pagePolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
  vary: 'Accept-Encoding, Cookie',
}
const oneYear = 31_536_000

/** A page that a reader thread made; the chunks are the rest of one that is streamed. */
export interface MadePage extends PageHead {
  readonly chunks: ChunkSource
}

export async function respond(exchange: Exchange, shown: PageAnswer | MadePage, cookieLines: readonly string[] = []): Promise<void> {
  if (cookieLines.length > 0) exchange.response.setHeader('set-cookie', cookieLines)
  if ('chunks' in shown) return respondMade(exchange, shown)
  const { body, ...answer } = shown
  if (isStreamed(body)) throw new Error('What is streamed is made by the reader threads.')
  sendWhole(exchange, { ...answer, ...(await packed(exchange.request.headers['accept-encoding'], body, answer.type)) })
}

async function respondMade(exchange: Exchange, { chunks, body, ...head }: MadePage): Promise<void> {
  if (body !== null) return sendWhole(exchange, { ...head, body })
  const headers = headersOf(exchange, head)
  if (exchange.request.method === 'HEAD') return send(exchange, 200, headers, '')
  await streamResponse(exchange, { headers, chunks, areCompressed: head.encoding !== null })
}

function sendWhole(exchange: Exchange, head: PageHead & { readonly body: Uint8Array }): void {
  send(exchange, head.status ?? 200, headersOf(exchange, head), bufferOf(head.body))
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function headersOf(exchange: Exchange, { type, encoding, headers }: Omit<PageHead, 'body'>): Record<string, string> {
  return {
    ...pageHeaders,
    ...(peerOf(exchange).protocol === 'https' && { 'strict-transport-security': `max-age=${oneYear}` }),
    'content-type': type ?? 'text/html; charset=utf-8',
    ...(encoding && { 'content-encoding': encoding }),
    ...headers,
  }
}
