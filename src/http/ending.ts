/** Ends a server without leaving a request unanswered: each answer tells its client to close the connection, and what is running gets time to end. */

import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface EndingTerms {
  /** After this long without a byte a connection without a request is closed: on one that was used just now a request may already be on its way. */
  readonly idleSeconds: number
  /** After this long without a byte a request is broken off. */
  readonly silentSeconds: number
  /** After this long every request is broken off. */
  readonly mostSeconds: number
}

export interface Ending {
  /** From now on every answer says `Connection: close`, also those to requests that are being processed. */
  begin(): void
  /** Accepts no more connections, and resolves when the last one has ended. */
  end(terms: EndingTerms): Promise<void>
}

/** When the last byte was seen to come or go. */
interface Moved {
  bytes: number
  at: number
}

const checkMilliseconds = 100

export function endingOf(server: Server): Ending {
  const sockets = new Map<Socket, Moved>()
  const answers = new Set<ServerResponse>()
  let hasBegun = false
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { bytes: 0, at: performance.now() })
    socket.once('close', () => sockets.delete(socket))
  })
  server.prependListener('request', (_, response) => {
    answers.add(response)
    response.once('close', () => answers.delete(response))
    if (hasBegun) response.shouldKeepAlive = false
  })
  const begin = () => {
    hasBegun = true
    for (const response of answers) response.shouldKeepAlive = false
  }
  return {
    begin,
    async end({ idleSeconds, silentSeconds, mostSeconds }) {
      begin()
      // Unlike the method of HTTP servers, this one does not close idle connections at once.
      if (server.listening) NetServer.prototype.close.call(server)
      const isOver = performance.now() + mostSeconds * 1000
      for (const moved of sockets.values()) moved.at = performance.now()
      for (; sockets.size > 0; await sleep(checkMilliseconds)) {
        const answering = new Set([...answers].map(({ socket }) => socket))
        for (const [socket, moved] of sockets) {
          const seconds = silence(socket, moved)
          const isBrokenOff = seconds >= silentSeconds || performance.now() >= isOver
          // No client takes a reset for the end of an answer.
          if (answering.has(socket) && isBrokenOff) socket.resetAndDestroy()
          if (!answering.has(socket) && seconds >= idleSeconds) socket.destroy()
        }
      }
    },
  }
}

function silence({ bytesRead, bytesWritten }: Socket, moved: Moved): number {
  const bytes = bytesRead + bytesWritten
  if (bytes !== moved.bytes) Object.assign(moved, { bytes, at: performance.now() })
  return (performance.now() - moved.at) / 1000
}
