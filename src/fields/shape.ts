/** The language of the field tables: a scalar, a list, a nested record, and an element named by a value. */

import type { FieldErrorCode } from '../lib/failures.ts'
import type { KindName, ValueOf } from './kinds.ts'

/** Rules for a field that a request may set, checked in this order; the first broken one is reported. */
export interface Rules {
  readonly required?: true
  /** What a blank value means: `refused`, or `kept` as the empty text. By default it counts as not given. */
  readonly blank?: 'refused' | 'kept'
  /** The least and the greatest integer. */
  readonly range?: readonly [number, number]
  /** Lengths in code points after trimming. */
  readonly min?: number
  readonly max?: number
  readonly maxBytes?: number
  readonly trim?: true
  /** A name is one line: what does not belong into one becomes a blank, as the interface's own calls do it, or is refused. */
  readonly line?: 'made' | 'asked'
  readonly test?: (value: string) => boolean
  /** The error code when `test` fails; `invalid` by default. */
  readonly fault?: FieldErrorCode
}

export interface ScalarOptions<W extends string = string> extends Rules {
  readonly nullable?: true
  readonly oneOf?: readonly W[]
  readonly initial?: string | number
  /** Whether an answer may leave the field out; its note says when. */
  readonly sometimes?: true
  /** Marks a personal value. This text replaces it once the person is erased; `{id}` in it is the id of the record. */
  readonly personal?: string | null
}

export interface Scalar<K extends KindName = KindName, N extends boolean = boolean, W extends string = string, R extends boolean = boolean>
  extends ScalarOptions<W> {
  readonly is: 'scalar'
  readonly kind: K
  readonly note: string
  /** Only for the types: whether null is allowed. */
  readonly orNull?: N
  /** Only for the types: whether a request must give it. */
  readonly isRequired?: R
}

export interface List<S extends Shape | Keyed = Shape | Keyed> {
  readonly is: 'list'
  readonly item: string
  readonly of: S
}

export interface One<S extends Shape = Shape> {
  readonly is: 'one'
  readonly of: S
}

/** A wrapper whose single child element is named by a value; in the code it is `{ key, value }`. */
export interface Keyed<F extends One | List<Shape> = One | List<Shape>> {
  readonly is: 'keyed'
  /** What the name stands for, e.g. `phrase`; for the documentation. */
  readonly by: string
  readonly of: F
}

export type Field = Scalar | List | One
export type Shape = { readonly [name: string]: Field }

type OrNull<O> = O extends { nullable: true } ? true : false
type MustBeGiven<O> = O extends { required: true } ? true : false
type Words<O> = O extends { oneOf: readonly (infer W extends string)[] } ? W : string
type ScalarMaker<K extends KindName> = <const O extends ScalarOptions = Record<never, never>>(
  note?: string,
  options?: O,
) => Scalar<K, OrNull<O>, Words<O>, MustBeGiven<O>>

function scalar<K extends KindName>(kind: K): ScalarMaker<K> {
  return (note = '', options) => ({ is: 'scalar', kind, note, ...options }) as never
}

export const integer = scalar('integer')
export const float = scalar('float')
export const boolean = scalar('boolean')
export const string = scalar('string')
export const date = scalar('date')
export const datetime = scalar('datetime')
export const timestamp = scalar('timestamp')
export const moment = scalar('moment')

export function list<S extends Shape | Keyed>(item: string, of: S): List<S> {
  return { is: 'list', item, of }
}

export function one<S extends Shape>(of: S): One<S> {
  return { is: 'one', of }
}

export function keyed<F extends One | List<Shape>>(by: string, of: F): Keyed<F> {
  return { is: 'keyed', by, of }
}

export type ScalarValue<K extends KindName, N extends boolean, W extends string> =
  | (K extends 'string' ? W : ValueOf[K])
  | (N extends true ? null : never)

export type FieldValue<F> =
  F extends Scalar<infer K, infer N, infer W>
    ? ScalarValue<K, N, W>
    : F extends List<infer S>
      ? Iterable<ItemOf<S>>
      : F extends One<infer S>
        ? RecordOf<S>
        : never

export type ItemOf<S> = S extends Keyed<infer F> ? { key: string | number; value: FieldValue<F> } : RecordOf<S>

/** The type of a record in the code, derived from its table of fields. */
export type RecordOf<S> = { -readonly [N in keyof S]: FieldValue<S[N]> }

/** The type of a record as a client sends it: optional fields may be absent. */
export type RequestOf<S> = { -readonly [N in RequiredNames<S>]: FieldValue<S[N]> } & {
  -readonly [N in Exclude<keyof S, RequiredNames<S>>]?: FieldValue<S[N]>
}

type RequiredNames<S> = { [N in keyof S]: S[N] extends { is: 'scalar'; isRequired?: true } ? N : never }[keyof S]

/** `account_id` is `account-id` in XML; nothing else changes. */
export function xmlFieldName(name: string): string {
  return name.replaceAll('_', '-')
}

export function isKeyed(of: Shape | Keyed): of is Keyed {
  return of.is === 'keyed'
}

export function isList(of: Shape | List): of is List {
  return of.is === 'list'
}
