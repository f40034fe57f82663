/** The tables of a page as files, CSV or workbooks: their addresses and their content. */

import { type Html, html } from '../../lib/html.ts'
import { batchesOf } from '../../lib/work/batches.ts'
import { workbookOf } from '../../lib/zip/write-workbook.ts'
import { hrefWith, type PageAnswer, type PageRequest } from '../page-request.ts'
import { csvHead, csvRows, type PageTable, tableCsv } from './tables.ts'

/** The address of the CSV next to the page, with the same query. */
export function csvPath(request: PageRequest, table: string): string {
  return hrefWith(request, { table, page: null }, `${request.path}.csv`)
}

/** The same table as CSV and as a workbook. */
export function tableLinks(csv: string): Html {
  const [path = '', query] = csv.split('?')
  const workbook = `${path.replace(/\.csv$/, '.xlsx')}${query === undefined ? '' : `?${query}`}`
  return html`<a href="${csv}" download>Download as CSV</a> or <a href="${workbook}" download>Excel<span class="sr">: the same table</span></a>`
}

/** As the address asks: CSV, or a workbook. */
export function tableAnswer(request: PageRequest, name: string, table: PageTable): PageAnswer {
  if (asksForWorkbook(request)) return tableInPieces(request, name, piecesOf(table.rows), (rows) => ({ ...table, rows }))
  return { type: csvType, headers: attached(name), body: tableCsv(table) }
}

/** A long table, streamed while its items are read, so that no file is held in memory as a whole. */
export function tableInPieces<T>(
  request: PageRequest,
  name: string,
  pieces: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  tableOf: (items: readonly T[]) => PageTable,
): PageAnswer {
  if (!asksForWorkbook(request)) return { type: csvType, headers: attached(name), body: textsOf(pieces, tableOf) }
  const body = workbookOf(tableOf([]).columns, rowsOf(pieces, tableOf))
  return { type: workbookType, headers: attached(name, 'xlsx'), body }
}

function asksForWorkbook({ path }: PageRequest): boolean {
  return path.endsWith('.xlsx')
}

const rowsAtOnce = 500

/** Splits a list that is in memory already, so that its rows are made a few at a time. */
export function piecesOf<T>(items: readonly T[]): Iterable<readonly T[]> {
  return batchesOf(items, rowsAtOnce)
}

export const csvType = 'text/csv; charset=utf-8'

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export function attached(name: string, ending = 'csv'): Record<string, string> {
  return { 'content-disposition': `attachment; filename="${name}.${ending}"` }
}

async function* rowsOf<T>(
  pieces: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  tableOf: (items: readonly T[]) => PageTable,
): AsyncGenerator<PageTable['rows']> {
  for await (const items of pieces) yield tableOf(items).rows
}

async function* textsOf<T>(
  pieces: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  tableOf: (items: readonly T[]) => PageTable,
): AsyncGenerator<string> {
  yield csvHead(tableOf([]))
  for await (const items of pieces) yield csvRows(tableOf(items))
}
