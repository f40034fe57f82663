/** Types of records that are written while they are read: every list comes in batches, so that no report is ever complete in memory. */

import type { ChunkWriter } from '../lib/streams/chunks.ts'
import type { Pause } from './code-builder.ts'
import type { Keyed, List, One, Scalar, ScalarValue, Shape } from './shape.ts'

export type Batches<T> = Iterable<readonly T[]> | AsyncIterable<readonly T[]>

/** Several items of a list (at least one) in a packed form that only their writer can read. */
export interface PackedItems {
  readonly from: number
  readonly to: number
}

/** The spans of a list that is too long for memory; `next` resolves with null after the last. */
export interface SpanPieces {
  next(): Promise<readonly PackedItems[] | null>
}

export type Spans = readonly PackedItems[] | SpanPieces

/** Writes the items of a span, each between `open` and `close`, with the separators between them. */
export type PackedWriter = (span: PackedItems, out: ChunkWriter, open: string, close: string) => void

/** The items of a list named by a value come as spans; how they are written depends on their depth. */
export interface PackedWriters {
  /** `item` is the element around each item, or null if `open` and `close` give it. */
  at(depth: number, item: string | null): PackedWriter
}

export type FlowWriter<S extends Shape> = (record: FlowOf<S>, out: ChunkWriter, pause: Pause) => Promise<void>

/** A record whose lists are streamed. */
export type FlowOf<S> = { -readonly [N in keyof S]: FlowValue<S[N]> }

type FlowValue<F> =
  F extends Scalar<infer K, infer N, infer W>
    ? ScalarValue<K, N, W>
    : F extends List<infer S>
      ? Batches<FlowItem<S>>
      : F extends One<infer S>
        ? FlowOf<S>
        : never

export type FlowItem<S> = S extends Keyed<infer F> ? { key: string | number; value: F extends List ? Spans : FlowValue<F> } : FlowOf<S>
