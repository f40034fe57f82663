/** Inserts of several rows at a time. A statement of a thousand values takes longer to build than to send, so its text is built once for each number of rows. */

import { type Compilable, CompiledQuery, type Kysely } from 'kysely'
import type { Tables } from './rows/tables.ts'
import { isWithoutWrites } from './without-writes.ts'

type RowOf<C extends string> = Readonly<Record<C, unknown>>

/** Use few numbers of rows, because the text for each is kept. The statement may have no values but those of the columns. */
export function repeatedInsert<C extends string, R>(
  columns: readonly C[],
  build: (db: Kysely<Tables>, rows: readonly RowOf<C>[]) => Compilable<R>,
): (db: Kysely<Tables>, rows: readonly RowOf<C>[]) => Promise<R[]> {
  const texts = new WeakMap<object, Map<number, string>>()
  return async (db, rows) => {
    if (isWithoutWrites(db)) return []
    const { adapter } = db.getExecutor()
    const byLength = texts.get(adapter) ?? new Map<number, string>()
    texts.set(adapter, byLength)
    const text =
      byLength.get(rows.length) ??
      build(
        db,
        rows.map((row) => inOrder(columns, row)),
      ).compile().sql
    byLength.set(rows.length, text)
    const values = rows.flatMap((row) => columns.map((column) => row[column]))
    return (await db.executeQuery<R>(CompiledQuery.raw(text, values))).rows
  }
}

/** The order of a row's columns is the order of the values. */
function inOrder<C extends string>(columns: readonly C[], row: RowOf<C>): RowOf<C> {
  return Object.fromEntries(columns.map((column) => [column, row[column]])) as RowOf<C>
}
