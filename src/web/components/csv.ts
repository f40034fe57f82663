/** The CSV files of a page: their addresses and their content. */

import { batchesOf } from '../../lib/work/batches.ts'
import { hrefWith, type PageAnswer, type PageRequest } from '../page-request.ts'
import { csvHead, csvRows, type PageTable, tableCsv } from './tables.ts'

/** The address next to the page, with the same query. */
export function csvPath(request: PageRequest, table: string): string {
  return hrefWith(request, { table, page: null }, `${request.path}.csv`)
}

export function csvAnswer(name: string, table: PageTable): PageAnswer {
  return { type: csvType, headers: attached(name), body: tableCsv(table) }
}

/** A long table, streamed while its items are read, so that no file is held in memory as a whole. */
export function csvInPieces<T>(
  name: string,
  pieces: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  tableOf: (items: readonly T[]) => PageTable,
): PageAnswer {
  return { type: csvType, headers: attached(name), body: textsOf(pieces, tableOf) }
}

const rowsAtOnce = 500

/** Splits a list that is in memory already, so that its rows are made a few at a time. */
export function piecesOf<T>(items: readonly T[]): Iterable<readonly T[]> {
  return batchesOf(items, rowsAtOnce)
}

export const csvType = 'text/csv; charset=utf-8'

export function attached(name: string): Record<string, string> {
  return { 'content-disposition': `attachment; filename="${name}.csv"` }
}

async function* textsOf<T>(
  pieces: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  tableOf: (items: readonly T[]) => PageTable,
): AsyncGenerator<string> {
  yield csvHead(tableOf([]))
  for await (const items of pieces) yield csvRows(tableOf(items))
}
