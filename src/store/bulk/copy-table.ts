/** Copies one table to another database: first the missing rows, then both sides are read in full and compared. */

import { createHash } from 'node:crypto'
import type { Bulk, BulkTable } from './bulk.ts'

/** The content of a table on one side, as counts and a hash. */
export interface TableProof {
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/**
 * Continues after the last row that was copied: rows are copied in the order of their keys, so an earlier attempt left the beginning of the table. `show` is
 * called with the number of copied rows.
 */
export async function copyTable(from: Bulk, to: Bulk, table: BulkTable, show: (rows: number) => void): Promise<void> {
  // Creating the schema wrote its own migrations there, with the current time, so they are replaced.
  if (table.name === 'schema_migrations') return replaceRows(from, to, table)
  for await (const batch of from.read(table, await to.lastKey(table))) {
    await to.write(table, batch)
    show(batch.length)
  }
}

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

/** Done in one transaction, because a database without its list of migrations would be taken for an empty one. */
async function replaceRows(from: Bulk, to: Bulk, table: BulkTable): Promise<void> {
  const batches: (readonly Buffer[])[] = []
  for await (const batch of from.read(table)) batches.push(batch)
  await to.write(table, batches.flat(), 'replace')
}
