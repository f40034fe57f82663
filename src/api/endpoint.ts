/** What an endpoint is: one row of the table in endpoints.ts. */

import type { List, Shape } from '../fields/shape.ts'
import type { RequestKind } from '../http/concurrency-limits.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Upload } from '../http/upload.ts'
import type { Node } from '../lib/body/tree.ts'
import type { KeyScope, PartnerCaller } from '../model/core/caller.ts'
import type { Observation } from '../resources/observation.ts'
import type { Format } from './format.ts'
import { dryRunFlag } from './parameters.ts'
import type { ParameterTable, QueryOf } from './query.ts'

/** One request, once it is known who asks, for what, in which format, and with what body. */
export interface Call<P extends ParameterTable = ParameterTable> {
  readonly caller: PartnerCaller
  /** The ids of the path, in order. */
  readonly ids: readonly [number, ...number[]]
  readonly query: QueryOf<P>
  /** The record sent, without its root; an empty map when there was no body. */
  readonly body: Node
  readonly format: Format
  /** `/api/users`, without the extension. */
  readonly path: string
  /** As the request had it, `json`; null when it had none. */
  readonly extension: string | null
  /** The `Idempotency-Key`, where one came. */
  readonly repeatKey?: string
  /** `If-Match` as it came; undefined when it did not. */
  readonly ifMatch?: string
  /** What the endpoint has received, where it receives. */
  readonly upload?: Upload
}

/** What a body holds, in its table's words; documentation is derived from it. */
export interface Content {
  /** The XML root. In JSON it is the root key, but for `hash`, which vanishes there. */
  readonly root: string
  readonly of: Shape | List
  /** What the documentation calls it, where neither root nor item says it. */
  readonly name?: string
}

/** What a request may send: the root may wrap the record in JSON and forms, but need not. */
export interface BodyRules extends Content {
  readonly maxBytes: number
  readonly maxElements: number
}

/** How a result is written. Pure, so that the bytes kept for a repeat are the bytes that were sent. */
export interface AnswerRule<R> {
  readonly status: 200 | 201 | 202
  /** Where the result decides: one of `also`. */
  readonly statusOf?: (result: R) => number
  readonly also?: Readonly<Record<number, string>>
  readonly content: Content
  readonly write: (result: R, format: Format) => string
  readonly headers?: (result: R, call: Call) => Readonly<Record<string, string>>
}

/** Measured records that an endpoint reads by itself: of these kinds, in these media types. */
interface Taken {
  readonly mediaTypes: readonly string[]
  readonly kinds: Readonly<Record<string, Observation>>
  readonly maxBytes: number
}

interface Described<P extends ParameterTable> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/`, without extension, ids in braces: `users/{user_id}/abilities`. */
  readonly path: string
  /** A second address of the same endpoint, outside `/api/`. */
  readonly alias?: string
  readonly access: KeyScope
  readonly summary: string
  /** Query parameters it reads. */
  readonly query?: P
  /** One of the interface's own addresses: a parameter it does not know is ignored there, unless it looks like a slip. */
  readonly fromInterface?: true
  readonly formats?: readonly Format[]
  /** Whether it changes state: such requests are fenced off from browsers of other sites, whatever their method. */
  readonly changes?: true
  readonly body?: BodyRules
  /** Whether it can be asked with `dry_run`: the work is done and rolled back. So it is with every record that is written. */
  readonly takesDryRun?: boolean
  /** As how many requests it counts, where that depends on what was sent. */
  readonly countsAs?: (call: Call<P>) => number
  /** Which places it takes while it works; those of reports for reports, else those of provisioning. */
  readonly work?: RequestKind
  readonly takes?: Taken
  /** Takes in a large body before the work begins, in one of the places for bodies of this kind. */
  readonly receive?: (exchange: Exchange, call: Call<P>) => Promise<Upload>
  readonly receives?: 'upload' | 'file'
}

/** An endpoint that acts and whose result is written as its answer says. */
export interface RecordEndpoint<R, P extends ParameterTable = ParameterTable, V = unknown> extends Described<P> {
  readonly act: (call: Call<P>) => Promise<R>
  readonly answer: AnswerRule<R>
  /** Where a dry run tells more than the request itself would. */
  readonly preview?: Preview<V, P>
  /** Whether answers carry an `ETag`, and a change honours `If-Match`. */
  readonly isConditional?: true
}

interface Preview<V, P extends ParameterTable = ParameterTable> {
  readonly act: (call: Call<P>) => Promise<V>
  readonly answer: AnswerRule<V>
}

/** An endpoint that reads its request or writes its reply by itself: reports that stream, data that is pushed. */
export interface StreamEndpoint<P extends ParameterTable = ParameterTable> extends Described<P> {
  readonly content?: Content
  /** What it answers beside 200 and refusals, with the meaning of each. */
  readonly also?: Readonly<Record<number, string>>
  readonly stream: (call: Call<P>, exchange: Exchange) => Promise<void>
}

export type Endpoint = RecordEndpoint<unknown> | StreamEndpoint

/** Ties the result of `act` to what `answer` writes, and `query` to what is read of it; the table itself need not know the types. */
export function endpoint<R, P extends ParameterTable = Record<never, never>, V = unknown>(
  row: RecordEndpoint<R, P, V> | StreamEndpoint<P>,
): Endpoint {
  return (isWrite(row) ? { ...row, takesDryRun: true, query: { ...row.query, ...dryRunFlag } } : row) as unknown as Endpoint
}

/** GET that acts is left as old clients know it. */
function isWrite(row: Pick<Endpoint, 'method' | 'changes' | 'query'>): boolean {
  return 'act' in row && row.changes === true && row.method !== 'GET' && row.query?.['dry_run'] === undefined
}
