/** What is seen, as a file: the addresses of a page's CSV files, and the files themselves. */

import { hrefWith, type PageAnswer, type PageRequest } from '../page-request.ts'
import { csvHead, csvRows, type PageTable, tableCsv } from './tables.ts'

/** Beside the page, with the same question. */
export function csvPath(request: PageRequest, table: string): string {
  return hrefWith(request, { table, page: null }, `${request.path}.csv`)
}

export function csvAnswer(name: string, table: PageTable): PageAnswer {
  return { type: csvType, headers: attached(name), body: tableCsv(table) }
}

/** A long table, written as its rows are read: `first` tells the columns, `tables` have the rows. */
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
