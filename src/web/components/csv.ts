/** What is seen, as a file: the addresses of a page's CSV files, and the files themselves. */

import { hrefWith, type PageAnswer, type PageRequest } from '../page-request.ts'
import { type PageTable, tableCsv } from './tables.ts'

/** Beside the page, with the same question. */
export function csvPath(request: PageRequest, table: string): string {
  return hrefWith(request, { table, page: null }, `${request.path}.csv`)
}

export function csvAnswer(name: string, table: PageTable): PageAnswer {
  const headers = { 'content-disposition': `attachment; filename="${name}.csv"` }
  return { type: 'text/csv; charset=utf-8', headers, body: tableCsv(table) }
}
