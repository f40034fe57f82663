/** The rows of packed months. Every query begins here with its account, so that none can leave it out. */

import { type Kysely, sql } from 'kysely'
import type { Chunk } from './packed-months.ts'
import { repeatedInsert } from './repeated-inserts.ts'
import type { Tables } from './rows/tables.ts'
import { type MonthTable, type Series, type SeriesName, type SeriesOwner, series, seriesNames } from './series.ts'

type Db = Kysely<Tables>

export type OwnedChunk = Chunk & { readonly account_id: number; readonly owner: number }

/** The column with the id of the keyword or page to which months belong. */
export function ownerColumn({ owner }: { readonly owner: SeriesOwner }) {
  return sql.ref<number>(owner)
}

export function monthRows(db: Db, table: MonthTable, accountId: number) {
  return db.selectFrom(table).where('account_id', '=', accountId)
}

export function monthsOfOwner(db: Db, kind: Series, accountId: number, owner: number) {
  return monthRows(db, kind.table, accountId).where(ownerColumn(kind), '=', owner)
}

export function deleteMonths(tx: Db, table: MonthTable, accountId: number) {
  return tx.deleteFrom(table).where('account_id', '=', accountId)
}

/** Use few numbers of chunks, because the statement for each is kept. */
export function putMonths(tx: Db, name: SeriesName, chunks: readonly OwnedChunk[]): Promise<unknown> {
  return puts[name](tx, chunks)
}

const puts = Object.fromEntries(seriesNames.map((name) => [name, putInto(series[name])])) as Record<SeriesName, ReturnType<typeof putInto>>

function putInto({ table, owner }: Series) {
  return repeatedInsert<keyof OwnedChunk, unknown>(['account_id', 'owner', 'starts_at', 'data'], (tx, chunks) =>
    tx
      .insertInto(table)
      // The tables differ in the name of the owner's column, which a type of all of them cannot say.
      .values(chunks.map(({ account_id, owner: id, starts_at, data }) => ({ account_id, [owner]: id, starts_at, data }) as never))
      .onConflict((taken) =>
        taken.columns(['account_id', owner as never, 'starts_at']).doUpdateSet((row) => ({ data: row.ref('excluded.data') })),
      ),
  )
}
