/** One table from one database to another: rows that are missing there are copied, then both sides are read in full and compared. */

import { createHash } from 'node:crypto'
import type { Bulk, BulkTable } from './bulk.ts'

/** What one side holds of a table. */
export interface TableProof {
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/**
 * Goes on after the last row that arrived: rows are copied in the order of their keys, so that whatever an earlier try has left there is the
 * beginning of the table. `show` is told how many rows were copied.
 */
export async function copyTable(from: Bulk, to: Bulk, table: BulkTable, show: (rows: number) => void): Promise<void> {
  // The schema that was just made wrote its own steps there; they have the times of now.
  if (table.name === 'schema_migrations') return replaceRows(from, to, table)
  for await (const batch of from.read(table, await to.lastKey(table))) {
    await to.write(table, batch)
    show(batch.length)
  }
}

/** A hash over all rows in the order of their keys. */
export async function proveTable(side: Bulk, table: BulkTable): Promise<TableProof> {
  const hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  for await (const batch of side.read(table)) {
    for (const tuple of batch) {
      hash.update(tuple)
      bytes += tuple.length
    }
    rows += batch.length
  }
  return { rows, bytes, sha256: hash.digest('hex') }
}

/** In one transaction: a database without the steps of its schema would be taken for an empty one. */
async function replaceRows(from: Bulk, to: Bulk, table: BulkTable): Promise<void> {
  const batches: (readonly Buffer[])[] = []
  for await (const batch of from.read(table)) batches.push(batch)
  await to.write(table, batches.flat(), 'replace')
}
