/** The tables of packed months, which may be partitions. */

import type { Kysely } from 'kysely'
import type { Tables } from './rows/tables.ts'
import { allSeries, type MonthTable, type Series } from './series.ts'

export const monthTables = Object.fromEntries(allSeries.map((kind) => [kind.table, kind])) as Readonly<Record<MonthTable, Series>>

export const monthTableNames = allSeries.map(({ table }) => table)

/** One month of one table, where each is a partition of its own; long ago and far ahead, a partition holds more than a month. */
export interface StoredMonth {
  readonly table: MonthTable
  /** Its first second. */
  readonly from: number
  /** The first second after it. */
  readonly to: number
}

export interface SizedMonth extends StoredMonth {
  /** With its indexes, on all machines. */
  readonly bytes: number
  /** Over how many tables its rows are spread: one, and on a cluster one for each shard. */
  readonly parts: number
  /** `closed`: rewritten in the order of its keys, and hardly changed since. */
  readonly state: 'open' | 'closed'
}

export interface ClosedMonth {
  /**
   * `busy`: somebody used the table for too long; the copy is kept, and the next attempt only has to swap it in. `moved`: a cluster has moved rows to another
   * machine meanwhile; the next attempt copies again. `stopped`: by the signal.
   */
  readonly outcome: 'closed' | 'busy' | 'moved' | 'stopped'
  readonly rows: number
  /** How long others were locked out while the copy was swapped in. */
  readonly lockedMilliseconds: number
}

/** Months that are partitions of their tables. */
export interface MonthPartitions {
  list(): Promise<readonly StoredMonth[]>
  /** On a cluster this asks every machine. */
  sizes(): Promise<readonly SizedMonth[]>
  /** Does nothing if the month is there. Writes make a missing month by themselves, but are repeated for it. */
  make(table: MonthTable, month: number): Promise<void>
  /** Rewrites a month in the order of its keys, without room for growth; it stays readable and writable meanwhile. */
  close(month: StoredMonth, signal: AbortSignal): Promise<ClosedMonth>
  /** Waits for all who write measurements, and keeps them from it until the transaction ends. */
  lockWriters(tx: Kysely<Tables>): Promise<void>
  /** Removes these months with their rows. */
  remove(tx: Kysely<Tables>, months: readonly StoredMonth[]): Promise<void>
}
