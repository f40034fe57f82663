/** What the client is told: for all calls, for a single one, for uploads and for pushes. */

import type { Hooks } from './hooks.ts'

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
  /** How long an answer may take to begin, and an upload to go on; 60 by default. */
  readonly timeoutSeconds?: number
  /** The name of your program, such as `acme-crm/2.1`: it is sent in `User-Agent`, so that the operator knows whom to ask. */
  readonly app?: string
  readonly hooks?: Hooks
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal
  /** In place of that of the client. */
  readonly timeoutSeconds?: number
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

/** For a report of which CSV is a choice of tables. */
export interface CsvReportOptions extends ReportOptions {
  readonly format: 'csv'
}

/** For a report as one document. */
export interface DocumentReportOptions extends ReportOptions {
  readonly format?: 'json' | 'xml'
}

export interface ReportStream {
  readonly etag: string | null
  readonly contentType: string | null
  /** Null if nothing has changed since the answer whose tag was sent. */
  readonly body: ReadableStream<Uint8Array> | null
}

export interface UploadProgress {
  /** Read from the file so far; less than before when a lost connection begins anew. */
  readonly bytes: number
  /** Null for a stream, whose end is not known. */
  readonly totalBytes: number | null
}

export interface UploadOptions extends WriteOptions {
  readonly onProgress?: (progress: UploadProgress) => void
  /** Compresses the file on its way. */
  readonly gzip?: boolean
  /** By default that of the `Blob`, or what the end of the file's name says. */
  readonly contentType?: string
}

export interface PushOptions extends CallOptions {
  /** The most bytes of one request; 4 MiB by default, and at most 16 MiB. */
  readonly maxBytes?: number
  /** Compresses each request. */
  readonly gzip?: boolean
  /** The keys of the requests begin with it: give your own if another process may repeat the same push. */
  readonly idempotencyKey?: string
  /** Answers as if it were done, and changes nothing. */
  readonly dryRun?: boolean
  /** Is called after each request with the sum so far. */
  readonly onProgress?: (pushed: { readonly requests: number; readonly received: number; readonly refused: number }) => void
}

/** For `request()`: what no method of the client is there for. */
export interface RequestOptions extends CallOptions {
  /** What follows the path's extension. */
  readonly query?: Readonly<Record<string, unknown>>
  /** An object is sent as JSON; text and bytes as they are, with the `content-type` that you give in `headers`. */
  readonly body?: object | string | Blob
  readonly headers?: Readonly<Record<string, string>>
  /** Random for each call by default, except for GET. */
  readonly idempotencyKey?: string
}
