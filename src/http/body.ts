/** Reads a whole request body into memory, limited in size and time, and only if it ends cleanly. */

import type { IncomingMessage } from 'node:http'
import { Failure } from '../lib/failures.ts'

export function readBody(request: IncomingMessage, maxBytes: number, longestSeconds = 10): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => stop(bodyLate()), longestSeconds * 1000)
  const stop = (failure: Failure) => {
    request.off('data', take).pause()
    reject(failure)
  }
  const take = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) stop(bodyTooLarge(maxBytes))
    else chunks.push(chunk)
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) stop(bodyTooLarge(maxBytes))
  else request.on('data', take)
  // The client may have disconnected during authentication.
  if (request.destroyed) reject(bodyCutShort())
  request.once('end', () => resolve(Buffer.concat(chunks)))
  request.once('error', () => reject(bodyCutShort()))
  request.once('close', () => reject(bodyCutShort()))
  return promise.finally(() => clearTimeout(timer))
}

/** The rest of a body that is too large is not read, so the connection is closed. */
export function bodyTooLarge(maxBytes: number): Failure {
  const sentence = `The body is larger than ${maxBytes.toLocaleString('en-US')} bytes`
  return new Failure('too_large', { sentence, headers: { connection: 'close' } })
}

export function bodyCutShort(): Failure {
  return new Failure('malformed_body', { sentence: 'The body ended before it was complete' })
}

export function bodyLate(): Failure {
  return new Failure('malformed_body', { sentence: 'The body did not arrive in time', headers: { connection: 'close' } })
}
