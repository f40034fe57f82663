/** The errors of the client: one class for each kind of failure, with the service's code, sentences and request id. */

import type { FieldErrorCode, ProblemCode } from './types.ts'

/** One fault; `pointer` leads to the value in the body that was sent. */
export interface ErrorDetail {
  readonly code: FieldErrorCode | ProblemCode
  readonly message: string
  readonly field?: string
  readonly pointer?: string
}

interface Refusal {
  readonly status: number
  readonly code: ProblemCode | 'unreadable_answer'
  readonly message: string
  readonly requestId: string | null
  readonly details: readonly ErrorDetail[]
  readonly retryAfterSeconds: number | null
}

/** The service refused the request. Use `code`, which is stable; sentences may change. */
export class MarqueeError extends Error {
  override readonly name: string = 'MarqueeError'
  readonly status: number
  /** `unreadable_answer` if something between client and service, such as a proxy, answered. */
  readonly code: ProblemCode | 'unreadable_answer'
  /** Identifies the request in the service's log. */
  readonly requestId: string | null
  readonly details: readonly ErrorDetail[]
  readonly retryAfterSeconds: number | null

  constructor({ status, code, message, requestId, details, retryAfterSeconds }: Refusal) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** 400 and 422: what was sent cannot be read or breaks a rule. */
export class InvalidRequestError extends MarqueeError {
  override readonly name = 'InvalidRequestError'

  /** Why a field was refused; undefined if nothing is wrong with it. */
  codeOf(field: string): ErrorDetail['code'] | undefined {
    return this.details.find((detail) => detail.field === field)?.code
  }
}

/** 401: the key or its password is wrong, expired or revoked. */
export class AuthenticationError extends MarqueeError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key lacks the scope, or may not do this. */
export class PermissionError extends MarqueeError {
  override readonly name = 'PermissionError'
}

/** 404: there is no such record, or it belongs to another partner. */
export class NotFoundError extends MarqueeError {
  override readonly name = 'NotFoundError'
}

/** 409 and 412: the record is not in the state that the call expects. */
export class ConflictError extends MarqueeError {
  override readonly name = 'ConflictError'
}

/** 429, after all retries. */
export class RateLimitError extends MarqueeError {
  override readonly name = 'RateLimitError'
}

/** 500 and above, after all retries. */
export class UnavailableError extends MarqueeError {
  override readonly name = 'UnavailableError'
}

/** There was no answer after all retries: no connection, or a timeout. The reason is in `cause`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** The error for an answer that is not 2xx or 304. */
export async function errorFrom(response: Response): Promise<MarqueeError> {
  const text = await response.text().catch(() => '')
  const problem = problemIn(text) ?? xmlErrorsIn(text)
  const refusal = {
    status: response.status,
    code: problem?.code ?? 'unreadable_answer',
    message: problem?.details.map(({ message }) => message).join('; ') || `The service answered ${response.status}`,
    requestId: response.headers.get('x-request-id'),
    details: problem?.details ?? [],
    retryAfterSeconds: retryAfterSeconds(response),
  } as const
  return new (classOf(response.status))(refusal)
}

/** `Retry-After` in seconds, whether it was given as seconds or as a date. */
export function retryAfterSeconds({ headers }: Response, now = Date.now()): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

function classOf(status: number): typeof MarqueeError {
  return status >= 500 ? UnavailableError : (byStatus[status] ?? MarqueeError)
}

const byStatus: Readonly<Record<number, typeof MarqueeError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  422: InvalidRequestError,
  429: RateLimitError,
}

interface Stated {
  readonly code: ProblemCode
  readonly details: readonly ErrorDetail[]
}

function problemIn(text: string): Stated | undefined {
  try {
    const problem = JSON.parse(text) as { code?: unknown; details?: unknown } | null
    const isProblem = typeof problem?.code === 'string' && Array.isArray(problem.details)
    return isProblem ? (problem as Stated) : undefined
  } catch {
    return undefined
  }
}

/** A report requested in XML is refused in XML. */
function xmlErrorsIn(text: string): Stated | undefined {
  const details = [...text.matchAll(/<error code="(\w+)"(?: field="(\w+)")?>([^<]*)<\/error>/g)].map(([, code, field, message = '']) => ({
    code: code as ProblemCode,
    message: message.replace(/&(amp|lt|gt);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>' })[name] ?? ''),
    ...(field !== undefined && { field }),
  }))
  const [first] = details
  return first === undefined ? undefined : { code: first.field === undefined ? first.code : 'validation_failed', details }
}
