/** A request to an address that a stranger has given, its answer, and why there is none. */

import type { IncomingHttpHeaders } from 'node:http'

/** What the installation says of all such requests. */
export interface OutgoingRules {
  readonly dnsServers: readonly string[] | undefined
  /** Networks that the operator has opened though they are not public. */
  readonly allowedNetworks: readonly string[]
  /** Where this service listens, which nobody may reach through it, also where its address is allowed. */
  readonly ownPorts: readonly number[]
  isOwnHost(host: string): boolean | Promise<boolean>
}

export interface OutgoingRequest {
  readonly url: string
  readonly schemes: readonly ('https:' | 'http:')[]
  readonly method?: 'GET' | 'HEAD' | 'POST'
  /** They go to the origin that was asked first; after a redirect elsewhere only `accept` and `user-agent` are sent. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** How many are followed; with 0, an answer that redirects is an answer like any other. */
  readonly redirects: number
  mayFollow?(to: URL): boolean
  /** For everything together: the DNS, all redirects and the whole answer. */
  readonly milliseconds: number
  readonly maxBytes: number
  /** Whether only the first `maxBytes` of a longer answer are read, or it fails. */
  readonly whenLonger: 'cut' | 'fail'
  /** Takes the bytes of the answer as they come; they are then not kept. */
  take?(chunk: Buffer): void
  readonly signal?: AbortSignal
}

export interface OutgoingAnswer {
  readonly url: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As sent: not decompressed. */
  readonly body: Buffer
  readonly isWhole: boolean
  /** Of the last exchange, from connecting to the last byte. */
  readonly milliseconds: number
  /** When the certificate of the server ends; null without TLS. */
  readonly certificateEndsAt: string | null
  /** Whether it came from a network that only the operator has opened: figures may be made of it, but none of its bytes may be kept or shown. */
  readonly isFromClosedNetwork: boolean
}

export type FetchFailureCode =
  | 'bad_address'
  | 'closed_address'
  | 'no_such_host'
  | 'dns_silent'
  | 'unreachable'
  | 'bad_certificate'
  | 'broken_answer'
  | 'too_slow'
  | 'too_large'
  | 'too_many_redirects'
  | 'redirected_away'

/** Why there is no answer; the message is a sentence that repeats nothing of what a server sent. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly code: FetchFailureCode

  constructor(code: FetchFailureCode, sentence: string) {
    super(sentence)
    this.code = code
  }
}

const wellKnownPorts = [80, 443]
const firstFreePort = 1_024

/** The address if it may be asked at all, before any name is resolved. */
export function readOutgoing(given: string, schemes: OutgoingRequest['schemes']): URL {
  const url = URL.parse(given) ?? failFetch('bad_address', 'This is no address of the web.')
  if (!(schemes as readonly string[]).includes(url.protocol))
    failFetch('bad_address', `The address must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`)
  if (url.username !== '' || url.password !== '') failFetch('bad_address', 'The address must not hold a name or password.')
  const port = portOf(url)
  if (!wellKnownPorts.includes(port) && port < firstFreePort) failFetch('bad_address', 'The port must be 80, 443 or at least 1024.')
  return url
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

// biome-ignore format: a table reads by its columns
const networkFaults: readonly (readonly [code: RegExp, means: FetchFailureCode, sentence: string])[] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL|EACCES)$/, 'unreachable',     'Nothing answers there.'],
  [/^CERT_HAS_EXPIRED$/,                                                       'bad_certificate', 'The certificate of the server has ended.'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/,                                           'bad_certificate', 'The certificate of the server is for other hosts.'],
  [/CERT|^ERR_(TLS|SSL)|UNABLE_TO|^EPROTO/,                                    'bad_certificate', 'The certificate of the server is not trusted, or it speaks no TLS of today.'],
  [/^(ECONNRESET|EPIPE|HPE_|ERR_STREAM|ERR_HTTP)/,                             'broken_answer',   'The answer ended early, or was none of the web.'],
]

/** What went wrong in the network, in words that repeat nothing of what the server sent; everything else is passed on. */
export function asFetchFailure(error: unknown): unknown {
  if (error instanceof FetchFailure) return error
  const { code = '' } = error as NodeJS.ErrnoException
  const [, means, sentence] = networkFaults.find(([pattern]) => pattern.test(code)) ?? []
  return means === undefined || sentence === undefined ? error : new FetchFailure(means, sentence)
}

export function failFetch(code: FetchFailureCode, sentence: string): never {
  throw new FetchFailure(code, sentence)
}
