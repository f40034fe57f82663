/** Protects the server before any door sees a request: refuses ambiguous HTTP, and limits connections and their time. */

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { refuse } from '../lib/failures.ts'

const maxConnections = 16_384
/** Connections of one address; a trusted proxy has many clients and is not counted. */
const maxPerAddress = 2_000
const headerSeconds = { least: 6, most: 10 }
const lingerSeconds = 2

/** Refuses requests that two HTTP parsers might read differently (request smuggling). */
export function refuseAmbiguous(request: IncomingMessage): void {
  const { httpVersion, url = '' } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') bad('Only HTTP/1.0 and HTTP/1.1 are spoken here')
  if (!url.startsWith('/')) bad('The request line must name a path')
  const { hosts, encodings, lengths, credentials } = framing(request)
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) bad('There must be exactly one Host')
  if (hosts[0] !== undefined && !/^[\w.:[\]-]*$/.test(hosts[0])) bad('The Host cannot be read')
  if (credentials.length > 1) bad('There may be one Authorization only')
  refuseSmuggling(httpVersion, encodings, lengths)
}

function refuseSmuggling(httpVersion: string, encodings: readonly string[], lengths: readonly string[]): void {
  if (lengths.length > 1 || !lengths.every((length) => /^\d{1,15}$/.test(length))) bad('The length of the body cannot be told')
  if (encodings.length === 0) return
  if (lengths.length > 0 || httpVersion === '1.0' || encodings.join().toLowerCase() !== 'chunked') {
    bad('The length of the body cannot be told')
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Limits what a connection may cost before and after its requests. */
export function guardConnections(server: Server, isTrusted: (address: string | undefined) => boolean): void {
  const perAddress = new Map<string, number>()
  server.maxConnections = maxConnections
  server.maxHeadersCount = 100
  server.on('connection', (socket: Socket) => {
    if (!isTrusted(socket.remoteAddress)) countConnection(perAddress, socket)
    expectHeaders(socket)
  })
}

/** Stops the timer that waits for the headers of a request. */
export function headersCame({ socket }: IncomingMessage): void {
  const timer = waitingForHeaders.get(socket)
  if (timer === undefined) return
  clearTimeout(timer)
  waitingForHeaders.delete(socket)
}

function countConnection(perAddress: Map<string, number>, socket: Socket): void {
  const address = socket.remoteAddress ?? ''
  const held = (perAddress.get(address) ?? 0) + 1
  if (held > maxPerAddress) return void socket.destroy()
  perAddress.set(address, held)
  socket.once('close', () => {
    const left = (perAddress.get(address) ?? 1) - 1
    if (left === 0) perAddress.delete(address)
    else perAddress.set(address, left)
  })
}

const waitingForHeaders = new WeakMap<Socket, NodeJS.Timeout>()

/** The deadlines are randomized: thousands of connections that expire at the same moment would block everyone else. */
function expectHeaders(socket: Socket): void {
  const { least, most } = headerSeconds
  const timer = setTimeout(() => socket.destroy(), (least + Math.random() * (most - least)) * 1000)
  waitingForHeaders.set(socket, timer)
  socket.once('close', () => clearTimeout(timer))
}

/**
 * Gives an unread body a moment to arrive, so that the client can read the answer, and then closes the connection. After `Connection: close` Node would close it
 * at once; the client's next bytes would be answered with a reset, which takes the answer with it, and a proxy would say 502 instead.
 */
export function endUnread(request: IncomingMessage): void {
  if (request.complete || request.socket.destroyed) return
  const { socket } = request
  const { destroySoon } = socket
  const timer = setTimeout(() => !request.complete && socket.destroy(), lingerSeconds * 1000)
  const stop = () => {
    clearTimeout(timer)
    socket.off('close', stop)
    socket.destroySoon = destroySoon
  }
  socket.destroySoon = () => {
    socket.end()
    request.once('end', () => socket.destroy()).resume()
  }
  socket.once('close', stop)
  request.once('end', stop)
}

/** All values of the headers that determine the target, the length and the sender of a request; Node itself keeps only the first, or joins them. */
function framing({ rawHeaders }: IncomingMessage): Record<'hosts' | 'encodings' | 'lengths' | 'credentials', string[]> {
  const found = { hosts: [] as string[], encodings: [] as string[], lengths: [] as string[], credentials: [] as string[] }
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = framingNames.get((rawHeaders[index] ?? '').toLowerCase() as 'host')
    if (name !== undefined) found[name].push(rawHeaders[index + 1] ?? '')
  }
  return found
}

const framingNames = new Map([
  ['host', 'hosts'],
  ['transfer-encoding', 'encodings'],
  ['content-length', 'lengths'],
  ['authorization', 'credentials'],
] as const)

function bad(sentence: string): never {
  return refuse('bad_request', sentence, { connection: 'close' })
}
