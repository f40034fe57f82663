/** A large body on its way to a file: limited by progress and not by total time, and never kept in memory. */

import type { IncomingMessage } from 'node:http'
import { Failure } from '../lib/failures.ts'
import { asNoRoom } from '../lib/streams/nameless-file.ts'
import { bodyCutShort, bodyLate, bodyTooLarge } from './body.ts'

/** Where the bytes go. */
export interface ByteSink {
  readonly bytes: number
  append(chunk: Buffer): Promise<void>
}

/** A sender must send this much in every window, or else it is cut off: eight KiB a second. */
const window = { seconds: 30, bytes: 240 * 1024 }

/** Rejects when the body is too large, too slow, or ends before it is complete. */
export async function receiveFile(request: IncomingMessage, sink: ByteSink, maxBytes: number): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  const stopWatching = watchProgress(request, sink)
  try {
    // The request must live on: it is still to be answered.
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

/** Of what is refused the rest is not read, so nothing else can come on this connection. */
function asReceived(error: unknown): unknown {
  const isClients = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '')
  const failure = isClients ? bodyCutShort() : asNoRoom(error)
  if (!(failure instanceof Failure)) return failure
  return new Failure(failure.code, { ...failure.details, headers: { ...failure.details.headers, connection: 'close' } })
}
