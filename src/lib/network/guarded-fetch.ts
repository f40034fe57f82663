/**
 * Sends a request to an address that a stranger has given, and reaches nothing but the public internet by it: the host is resolved once, every
 * address of it is checked, and exactly those are connected to, again at each redirect. No proxy of the environment has a part in it.
 */

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { TLSSocket } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { closedNetworkOf, liesIn } from './closed-networks.ts'
import { hostAddresses } from './host-addresses.ts'
import {
  asFetchFailure,
  FetchFailure,
  failFetch,
  type OutgoingAnswer,
  type OutgoingRequest,
  type OutgoingRules,
  portOf,
  readOutgoing,
} from './outgoing.ts'

/** How long one address of several is tried before the next is tried beside it. */
const patience = { autoSelectFamilyAttemptTimeout: 1_000 }
const agents = { 'http:': new HttpAgent({ keepAlive: false }), 'https:': new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }) }

/** Rejects with a `FetchFailure`, or with the reason of the given signal. */
export async function fetchGuarded(rules: OutgoingRules, request: OutgoingRequest): Promise<OutgoingAnswer> {
  const timeout = AbortSignal.timeout(request.milliseconds)
  const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal])
  try {
    return await follow(rules, request, signal)
  } catch (error) {
    request.signal?.throwIfAborted()
    throw timeout.aborted
      ? new FetchFailure('too_slow', `There was no whole answer within ${request.milliseconds / 1_000} seconds.`)
      : asFetchFailure(error)
  }
}

async function follow(rules: OutgoingRules, request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> {
  let asked = request
  for (let followed = 0; ; followed++) {
    const url = readOutgoing(asked.url, request.schemes)
    const { addresses, isClosed } = await reachableAddresses(rules, url, signal)
    const begun = performance.now()
    const response = await send(asked, url, addresses, signal)
    const to = request.redirects === 0 ? undefined : redirectOf(response, url)
    if (to === undefined)
      return { ...(await read(response, url, request)), milliseconds: performance.now() - begun, isFromClosedNetwork: isClosed }
    response.destroy()
    if (followed === request.redirects) failFetch('too_many_redirects', `It was redirected more than ${request.redirects} times.`)
    if (request.mayFollow?.(to) === false) failFetch('redirected_away', 'It was redirected to another host.')
    asked = redirected(asked, url, to, response.statusCode ?? 0)
  }
}

async function reachableAddresses(rules: OutgoingRules, url: URL, signal: AbortSignal) {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  if (isIP(host) === 0 && (await rules.isOwnHost(host))) failFetch('closed_address', 'The address leads to this service.')
  const addresses = (await hostAddresses(host, rules.dnsServers, signal)) ?? failFetch('dns_silent', 'The DNS did not answer.')
  if (addresses.length === 0) failFetch('no_such_host', 'There is no host of this name.')
  const closed = addresses.map((address) => ({ address, kind: closedNetworkOf(address) })).filter(({ kind }) => kind !== undefined)
  const refused = closed.find(({ address }) => !liesIn(rules.allowedNetworks, address))
  if (refused !== undefined) failFetch('closed_address', `The address leads to ${refused.kind}, where nothing is fetched.`)
  if (closed.some(({ kind }) => kind === 'this machine') && rules.ownPorts.includes(portOf(url)))
    failFetch('closed_address', 'The address leads to this service.')
  return { addresses, isClosed: closed.length > 0 }
}

function send(request: OutgoingRequest, url: URL, addresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = open({
    ...urlToHttpOptions(url),
    ...patience,
    agent: agents[url.protocol as 'http:' | 'https:'],
    method: request.method ?? 'GET',
    headers: { ...request.headers },
    lookup: answering(addresses),
    signal,
  })
  sent.on('error', reject)
  sent.on('response', resolve)
  sent.end(request.body)
  return promise
}

/** In place of the DNS, so that a name cannot lead elsewhere between the check and the connection. */
function answering(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, options, done) => {
    if (options.all === true) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
}

async function read(response: IncomingMessage, url: URL, { maxBytes, whenLonger, take }: OutgoingRequest) {
  const kept: Buffer[] = []
  const keep = take ?? ((chunk: Buffer) => kept.push(chunk))
  const certificateEndsAt = endOfCertificate(response.socket)
  let left = maxBytes
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (chunk.length > left && whenLonger === 'fail') failFetch('too_large', `The answer has more than ${maxBytes} bytes.`)
    keep(chunk.subarray(0, left))
    left -= chunk.length
    if (left < 0) break
  }
  const { statusCode: status = 0, headers } = response
  return { url: url.href, status, headers, body: Buffer.concat(kept), isWhole: left >= 0, certificateEndsAt }
}

function endOfCertificate(socket: unknown): string | null {
  return socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to).toISOString() : null
}

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined
  return URL.parse(location, from.href) ?? failFetch('broken_answer', 'It was redirected to something that is no address.')
}

/** As browsers do: only 307 and 308 send the body again. */
function redirected({ headers = {}, ...request }: OutgoingRequest, from: URL, to: URL, status: number): OutgoingRequest {
  const isElsewhere = to.origin !== from.origin
  const kept = Object.entries(headers).filter(([name]) => !isElsewhere || /^(accept|user-agent)$/i.test(name))
  const next = { ...request, url: to.href, headers: Object.fromEntries(kept) }
  if (status >= 307 || request.method === 'HEAD') return isElsewhere ? withoutBody(next) : next
  return withoutBody(next)
}

function withoutBody({ body: _, method, ...request }: OutgoingRequest): OutgoingRequest {
  return { ...request, method: method === 'HEAD' ? 'HEAD' : 'GET' }
}
