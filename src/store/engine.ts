/** Everything in which the two databases differ; each engine implements it in its own file. */

import type { CreateTableBuilder, Kysely, RawBuilder, SqlBool, Transaction } from 'kysely'
import type { Draw, DrawnTokens } from '../lib/work/token-buckets.ts'
import type { Bulk } from './bulk/bulk.ts'
import type { MonthPartitions } from './month-tables.ts'
import type { Tables } from './rows/tables.ts'
import type { MonthTable } from './series.ts'
import type { ColumnKind, TableMap } from './table-map.ts'

/**
 * How long a write may take. By default it must end soon, because a client waits; a `slow` one also waits for things other than the database, and a migration
 * is `unlimited`.
 */
export type WriteTime = 'slow' | 'unlimited'

export type ManyIds = string | readonly number[]

/** Reads that all see the same snapshot of the database, and the SQL for asking for many ids at once. */
export interface Snapshots {
  snapshot<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Whether queries run on another machine, so that it pays to send them before their results are needed (prefetch). */
  readonly isRemote: boolean
  /** Many ids as a single parameter, so that the text of a statement does not depend on their number. */
  idList(ids: readonly number[]): ManyIds
  isOneOf(column: string, ids: ManyIds): RawBuilder<SqlBool>
  /** The numbers of all rows as one JSON text, `[1,2]`: many small values cost more than one large one. */
  jsonArray(numbers: RawBuilder<number>): RawBuilder<string>
  /** The bytes of all rows concatenated, in the same order as `jsonArray`. */
  concatBytes(column: string): RawBuilder<Uint8Array | null>
  close(): Promise<void>
}

export interface Engine extends Snapshots {
  readonly name: 'sqlite' | 'postgres'
  /** Where the database is, without any secret. */
  readonly place: string
  readonly db: Kysely<Tables>
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>, time?: WriteTime): Promise<T>
  /** Returns a function that runs one prepared statement repeatedly. */
  prepared(sql: string): (values: readonly unknown[]) => Promise<readonly unknown[]>
  /** A number that changes with every commit; null where this can only be found out by a query. */
  readonly dataVersion: (() => number) | null
  /** How many rows one statement may delete where the database answers within the call, so that a longer one holds up the process; null where it does not. */
  readonly rowsPerDelete: number | null
  /** Locks one row until the transaction ends; the column is `id` unless named. */
  lockRow(tx: Kysely<Tables>, table: keyof Tables, id: number | string, column?: string): Promise<void>
  lockRows(tx: Kysely<Tables>, table: keyof Tables, ids: readonly number[]): Promise<void>
  /** The last id that the table gave out, whatever became of its row. */
  lastId(db: Kysely<Tables>, table: keyof Tables): Promise<number>
  /** Nobody else draws an id of these tables before the transaction ends. */
  holdIds(tx: Kysely<Tables>, tables: readonly (keyof Tables)[]): Promise<void>
  /** From now on the table gives out ids above this one. */
  raiseLastId(tx: Kysely<Tables>, table: keyof Tables, id: number): Promise<void>
  /** Keeps other processes from changing the schema until the transaction ends. */
  lockSchema(tx: Kysely<Tables>): Promise<void>
  tableNames(db: Kysely<Tables>): Promise<readonly string[]>
  /** The columns and keys of the named tables, of those that are there; perhaps of others too. */
  tablesFound(db: Kysely<Tables>, names: readonly string[]): Promise<TableMap>
  readonly columns: ColumnTypes
  /** Gives tables other keys and keeps their rows; those to which others refer come first. */
  rekey(tx: Kysely<Tables>, changes: readonly Rekeyed[]): Promise<void>
  uniqueViolation(error: unknown): UniqueViolation | undefined
  /** Resolves once the disk has failed in such a way that no write may be acknowledged any more; until then it is pending. */
  readonly diskFailed: Promise<void>
  /** Fails the disk for this engine too: another thread of the process has met it. */
  failDisk(): void
  /** Metrics of the engine, by name. */
  gauges(): Readonly<Record<string, number>>
  /** Free bytes on the disk of the database; undefined for a remote server. */
  freeBytes(): Promise<number | undefined>
  /** Writes a complete and checked copy of everything committed so far, while others continue to write; null where the server has tools of its own. */
  readonly backUp: ((file: string) => Promise<void>) | null
  /** Reads and writes whole tables, on connections of its own. */
  bulk(): Bulk
  /** Once the transaction commits, writes of all processes are refused, except to the state of the move. May be repeated. */
  refuseWrites(tx: Kysely<Tables>): Promise<void>
  acceptWrites(tx: Kysely<Tables>): Promise<void>
  /** Spreads the measured tables over the machines of a cluster (see placement.ts); null where there cannot be one. May be repeated. */
  readonly distribute: ((tx: Kysely<Tables>) => Promise<Distribution>) | null
  /** Whether the measured tables are spread over a cluster. */
  isDistributed(tx: Kysely<Tables>): Promise<boolean>
  /** Packed months as partitions, which can be closed and removed whole; null where a table is one piece. */
  readonly months: MonthPartitions | null
  /** Takes tokens from a bucket that all processes on this database share; null where all of them run on one host, whose primary holds the buckets. */
  readonly drawTokens: ((draw: Draw) => Promise<DrawnTokens>) | null
  /** Takes this many connections at once, for at most that long, and gives them back; null where no server is asked. */
  readonly tryConnections: ((wanted: number, patienceMilliseconds: number) => Promise<ConnectionsHad>) | null
  /** Our tables in another schema than the one in which they are looked for; null if there are none. */
  otherSchema(): Promise<OtherSchema | null>
  /** Removes deleted data from the write-ahead log too, as far as no reader still needs it. */
  truncateLog(): Promise<void>
  /** The encoding of the texts where it is not UTF-8; null where every text can be held. */
  otherEncoding(): Promise<OtherEncoding | null>
  /** Those characters that the database cannot hold: of this text, which is made only where there may be some, and of those before it. */
  unheldIn(text: () => string): Promise<ReadonlySet<string>>
  /** What an operator should know about the durability of the running database. */
  inspect(): Promise<readonly Finding[]>
}

export interface OtherEncoding {
  readonly name: string
  /** The command that makes a database in UTF-8 beside this one. */
  readonly createOther: string
}

export interface ConnectionsHad {
  readonly had: number
  /** Until the last of them was had. */
  readonly milliseconds: number
}

export interface OtherSchema {
  readonly name: string
  /** The one that the connection leads to; null where none of those named exists. */
  readonly searched: string | null
}

/** How this database spells the column words of migrations. */
export interface ColumnTypes {
  readonly id: string
  /** The type of an id in a table whose key `accountKey` declares. */
  readonly accountId: string
  /** Allows other tables to refer to rows of this one by account_id and id together. */
  accountKey(table: CreateTableBuilder<string, string>, name: string): CreateTableBuilder<string, string>
  readonly kinds: Readonly<Record<ColumnKind, string>>
  readonly tableEnd: string
  /** Statements for a table whose rows are rewritten as they grow, with packed bytes in the given column. */
  packed(table: string, column: string): readonly string[]
  /** Turns a table of packed months into one with a partition for each month, where that pays. */
  partitionByMonth(tx: Kysely<Tables>, table: MonthTable, isSpread: boolean): Promise<void>
  dropForeignKey(tx: Kysely<Tables>, table: string, key: string): Promise<void>
  allowNull(tx: Kysely<Tables>, table: string, column: string): Promise<void>
  /** Statements for a table whose rows need not survive a crash. */
  fleeting(table: string): readonly string[]
  /** Statements that spread a measured table which was just made, in a database whose tables are spread. */
  spread(table: string): readonly string[]
}

/** A table and the names of what goes, with what comes in its place as text that both databases read. */
export interface Rekeyed {
  readonly table: keyof Tables
  readonly references: readonly string[]
  readonly keys: readonly string[]
  readonly indexes: readonly string[]
  /** Whether its ids are known together with their account from now on. */
  readonly isOfAccount: boolean
  readonly adds: readonly (readonly [name: string, rule: string])[]
}

export interface Distribution {
  /** Of the software of the cluster. */
  readonly version: string
  /** Machines that take data. */
  readonly workers: number
  readonly tables: readonly { readonly table: string; readonly was: 'spread now' | 'spread before' }[]
  /** Foreign keys to the directory, which cannot reach over machines. */
  readonly dropped: readonly string[]
}

export interface UniqueViolation {
  readonly table: string
  readonly columns: readonly string[]
}

/** A finding of the doctor; a complaint has its cause and its cure, each as a sentence. */
export type Finding = { readonly name: string; readonly value: string } & (
  | { readonly complaint: string; readonly cause: string; readonly cure: string }
  | { readonly complaint?: never; readonly cause?: never; readonly cure?: never }
)
