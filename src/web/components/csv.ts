/** The CSV files of a page: their addresses and their content. */

import { hrefWith, type PageAnswer, type PageRequest } from '../page-request.ts'
import { csvHead, csvRows, type PageTable, tableCsv } from './tables.ts'

/** The address next to the page, with the same query. */
export function csvPath(request: PageRequest, table: string): string {
  return hrefWith(request, { table, page: null }, `${request.path}.csv`)
}

export function csvAnswer(name: string, table: PageTable): PageAnswer {
  return { type: csvType, headers: attached(name), body: tableCsv(table) }
}

/** A long table, streamed while its rows are read: `first` has the columns, `tables` have the rows. */
export function csvStream(name: string, first: PageTable, tables: AsyncIterable<PageTable>): PageAnswer {
  return { type: csvType, headers: attached(name), body: textsOf(first, tables) }
}

const csvType = 'text/csv; charset=utf-8'

function attached(name: string): Record<string, string> {
  return { 'content-disposition': `attachment; filename="${name}.csv"` }
}

async function* textsOf(first: PageTable, tables: AsyncIterable<PageTable>): AsyncGenerator<string> {
  yield csvHead(first) + csvRows(first)
  for await (const table of tables) yield csvRows(table)
}
