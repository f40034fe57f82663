/** The connection of one partner to one service: addresses, credentials, timeouts and retries. */

import { type FileSource, fileBody, jsonBody, plainBody, type SentBody } from './bodies.ts'
import { startDeadline } from './deadline.ts'
import { ConnectionError, errorFrom, type MarqueeError } from './errors.ts'
import type { AttemptedRequest, Hooks } from './hooks.ts'
import { RecordList } from './list.ts'
import type {
  CallOptions,
  CreateOptions,
  MarqueeOptions,
  ReportOptions,
  ReportStream,
  RequestOptions,
  UploadOptions,
  WriteOptions,
} from './options.ts'
import { type RetryRules, secondsBeforeRetry, wait } from './retries.ts'
import { clientVersion } from './version.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'

/** One request, without what all requests have in common. */
export interface ClientCall {
  readonly method: Method
  /** The path below `/api/`, without extension. */
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
  /** Whether the endpoint takes an `Idempotency-Key`. */
  readonly isRepeatable?: boolean
}

/** A request as it is sent, as often as needed. */
interface Outgoing {
  readonly method: Method
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: SentBody | null
}

type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

export class Connection {
  readonly #base: string
  readonly #own: Readonly<Record<string, string>>
  readonly #rules: RetryRules
  readonly #timeoutSeconds: number
  readonly #hooks: Hooks
  readonly #fetch: typeof fetch

  constructor({
    url,
    key,
    password = '',
    retries = 4,
    maxRetryDelaySeconds = 60,
    timeoutSeconds = 60,
    app,
    hooks = {},
    fetch: own,
  }: MarqueeOptions) {
    this.#base = String(url).replace(/\/+$/, '')
    const agent = `${app === undefined ? '' : `${app} `}marquee-client/${clientVersion}`
    this.#own = { authorization: `Basic ${btoa(`${key}:${password}`)}`, 'user-agent': agent }
    this.#rules = { retries, maxDelaySeconds: maxRetryDelaySeconds }
    this.#timeoutSeconds = timeoutSeconds
    this.#hooks = hooks
    this.#fetch = own ?? ((input, init) => fetch(input, init))
  }

  /** Returns the record below its root; `root` is null if there is none. */
  async record<T>(call: ClientCall, root: string | null, options: CreateOptions = {}): Promise<T> {
    return recordIn(await this.#call(call, 'json', options), root)
  }

  async nothing(call: ClientCall, options: WriteOptions = {}): Promise<void> {
    await (await this.#call(call, 'json', options)).body?.cancel()
  }

  list<T>(call: ClientCall, root: string, options: CallOptions = {}): RecordList<T> {
    return new RecordList(async (after) => {
      const query = after === null ? call.query : { ...call.query, after }
      const response = await this.#call({ ...call, query }, 'json', options)
      const answer = (await response.json()) as Record<string, readonly T[]>
      return { records: answer[root] ?? [], after: cursorIn(response.headers.get('link')) }
    })
  }

  async stream(call: ClientCall, { format = 'json', ...options }: ReportOptions = {}): Promise<ReportStream> {
    const { status, headers, body } = await this.#call(call, format, options)
    return { etag: headers.get('etag'), contentType: headers.get('content-type'), body: status === 304 ? null : body }
  }

  async upload<T>(call: ClientCall, file: FileSource, root: string, options: UploadOptions = {}): Promise<T> {
    return recordIn(await this.#call(call, 'json', options, await fileBody(file, options)), root)
  }

  /** Sends a body that is ready, such as a part of a push. */
  async send<T>(call: ClientCall, body: SentBody, root: string, options: WriteOptions): Promise<T> {
    return recordIn(await this.#call(call, 'json', options, body), root)
  }

  /** A request that is not one of the operations; refusals are thrown as for these. */
  request(method: Method, path: string, { query, body, headers, idempotencyKey, ...options }: RequestOptions = {}): Promise<Response> {
    const sent = body === undefined ? null : plainBody(body)
    const repeat = method === 'GET' ? {} : { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }
    const url = `${this.#base}${path.startsWith('/') ? '' : '/'}${path}${queryText(query)}`
    return this.#send({ method, url, headers: { ...this.#own, ...sent?.headers, ...repeat, ...headers }, body: sent }, options)
  }

  #call(call: ClientCall, format: string, options: CreateOptions & ReportOptions, given?: SentBody): Promise<Response> {
    const { method, path, isRepeatable } = call
    const query = {
      ...call.query,
      ...(options.dryRun && { dry_run: true }),
      ...(options.externalId && { external_id: options.externalId }),
    }
    const body = given ?? (call.body === undefined ? null : jsonBody(call.body))
    const headers = {
      ...this.#own,
      ...body?.headers,
      ...(isRepeatable && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
      ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
      ...(options.ifNoneMatch !== undefined && { 'if-none-match': options.ifNoneMatch }),
    }
    return this.#send({ method, url: `${this.#base}/api/${path}.${format}${queryText(query)}`, headers, body }, options)
  }

  async #send(outgoing: Outgoing, options: CallOptions): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const request = { method: outgoing.method, url: outgoing.url, headers: new Headers(outgoing.headers), attempt }
      await this.#hooks.onRequest?.(request)
      const outcome = await this.#attempt(request, outgoing.body, options)
      const answer = outcome instanceof Response ? outcome : null
      if (answer !== null) await this.#hooks.onResponse?.({ status: answer.status, headers: answer.headers }, request)
      if (answer !== null && isGood(answer)) {
        options.onHeaders?.(answer.headers)
        return answer
      }
      const delaySeconds = outgoing.body?.isReadAgain === false ? null : secondsBeforeRetry(attempt, answer, this.#rules)
      if (delaySeconds === null) throw await failureOf(outcome)
      await answer?.body?.cancel()
      this.#hooks.onRetry?.({ request, delaySeconds, status: answer?.status ?? null })
      await wait(delaySeconds, options.signal)
    }
  }

  /** Returns the answer, or the error. If the caller aborts, rejects with the caller's reason. */
  async #attempt(
    { method, url, headers }: AttemptedRequest,
    body: SentBody | null,
    { signal, timeoutSeconds }: CallOptions,
  ): Promise<Response | Error> {
    const deadline = startDeadline(timeoutSeconds ?? this.#timeoutSeconds)
    const signals = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal])
    // Half duplex: what is streamed is sent before the answer is read, and no other way is specified.
    const sent = body === null ? {} : { body: body.open(deadline.extend), duplex: 'half' as const }
    try {
      return await this.#fetch(url, { method, headers, ...sent, signal: signals, credentials: 'omit', redirect: 'manual' })
    } catch (error) {
      signal?.throwIfAborted()
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      deadline.end()
    }
  }
}

async function recordIn<T>(response: Response, root: string | null): Promise<T> {
  const answer = (await response.json()) as Record<string, unknown>
  return (root === null ? answer : answer[root]) as T
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
