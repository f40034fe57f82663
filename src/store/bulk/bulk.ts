/** Reads and writes whole tables for a move to another database: rows in the order of their keys, in batches of bounded size. */

import { type Placement, placement } from '../placement.ts'
import type { Tables } from '../rows/tables.ts'
import type { ColumnKind } from '../table-map.ts'

export interface BulkTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[]
  /** The columns that identify a row; rows are read in this order. */
  readonly key: readonly string[]
}

/** The key of a row. */
export type BulkKey = readonly (string | number)[]

export interface Bulk {
  /** The tables to move, each after the tables it refers to. */
  tables(): Promise<readonly BulkTable[]>
  /** Reads the tuples after a key, or all; everything read until `endMoment` comes from one snapshot. */
  read(table: BulkTable, after?: BulkKey): AsyncIterable<readonly Buffer[]>
  endMoment(): Promise<void>
  lastKey(table: BulkTable): Promise<BulkKey | undefined>
  /** Writes in one durable transaction. With `replace`, existing rows are deleted first. */
  write(table: BulkTable, tuples: readonly Buffer[], replace?: 'replace'): Promise<void>
  /** Deletes all rows of the tables to move, except for the migrations. */
  clear(tables: readonly BulkTable[]): Promise<void>
  /** The last id that the database assigned, by table. */
  idCounters(): Promise<ReadonlyMap<string, number>>
  setIdCounters(counters: ReadonlyMap<string, number>): Promise<void>
  close(): Promise<void>
}

/** The name under which both databases store the state of a move; it can be written even if other writes are refused. */
export const movingFact = 'moving'

/** Values that belong to one database and are not moved. */
export const ownFacts = ['ready_probe', movingFact] as const

/** Rate limits are not moved: losing them does no harm, and without them the source can keep answering reads. */
export const leftBehind: readonly (keyof Tables)[] = ['rate_buckets']

/** Tables that refuse writes during and after a move. */
export const movedTables = (Object.keys(placement) as (keyof Tables)[]).filter((name) => !leftBehind.includes(name))

/** The most bytes of a batch. */
const batchBytes = 1024 * 1024
const batchRows = 10_000

/** A batch of tuples under construction. */
export class Batch {
  #tuples: Buffer[] = []
  #bytes = 0

  add(tuple: Buffer): void {
    this.#tuples.push(tuple)
    this.#bytes += tuple.length
  }

  get isFull(): boolean {
    return this.#bytes >= batchBytes || this.#tuples.length >= batchRows
  }

  get isEmpty(): boolean {
    return this.#tuples.length === 0
  }

  take(): readonly Buffer[] {
    const tuples = this.#tuples
    this.#tuples = []
    this.#bytes = 0
    return tuples
  }
}

export interface FoundTable extends BulkTable {
  readonly refersTo: readonly string[]
}

export function inOrderOfReferences(tables: readonly FoundTable[]): readonly FoundTable[] {
  const ordered: FoundTable[] = []
  const visit = (table: FoundTable) => {
    if (ordered.includes(table)) return
    for (const other of tables.filter(({ name }) => name !== table.name && table.refersTo.includes(name))) visit(other)
    ordered.push(table)
  }
  for (const table of tables) visit(table)
  return ordered
}

/** The same on both databases: PostgreSQL has the key (account_id, id) for measured rows, SQLite may have only the id. */
export function keyOf(name: string, primaryKey: readonly string[], columns: readonly { readonly name: string }[]): readonly string[] {
  const isMeasured = (placement as Readonly<Record<string, Placement>>)[name] === 'measured'
  return isMeasured && columns.some((column) => column.name === 'id') ? ['account_id', 'id'] : primaryKey
}

/** Selects the rows in the order of the key; `after` has the key's values as SQL text. */
export function selectRows(table: BulkTable, after: string | undefined): string {
  const own = table.name === 'facts' ? [`name not in (${ownFacts.map((name) => `'${name}'`).join()})`] : []
  const conditions = [...own, ...(after === undefined ? [] : [`(${quoted(table.key)}) > (${after})`])]
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  return `select ${quoted(table.columns.map(({ name }) => name))} from "${table.name}"${where} order by ${quoted(table.key)}`
}

export function selectLastKey(table: BulkTable): string {
  const where = table.name === 'facts' ? ` where name not in (${ownFacts.map((name) => `'${name}'`).join()})` : ''
  return `select ${quoted(table.key)} from "${table.name}"${where} order by ${table.key.map((name) => `"${name}" desc`).join()} limit 1`
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
