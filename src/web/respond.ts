/** Sends a page with the content security policy, compressed if the browser accepts it. */

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Exchange } from '../http/exchange.ts'
import { peerOf } from '../http/proxies.ts'
import { send } from '../http/send.ts'
import { streamResponse } from '../http/stream-response.ts'
import type { Html } from '../lib/html.ts'
import { chooseCoding, chooserAmong } from '../lib/streams/content-coding.ts'
import { textSource } from '../lib/streams/text-source.ts'
import { encodeInSlices } from '../lib/work/sliced-texts.ts'
import type { PageAnswer } from './page-request.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
  vary: 'Accept-Encoding, Cookie',
}
const oneYear = 31_536_000
const leastBytes = 1_000
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
/** A page is compressed whole and better than a stream. */
const choosePageCoding = chooserAmong(['br', 'gzip'])

export async function respond(exchange: Exchange, answer: PageAnswer, cookieLines: readonly string[] = []): Promise<void> {
  if (cookieLines.length > 0) exchange.response.setHeader('set-cookie', cookieLines)
  if (isStreamed(answer.body)) return stream(exchange, answer, answer.body)
  const { body, encoding } = await packed(exchange, answer.body, answer.type)
  send(exchange, answer.status ?? 200, headersOf(exchange, answer, encoding), body)
}

function isStreamed(body: PageAnswer['body']): body is AsyncIterable<string> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

async function stream(exchange: Exchange, answer: PageAnswer, body: AsyncIterable<string>): Promise<void> {
  const coding = chooseCoding(exchange.request.headers['accept-encoding'])
  const headers = headersOf(exchange, answer, coding === 'identity' ? null : coding)
  if (exchange.request.method === 'HEAD') return send(exchange, 200, headers, '')
  await streamResponse(exchange, { headers, chunks: textSource(body, coding), areCompressed: coding !== 'identity' })
}

function headersOf(exchange: Exchange, answer: PageAnswer, encoding: string | null): Record<string, string> {
  return {
    ...pageHeaders,
    ...(peerOf(exchange).protocol === 'https' && { 'strict-transport-security': `max-age=${oneYear}` }),
    'content-type': answer.type ?? 'text/html; charset=utf-8',
    ...(encoding && { 'content-encoding': encoding }),
    ...answer.headers,
  }
}

async function packed(
  { request }: Exchange,
  body: Html | string | Uint8Array,
  type = '',
): Promise<{ body: Buffer; encoding: string | null }> {
  const bytes = body instanceof Uint8Array ? Buffer.from(body) : await encodeInSlices(String(body))
  const coding = bytes.length < leastBytes || type.startsWith('image/') ? 'identity' : choosePageCoding(request.headers['accept-encoding'])
  if (coding === 'br') return { body: await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }), encoding: 'br' }
  return coding === 'gzip' ? { body: await zip(bytes), encoding: 'gzip' } : { body: bytes, encoding: null }
}
