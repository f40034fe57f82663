/** The few questions on which the two databases differ; each answers them in its own file. */

import type { CreateTableBuilder, Kysely, RawBuilder, SqlBool, Transaction } from 'kysely'
import type { Draw, DrawnTokens } from '../lib/work/token-buckets.ts'
import type { Tables } from './rows/tables.ts'

export type ColumnKind = 'integer' | 'text' | 'bytes' | 'real'

/** A write for which somebody waits must end soon. One that is `slow` also waits for other things than the database, and a migration may take as long as it takes. */
export type WriteTime = 'slow' | 'unlimited'

export type ManyIds = string | readonly number[]

/** Reads that all see one moment, and a way to ask for many ids at once. */
export interface Snapshots {
  snapshot<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Whether an answer is on its way while other work is done: then it pays to ask before it is needed. */
  readonly isRemote: boolean
  /** Many ids as the one value in which they travel, so that a statement stays the same however many they are. */
  idList(ids: readonly number[]): ManyIds
  isOneOf(column: string, ids: ManyIds): RawBuilder<SqlBool>
  /** The numbers of all rows as one text, `[1,2]`: many small values cost more than a large one. */
  jsonArray(numbers: RawBuilder<number>): RawBuilder<string>
  /** The bytes of all rows one behind the other, in the order of `listed`. */
  concatBytes(column: string): RawBuilder<Uint8Array | null>
  close(): Promise<void>
}

export interface Engine extends Snapshots {
  readonly name: 'sqlite' | 'postgres'
  /** Where the data lies, without any secret. */
  readonly place: string
  readonly db: Kysely<Tables>
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>, time?: WriteTime): Promise<T>
  /** Runs one statement again and again, parsed by the database once. */
  prepared(sql: string): (values: readonly unknown[]) => Promise<unknown[]>
  /** A number that stays the same as long as nobody has committed anything; null where only asking again can tell. */
  readonly dataVersion: (() => number) | null
  /** Holds one row until the transaction ends; the column is `id` unless named. */
  lockRow(tx: Kysely<Tables>, table: keyof Tables, id: number | string, column?: string): Promise<void>
  /** Keeps other processes from changing the schema until the transaction ends. */
  lockSchema(tx: Kysely<Tables>): Promise<void>
  tableNames(db: Kysely<Tables>): Promise<readonly string[]>
  readonly columns: ColumnTypes
  uniqueViolation(error: unknown): UniqueViolation | undefined
  /** Resolves once the disk has failed in a way after which nothing more may be acknowledged; until then it is open. */
  readonly diskFailed: Promise<void>
  /** Figures of how it is doing, by name. */
  gauges(): Readonly<Record<string, number>>
  /** Bytes left where the data lies; undefined where that is somebody else's disk. */
  freeBytes(): Promise<number | undefined>
  /** A copy of everything committed so far, whole and checked, while others go on writing; null where the server has tools of its own. */
  readonly backUp: ((file: string) => Promise<void>) | null
  /** Draws from a bucket of tokens that all processes on this database share; null where all of them are on one host, whose primary has the buckets. */
  readonly drawTokens: ((draw: Draw) => Promise<DrawnTokens>) | null
  /** Takes what was deleted out of side files too, as far as nobody is reading there. */
  truncateLog(): Promise<void>
  /** What an operator should know about how the data is kept, as found in the running database. */
  inspect(): Promise<readonly Finding[]>
}

/** How the schema language of migrations is written in this database. */
export interface ColumnTypes {
  readonly id: string
  /** The type of an id whose key `accountKey` declares. */
  readonly accountId: string
  /** Lets other tables refer to rows of this one by account_id and id together. */
  accountKey(table: CreateTableBuilder<string, string>, name: string): CreateTableBuilder<string, string>
  readonly kinds: Readonly<Record<ColumnKind, string>>
  readonly tableEnd: string
  /** Statements for a table whose rows are rewritten as they grow and hold packed bytes in the given column. */
  packed(table: string, column: string): readonly string[]
  /** Statements for a table whose rows need not survive a crash. */
  fleeting(table: string): readonly string[]
}

export interface UniqueViolation {
  readonly table: string
  readonly columns: readonly string[]
}

export interface Finding {
  readonly name: string
  readonly value: string
  /** What is wrong, as a sentence; absent when all is well. */
  readonly complaint?: string
  readonly cause?: string
  readonly cure?: string
}
