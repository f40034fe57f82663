/** What a program may do with each request and answer: trace it, count it, or give it further headers. */

export interface AttemptedRequest {
  readonly method: string
  readonly url: string
  /** May be changed before the request is sent. */
  readonly headers: Headers
  /** 0 for the first attempt. */
  readonly attempt: number
}

export interface ComingRetry {
  readonly request: AttemptedRequest
  readonly delaySeconds: number
  /** Null if there was no answer. */
  readonly status: number | null
}

export interface Hooks {
  /** Is called before each attempt. What it throws ends the call. */
  readonly onRequest?: (request: AttemptedRequest) => void | Promise<void>
  /** Is called with each answer, before its body is read and also when it is retried. */
  readonly onResponse?: (answer: { readonly status: number; readonly headers: Headers }, request: AttemptedRequest) => void | Promise<void>
  readonly onRetry?: (retry: ComingRetry) => void
}
