/** What is seen, as a file: the addresses of a page's CSV files, and the files themselves. */

import { type Answer, hrefWith, type Visit } from '../page-request.ts'
import { type Table, tableCsv } from './tables.ts'

/** Beside the page, with the same question. */
export function csvPath(visit: Visit, table: string): string {
  return hrefWith(visit, { table, page: null }, `${visit.path}.csv`)
}

export function csvAnswer(name: string, table: Table): Answer {
  const headers = { 'content-disposition': `attachment; filename="${name}.csv"` }
  return { type: 'text/csv; charset=utf-8', headers, body: tableCsv(table) }
}
