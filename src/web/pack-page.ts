/** The body of a page: streamed, or encoded whole and compressed better than a stream. */

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Html } from '../lib/html.ts'
import { chooserAmong } from '../lib/streams/content-coding.ts'
import type { PageAnswer } from './page-request.ts'

const leastBytes = 1_000
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const choosePageCoding = chooserAmong(['br', 'gzip'])

export function isStreamed(body: PageAnswer['body']): body is AsyncIterable<string | Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

export async function packed(
  acceptEncoding: string | undefined,
  body: Html | string | Uint8Array,
  type = '',
): Promise<{ body: Uint8Array; encoding: string | null }> {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(String(body))
  const coding = bytes.length < leastBytes || isPacked(type) ? 'identity' : choosePageCoding(acceptEncoding)
  if (coding === 'br') return { body: await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }), encoding: 'br' }
  return coding === 'gzip' ? { body: await zip(bytes), encoding: 'gzip' } : { body: bytes, encoding: null }
}

/** Whether a file of this type is compressed in itself. */
export function isPacked(type: string): boolean {
  return type.startsWith('image/') || type === 'application/pdf' || type.endsWith('.sheet')
}
