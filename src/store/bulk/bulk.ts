/** The whole of a database, table by table, for a move to another one: rows in the order of their keys, in batches of bounded size. */

import type { ColumnKind } from '../engine.ts'
import { type Placement, placement } from '../placement.ts'
import type { Tables } from '../rows/tables.ts'

export interface BulkTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[]
  /** What tells its rows apart; they are read in this order. */
  readonly key: readonly string[]
}

/** Where a row stands in the order of its table. */
export type BulkKey = readonly (string | number)[]

export interface Bulk {
  /** Those that are moved, each after the tables it refers to. */
  tables(): Promise<readonly BulkTable[]>
  /** Tuples after a key, or all; everything that is read until `endMoment` is of one moment. */
  read(table: BulkTable, after?: BulkKey): AsyncIterable<readonly Buffer[]>
  endMoment(): Promise<void>
  lastKey(table: BulkTable): Promise<BulkKey | undefined>
  /** One durable transaction. With `replace` the rows that are there go first. */
  write(table: BulkTable, tuples: readonly Buffer[], replace?: 'replace'): Promise<void>
  /** Takes every row out of every table that is moved, but for the steps of the schema. */
  clear(tables: readonly BulkTable[]): Promise<void>
  /** By table: the last id the database gave. */
  idCounters(): Promise<ReadonlyMap<string, number>>
  setIdCounters(counters: ReadonlyMap<string, number>): Promise<void>
  close(): Promise<void>
}

/** The fact under which a database knows that it is being moved, on either side; it can be written where nothing else can. */
export const movingFact = 'moving'

/** Facts that belong to the database they stand in. */
export const ownFacts = ['ready_probe', movingFact] as const

/** Nothing is lost with what is left of a minute's rate, and without it the database that is moved can go on answering reads. */
export const leftBehind: readonly (keyof Tables)[] = ['rate_buckets']

/** Tables that refuse writes while the database is moved, and after. */
export const movedTables = (Object.keys(placement) as (keyof Tables)[]).filter((name) => !leftBehind.includes(name))

/** So much is on its way at a time. */
const batchBytes = 1024 * 1024
const batchRows = 10_000

/** A batch that can be filled and taken. */
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

/** A table as its database describes it. */
export interface FoundTable extends BulkTable {
  readonly refersTo: readonly string[]
}

/** Each table after those it refers to. */
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

/** On both engines the same: one finds measured rows by account and id, the other may have the id alone as its key. */
export function keyOf(name: string, primaryKey: readonly string[], columns: readonly { readonly name: string }[]): readonly string[] {
  const isMeasured = (placement as Readonly<Record<string, Placement>>)[name] === 'measured'
  return isMeasured && columns.some((column) => column.name === 'id') ? ['account_id', 'id'] : primaryKey
}

/** `select` of all columns or of the key, in order; the values of the key are written by the engine. */
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
