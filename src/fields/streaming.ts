/** Records that are read while they are written: every list comes in batches, so that no report need be held whole. */

import type { ChunkWriter } from '../lib/streams/chunks.ts'
import type { Pause } from './code-builder.ts'
import type { Keyed, List, One, Scalar, ScalarValue, Shape } from './shape.ts'

export type Batches<T> = Iterable<readonly T[]> | AsyncIterable<readonly T[]>

/** Many items of a list in a form of their own, never none, which only their span writer can read. */
export interface PackedItems {
  readonly from: number
  readonly to: number
}

/** The spans of a list that is too long to be held at once: the next of them, and null behind the last. */
export interface SpanPieces {
  next(): Promise<readonly PackedItems[] | null>
}

export type Spans = readonly PackedItems[] | SpanPieces

/** Adds a span's items, each between `open` and `close`; what separates two of them it knows itself. */
export type PackedWriter = (span: PackedItems, out: ChunkWriter, open: string, close: string) => void

/** The items of a list that is named by a value come as spans; how they are written depends on how deep they stand. */
export interface PackedWriters {
  /** `item` is the element around each item, or null where `open` and `close` will say. */
  at(depth: number, item: string | null): PackedWriter
}

export type FlowWriter<S extends Shape> = (record: FlowOf<S>, out: ChunkWriter, pause: Pause) => Promise<void>

/** A record of which the lists flow. */
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
