/** Receives a large body into a file, never into memory. The limit is on progress, not on total time. */

import type { IncomingMessage } from 'node:http'
import { Failure } from '../lib/failures.ts'
import { asNoRoom } from '../lib/streams/nameless-file.ts'
import { bodyCutShort, bodyLate, bodyTooLarge } from './body.ts'

/** The destination of the bytes. */
export interface ByteSink {
  readonly bytes: number
  append(chunk: Buffer): Promise<void>
}

/** A sender that sends less than this in a window, eight KiB a second, is cut off. */
const window = { seconds: 30, bytes: 240 * 1024 }

/** Rejects when the body is too large, too slow, or ends before it is complete. */
export async function receiveFile(request: IncomingMessage, sink: ByteSink, maxBytes: number): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  const stopWatching = watchProgress(request, sink)
  try {
    // The request must not be destroyed, because it is still to be answered.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (sink.bytes + (chunk as Buffer).length > maxBytes) throw bodyTooLarge(maxBytes)
      await sink.append(chunk as Buffer)
    }
    if (!request.complete) throw bodyCutShort()
  } catch (error) {
    throw asReceived(error)
  } finally {
    stopWatching()
  }
}

function watchProgress(request: IncomingMessage, sink: ByteSink): () => void {
  let before = sink.bytes
  const timer = setInterval(() => {
    if (sink.bytes - before < window.bytes) request.destroy(bodyLate())
    before = sink.bytes
  }, window.seconds * 1000)
  return () => clearInterval(timer)
}

/** The rest of a refused body is not read, so the connection cannot be used again. */
function asReceived(error: unknown): unknown {
  const isClients = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '')
  const failure = isClients ? bodyCutShort() : asNoRoom(error)
  if (!(failure instanceof Failure)) return failure
  return new Failure(failure.code, { ...failure.details, headers: { ...failure.details.headers, connection: 'close' } })
}
