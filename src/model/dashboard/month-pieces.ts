/** Reads packed months of many keywords or pages, ordered by owner and time, a bounded number at a time. */

import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { rowsOfEach } from '../../store/grouped-rows.ts'
import { monthTables } from '../../store/month-tables.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { MonthTable } from '../../store/series.ts'
import { monthRows, ownerColumn } from '../../store/series-rows.ts'

export interface Month {
  readonly owner: number
  readonly starts_at: number
  readonly data: Uint8Array
}

export interface MonthQuery {
  readonly table: MonthTable
  readonly accountId: number
  /** The first second of the earliest month, if not all are wanted, and the second before which months must begin. */
  readonly from?: number
  readonly before: number
}

const monthsPerRead = 500

export async function* monthPieces(db: Kysely<Tables>, query: MonthQuery, owners: readonly number[]): AsyncGenerator<readonly Month[]> {
  const kind = monthTables[query.table]
  const all = monthRows(db, query.table, query.accountId)
    .select([ownerColumn(kind).as('owner'), 'starts_at', 'data'])
    .where('starts_at', '<', query.before)
    .$if(query.from !== undefined, (some) => some.where('starts_at', '>=', query.from as number))
  let last: Month | undefined
  for (let rest = owners; rest.length > 0; ) {
    const some = last === undefined ? all : all.where(behind(kind.owner, last))
    const grouped = { select: some, group: kind.owner, order: ['starts_at'], limit: monthsPerRead }
    const rows = (await rowsOfEach(db, rest, grouped).execute()) as Month[]
    yield rows
    last = rows.at(-1)
    const reached = last?.owner ?? 0
    rest = rows.length < monthsPerRead ? [] : rest.filter((id) => id >= reached)
  }
}

function behind(owner: string, last: Month): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(owner)}, starts_at) > (${last.owner}, ${last.starts_at})`
}
