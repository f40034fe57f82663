/** What an endpoint is: one row of the table in endpoints.ts. */

import type { List, Shape } from '../fields/shape.ts'
import type { RequestKind } from '../http/concurrency-limits.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Upload } from '../http/upload.ts'
import type { Node } from '../lib/body/tree.ts'
import type { Closable } from '../lib/work/concurrency.ts'
import type { KeyScope, PartnerCaller } from '../model/core/caller.ts'
import type { Observation } from '../resources/observation.ts'
import type { Format } from './format.ts'
import { dryRunFlag } from './parameters.ts'
import type { ParameterTable, QueryOf } from './query.ts'

/** One request, once the caller, the endpoint, the format and the body are known. */
export interface Call<P extends ParameterTable = ParameterTable> {
  readonly caller: PartnerCaller
  /** The ids of the path, in order. */
  readonly ids: readonly [number, ...number[]]
  readonly query: QueryOf<P>
  /** The record without its root; an empty map if there was no body. */
  readonly body: Node
  readonly format: Format
  /** Without the extension, such as `/api/users`. */
  readonly path: string
  /** The extension of the request, such as `json`; null if it had none. */
  readonly extension: string | null
  /** The `Idempotency-Key`, if there was one. */
  readonly repeatKey?: string
  /** The header `If-Match`; undefined if there was none. */
  readonly ifMatch?: string
  /** Whether nobody waits for the answer any more; long work then stops. */
  readonly hasClientGone: () => boolean
  /** For work that waits for a place only as long as the client does. */
  readonly client: Closable
  /** Whether the answer leaves out what tools and keys that only read do not need. */
  readonly isBrief: boolean
  /** What the endpoint's `receive` returned. */
  readonly upload?: Upload
}

/** The content of a body by its table; the documentation is derived from it. */
export interface Content {
  /** The XML root. In JSON it is the root key, except for `hash`, which JSON omits. */
  readonly root: string
  readonly of: Shape | List
  /** Its name in the documentation, if neither root nor item gives it. */
  readonly name?: string
}

/** What a request may send; in JSON and forms the root around the record is optional. */
export interface BodyRules extends Content {
  readonly maxBytes: number
  readonly maxElements: number
}

/** How a result is written. Pure, so that the bytes stored for a repetition are the bytes that were sent. */
export interface AnswerRule<R> {
  readonly status: 200 | 201 | 202
  /** Set if the status depends on the result; it returns one of `also`. */
  readonly statusOf?: (result: R) => number
  readonly also?: Readonly<Record<number, string>>
  readonly content: Content
  readonly write: (result: R, format: Format) => string
  readonly headers?: (result: R, call: Call) => Readonly<Record<string, string>>
  /** How it is written for tools, and for a key that only reads: without what nobody needs. */
  readonly writeBrief?: (result: R, format: Format) => string
  readonly briefContent?: Content
}

/** Measured records that an endpoint reads by itself: their kinds and media types. */
interface Taken {
  readonly mediaTypes: readonly string[]
  /** Further media types, of files that are no text. */
  readonly files?: readonly string[]
  readonly kinds: Readonly<Record<string, Observation>>
  readonly maxBytes: number
}

interface Described<P extends ParameterTable> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below `/api/` without extension, ids in braces: `users/{user_id}/abilities`. */
  readonly path: string
  /** A second address of the same endpoint, outside `/api/`. */
  readonly alias?: string
  readonly access: KeyScope
  /** A second scope that the key needs. */
  readonly alsoNeeds?: KeyScope
  /** Whether the key alone does not suffice, although it is read like a report. */
  readonly needsPassword?: true
  /** Whether the scope `read` does not open it, although it changes nothing. */
  readonly isKeptFromRead?: true
  /** Whether it is read with a token, from pages of other origins too. */
  readonly isOpenToTokens?: true
  /** The public name of the operation in OpenAPI, the client and the tools; only a breaking change changes it. */
  readonly id: string
  /** The name it had before, which the client and the tools still accept. */
  readonly was?: string
  readonly summary: string
  /** Query parameters it reads. */
  readonly query?: P
  /** One of the interface's own endpoints, which ignores unknown parameters unless they look like a typo. */
  readonly fromInterface?: true
  readonly formats?: readonly Format[]
  /** Whether it answers with JSON lines, under the name of JSON. */
  readonly areLines?: true
  /** Whether it changes state: such requests are protected against CSRF, whatever their method. */
  readonly changes?: true
  readonly body?: BodyRules
  /** Whether it accepts `dry_run`, which does the work and rolls it back. Every endpoint that writes a record does. */
  readonly takesDryRun?: boolean
  /** How many requests it counts as, if that depends on the body. */
  readonly countsAs?: (call: Call<P>) => number
  /** The kind of place it takes while it works: by default that of reports for reports, and of provisioning for others. */
  readonly work?: RequestKind
  readonly takes?: Taken
  /** Receives a large body before the work begins, in one of the places for bodies of this kind. */
  readonly receive?: (exchange: Exchange, call: Call<P>) => Promise<Upload>
  readonly receives?: 'upload' | 'file'
  /** What it may wait for before it takes a place to work. */
  readonly waiting?: Waiting<P>
}

interface Waiting<P extends ParameterTable> {
  readonly isAsked: (call: Call<P>) => boolean
  /** `renew` gives the caller as they are by then, or fails; `isOver` tells that nobody waits any more, or that the service ends. */
  readonly wait: (call: Call<P>, renew: () => Promise<PartnerCaller>, isOver: () => boolean) => Promise<void>
}

/** An endpoint whose action returns a result, which is written by its answer rule. */
export interface RecordEndpoint<R, P extends ParameterTable = ParameterTable, V = unknown> extends Described<P> {
  readonly act: (call: Call<P>) => Promise<R>
  readonly answer: AnswerRule<R>
  /** Streams all of a list as CSV, where its formats have it. */
  readonly table?: (call: Call<P>, exchange: Exchange) => Promise<void>
  /** Set if a dry run tells more than the request itself would. */
  readonly preview?: Preview<V, P>
  /** Whether answers have an `ETag`, and changes honour `If-Match`. */
  readonly isConditional?: true
}

interface Preview<V, P extends ParameterTable = ParameterTable> {
  readonly act: (call: Call<P>) => Promise<V>
  readonly answer: AnswerRule<V>
}

/** An endpoint that reads its request or writes its response itself: streamed reports, pushed data. */
export interface StreamEndpoint<P extends ParameterTable = ParameterTable> extends Described<P> {
  readonly content?: Content
  /** What it answers besides 200 and refusals, with the meaning of each. */
  readonly also?: Readonly<Record<number, string>>
  readonly stream: (call: Call<P>, exchange: Exchange) => Promise<void>
}

export type Endpoint = RecordEndpoint<unknown> | StreamEndpoint

/** Whether it is one of the interface's reports, which are streamed and have a tag. */
export function isReport({ access, ...row }: Pick<Endpoint, 'access'>): boolean {
  return access === 'report' && 'stream' in row
}

/** Ties the type of `act` to `answer`, and that of `query` to the parsed query; the table itself need not know the types. */
export function endpoint<R, P extends ParameterTable = Record<never, never>, V = unknown>(
  row: RecordEndpoint<R, P, V> | StreamEndpoint<P>,
): Endpoint {
  return (isWrite(row) ? { ...row, takesDryRun: true, query: { ...row.query, ...dryRunFlag } } : row) as unknown as Endpoint
}

/** GET requests that change state stay as old clients know them, without `dry_run`. */
function isWrite(row: Pick<Endpoint, 'method' | 'changes' | 'query'>): boolean {
  return 'act' in row && row.changes === true && row.method !== 'GET' && row.query?.['dry_run'] === undefined
}

/** Whether it answers with pages of a list, each of which leads to the next. */
export function hasPages({ query, waiting }: Endpoint): boolean {
  return query?.['after'] !== undefined && waiting === undefined
}
