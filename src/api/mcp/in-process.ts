/** Requests to the API from inside the process, over a pair of streams instead of a socket, so that they pass all checks of requests from outside. */

import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { type Exchange, openExchange } from '../../http/exchange.ts'
import type { Door } from '../../http/server.ts'
import { Failure } from '../../lib/failures.ts'

export interface InnerRequest {
  readonly method: string
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface InnerAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Null if the answer is too large. */
  readonly text: string | null
}

export type AskInside = (request: InnerRequest, outer: Exchange) => Promise<InnerAnswer>

/** `observe` is called with each inner exchange once it is complete, like with one from outside. */
export function insideOf(door: Door, maxAnswerBytes: number, observe: (exchange: Exchange) => void): AskInside {
  return (asked, outer) => {
    const server = createServer((request, response) => {
      // Uses the id of the outer request, which the log and the audit then show for both.
      const exchange = openExchange(request, response, outer.id, outer.log, () => false)
      exchange.isFromTool = true
      response.on('close', () => observe(exchange))
      door.answer(exchange).catch(() => response.destroy())
    })
    const [ours, theirs] = connectedPair()
    server.emit('connection', likeSocket(theirs))
    return send(asked, likeSocket(ours), maxAnswerBytes, outer)
  }
}

function send(
  { method, address, headers, body }: InnerRequest,
  connection: Socket,
  maxAnswerBytes: number,
  outer: Exchange,
): Promise<InnerAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const asked = httpRequest({
      method,
      path: address,
      headers: { host: 'inside', ...headers, ...length },
      createConnection: () => connection,
    })
    const leave = () => connection.destroy()
    outer.response.once('close', leave)
    asked.once('error', () => reject(new Failure('unavailable')))
    asked.once('response', (answer) => {
      readUpTo(answer, maxAnswerBytes).then(
        (text) => resolve({ status: answer.statusCode ?? 500, headers: answer.headers, text }),
        () => reject(new Failure('unavailable')),
      )
    })
    asked.once('close', () => {
      outer.response.off('close', leave)
      connection.destroy()
    })
    asked.end(body)
  })
}

async function readUpTo(answer: IncomingMessage, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length
    if (bytes > maxBytes) return null
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

/** Each side learns when the other one closes, as with a socket. */
function connectedPair(): [ours: Duplex, theirs: Duplex] {
  const [ours, theirs] = duplexPair()
  const write = theirs._write
  // Copied, because reports reuse their buffers once they are written, and the pair passes on the same bytes.
  theirs._write = (chunk: Buffer, encoding, done) => write.call(theirs, Buffer.from(chunk), encoding, done)
  ours.once('close', () => theirs.destroy())
  theirs.once('close', () => !theirs.writableFinished && ours.push(null))
  return [ours, theirs]
}

/** The methods of a socket that HTTP needs besides those of a stream; the outer connection has the deadlines. */
function likeSocket(stream: Duplex): Socket {
  const itself = () => stream
  return Object.assign(stream, {
    setTimeout: itself,
    setNoDelay: itself,
    setKeepAlive: itself,
    ref: itself,
    unref: itself,
  }) as unknown as Socket
}
