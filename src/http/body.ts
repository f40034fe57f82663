/** Reading a request's body: bounded, and only believed once it has ended cleanly. */

import type { IncomingMessage } from 'node:http'
import { Failure, refuse } from '../lib/failures.ts'

export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) tooLarge(maxBytes)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('malformed_body', { sentence: 'The body ended before it was complete' })
  }
  return Buffer.concat(chunks)
}

/** The rest of a body that is too large is not worth reading, so the connection goes with it. */
function tooLarge(maxBytes: number): never {
  return refuse('too_large', `The body is larger than ${maxBytes.toLocaleString('en-US')} bytes`, { connection: 'close' })
}
