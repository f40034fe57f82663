/** The connection of one partner to one service: addresses, credentials, timeouts and retries. */

import { ConnectionError, errorFrom, type MarqueeError } from './errors.ts'
import { RecordList } from './list.ts'
import { type RetryRules, secondsBeforeRetry, wait } from './retries.ts'

export interface MarqueeOptions {
  /** The address of the service, such as `https://marquee.example`; a path in it is kept. */
  readonly url: string | URL
  readonly key: string
  /** Not needed for reports. */
  readonly password?: string
  /** How often a request is retried after a temporary failure; 4 by default. */
  readonly retries?: number
  /** The longest `Retry-After` that is waited for, in seconds; 60 by default. */
  readonly maxRetryDelaySeconds?: number
  /** The limit for the first byte of each answer; 60 by default. */
  readonly timeoutSeconds?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal
  /** Is called with the headers of a good answer, such as the `ETag` that a later `ifMatch` takes. */
  readonly onHeaders?: (headers: Headers) => void
}

export interface WriteOptions extends CallOptions {
  /** Random for each call by default. Give your own if another process may repeat the call. */
  readonly idempotencyKey?: string
  /** The `ETag` of the state on which the change is based. */
  readonly ifMatch?: string
  /** Answers as if it were done, and changes nothing. */
  readonly dryRun?: boolean
}

export interface CreateOptions extends WriteOptions {
  /** Your own id for the new record. */
  readonly externalId?: string
}

export interface ReportOptions extends CallOptions {
  readonly format?: 'json' | 'xml' | 'csv'
  /** The `etag` of an earlier answer: `body` is null if nothing has changed since. */
  readonly ifNoneMatch?: string
}

export interface ReportStream {
  readonly etag: string | null
  readonly contentType: string | null
  /** Null if nothing has changed since the answer whose tag was sent. */
  readonly body: ReadableStream<Uint8Array> | null
}

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

/** One request, without what all requests have in common. */
export interface ClientCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
  /** The path below `/api/`, without extension. */
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
  /** Whether the endpoint takes an `Idempotency-Key`. */
  readonly isRepeatable?: boolean
}

export class Connection {
  readonly #base: string
  readonly #authorization: string
  readonly #rules: RetryRules
  readonly #timeoutSeconds: number
  readonly #fetch: typeof fetch

  constructor({ url, key, password = '', retries = 4, maxRetryDelaySeconds = 60, timeoutSeconds = 60, fetch: own }: MarqueeOptions) {
    this.#base = String(url).replace(/\/+$/, '')
    this.#authorization = `Basic ${btoa(`${key}:${password}`)}`
    this.#rules = { retries, maxDelaySeconds: maxRetryDelaySeconds }
    this.#timeoutSeconds = timeoutSeconds
    this.#fetch = own ?? ((input, init) => fetch(input, init))
  }

  /** Returns the record below its root; `root` is null if there is none. */
  async record<T>(call: ClientCall, root: string | null, options: CreateOptions = {}): Promise<T> {
    const answer = (await (await this.#send(call, 'json', options)).json()) as Record<string, unknown>
    return (root === null ? answer : answer[root]) as T
  }

  async nothing(call: ClientCall, options: WriteOptions = {}): Promise<void> {
    await (await this.#send(call, 'json', options)).body?.cancel()
  }

  list<T>(call: ClientCall, root: string, options: CallOptions = {}): RecordList<T> {
    return new RecordList(async (after) => {
      const query = after === null ? call.query : { ...call.query, after }
      const response = await this.#send({ ...call, query }, 'json', options)
      const answer = (await response.json()) as Record<string, readonly T[]>
      return { records: answer[root] ?? [], after: cursorIn(response.headers.get('link')) }
    })
  }

  async stream(call: ClientCall, { format = 'json', ...options }: ReportOptions = {}): Promise<ReportStream> {
    const { status, headers, body } = await this.#send(call, format, options)
    return { etag: headers.get('etag'), contentType: headers.get('content-type'), body: status === 304 ? null : body }
  }

  async #send(call: ClientCall, format: string, options: CreateOptions & ReportOptions): Promise<Response> {
    const query = {
      ...call.query,
      ...(options.dryRun && { dry_run: true }),
      ...(options.externalId && { external_id: options.externalId }),
    }
    const address = `${this.#base}/api/${call.path}.${format}${queryText(query)}`
    const request = { method: call.method, headers: this.#headersOf(call, options), ...bodyOf(call) }
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(address, request, options.signal)
      if (outcome instanceof Response && isGood(outcome)) {
        options.onHeaders?.(outcome.headers)
        return outcome
      }
      const delay = secondsBeforeRetry(attempt, outcome instanceof Response ? outcome : null, this.#rules)
      if (delay === null) throw await failureOf(outcome)
      if (outcome instanceof Response) await outcome.body?.cancel()
      await wait(delay, options.signal)
    }
  }

  /** Returns the answer, or the error. If the caller aborts, rejects with the caller's reason. */
  async #attempt(address: string, request: RequestInit, signal: AbortSignal | undefined): Promise<Response | Error> {
    const deadline = new AbortController()
    const timer = setTimeout(
      () => deadline.abort(new Error(`No answer within ${this.#timeoutSeconds} seconds`)),
      this.#timeoutSeconds * 1000,
    )
    const signals = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal])
    try {
      return await this.#fetch(address, { ...request, signal: signals, credentials: 'omit', redirect: 'manual' })
    } catch (error) {
      signal?.throwIfAborted()
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      clearTimeout(timer)
    }
  }

  #headersOf({ body, isRepeatable }: ClientCall, options: WriteOptions & ReportOptions): Record<string, string> {
    return {
      authorization: this.#authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(isRepeatable && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
      ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
      ...(options.ifNoneMatch !== undefined && { 'if-none-match': options.ifNoneMatch }),
    }
  }
}

function bodyOf({ body }: ClientCall): { body?: string } {
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

/** A push of which nothing was stored is answered with 422 and its result, which is not a problem document. */
function isGood({ status, ok, headers }: Response): boolean {
  return ok || status === 304 || (status === 422 && /^application\/json\b/.test(headers.get('content-type') ?? ''))
}

async function failureOf(outcome: Response | Error): Promise<MarqueeError | ConnectionError> {
  return outcome instanceof Response ? errorFrom(outcome) : new ConnectionError(outcome.message, { cause: outcome })
}

/** Joins lists of ids by commas, and leaves out flags that are off. */
function queryText(query: object = {}): string {
  const given = Object.entries(query as Record<string, QueryValue>).filter(([, value]) => value !== undefined && value !== false)
  const pairs = given.map(([name, value]): [string, string] => [name, value === true ? '1' : String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Takes only the cursor from the link, because the service may have another address than the one we use. */
function cursorIn(link: string | null): string | null {
  const next = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return next === undefined ? null : new URLSearchParams(next.split('?')[1]).get('after')
}
