/** Reads the files of a zip archive and the sheets of a workbook: those that can be read as records, and names the others. */

import { nearest } from '../../../lib/nearest-name.ts'
import { BrokenWorkbook, isWorkbook, openWorkbook, type Workbook } from '../../../lib/zip/workbook.ts'
import { openZip, type ZipArchive } from '../../../lib/zip/zip-file.ts'
import type { ImportErrorCode, LineError } from '../../../resources/imports/import-fault.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import type { TableRow } from '../csv/cells.ts'
import { HeadingSearch } from '../csv/heading.ts'
import { withPeriodOfArchive, withPeriodOfWorkbook } from '../csv/period-in.ts'
import { readTable } from '../csv/table.ts'
import type { ImportLine } from '../import-line.ts'
import type { FileReading } from './file-reading.ts'

type Batches = AsyncGenerator<readonly ImportLine[]>

/** Reads one file of an archive; given by the reader of all formats, to which this file belongs as one of them. */
export type ReadFile = (bytes: AsyncIterable<Uint8Array>, mapping: CsvMapping, reading: FileReading) => Batches

export async function* readArchive(
  bytes: AsyncIterable<Uint8Array>,
  mapping: CsvMapping,
  reading: FileReading,
  readFile: ReadFile,
): Batches {
  const zip = await openZip(bytes, reading.maxBytes)
  try {
    if (otherWorkbooks.some(zip.has)) yield [{ line: 1, fault: { field: '', code: 'workbook' } }]
    else yield* isWorkbook(zip) ? readWorkbook(zip, mapping, reading) : readFiles(zip, mapping, reading, readFile)
  } finally {
    await zip.close()
  }
}

/** What only the binary workbooks of Excel and the sheets of LibreOffice have. */
export const otherWorkbooks = ['xl/workbook.bin', 'META-INF/manifest.xml']

/** What a file may be without being meant: the picture, the note or the other table beside the one that counts. */
const besideCodes: readonly (ImportErrorCode | undefined)[] = [
  'columns',
  'binary',
  'pdf',
  'web_page',
  'workbook',
  'packed',
  'not_json',
  'saved_report',
]

async function* readFiles(zip: ZipArchive, mapping: CsvMapping, reading: FileReading, readFile: ReadFile): Batches {
  const others: { readonly file: string; readonly lines: readonly ImportLine[] }[] = []
  const meant = await withPeriodOfArchive(zip, mapping)
  for (const file of zip.names.toSorted()) {
    let isTaken = false
    for await (const lines of readFile(zip.read(file) as AsyncIterable<Uint8Array>, meant, reading)) {
      if (lines.length === 0) continue
      isTaken ||= zip.names.length === 1 || !lines.every(({ fault }) => besideCodes.includes(fault?.code))
      if (isTaken) yield zip.names.length === 1 ? lines : lines.map((line) => ({ ...line, file }))
      else others.push({ file, lines: lines.slice(0, 1) })
      if (!isTaken) break
    }
  }
  const hasTaken = others.length < zip.names.length
  if (hasTaken) reading.leftOutFiles?.(others.map(({ file }) => file))
  else for (const { file, lines } of others) yield lines.map((line) => ({ ...line, file }))
}

async function* readWorkbook(zip: ZipArchive, mapping: CsvMapping, reading: FileReading): Batches {
  let book: Workbook | undefined
  try {
    book = await openWorkbook(zip)
    const meant = await withPeriodOfWorkbook(book, mapping)
    const sheet = await chooseSheet(book, meant)
    if (typeof sheet === 'string') yield* readTable(rowsBelow(book.rows(sheet), meant), meant, { ...reading, isRagged: true })
    else yield [{ line: 1, fault: sheet }]
  } catch (error) {
    if (!(error instanceof BrokenWorkbook)) throw error
    yield [{ line: 1, fault: { field: '', code: 'broken_workbook', detail: error.message.slice(0, 200) } }]
  } finally {
    book?.close()
  }
}

/** The sheet that is told, the only one, or the only one that can be read as records. */
async function chooseSheet(book: Workbook, mapping: CsvMapping): Promise<string | LineError> {
  const { sheet } = mapping
  const [first] = book.sheets
  if (first === undefined) return { field: '', code: 'broken_workbook', detail: 'it has no visible sheet' }
  if (sheet !== undefined) return book.sheets.includes(sheet) ? sheet : sheetsFault(`there is no sheet ${sheet}${likely(sheet, book)}`)
  const fitting: string[] = []
  for (const each of book.sheets.length === 1 ? [] : book.sheets) if (await hasHeading(book, each, mapping)) fitting.push(each)
  if (fitting.length > 1) return sheetsFault(`${fitting.join(', ')} can be read; say --sheet`)
  return fitting[0] ?? first
}

function likely(sheet: string, book: Workbook): string {
  const like = nearest(sheet, book.sheets)
  return like === undefined ? `; there are ${book.sheets.join(', ')}` : `; did you mean ${like}?`
}

function sheetsFault(detail: string): LineError {
  return { field: '', code: 'sheets', detail }
}

async function hasHeading(book: Workbook, sheet: string, mapping: CsvMapping): Promise<boolean> {
  const search = new HeadingSearch(mapping, false)
  for await (const { record, line } of rowsBelow(book.rows(sheet), mapping)) {
    if (search.tryRow(record, line) !== undefined) return true
    if (search.isOver) return false
  }
  return false
}

/** The rows of a sheet below those that are no part of the table. Cells that are empty at the end of a row are not in the file. */
async function* rowsBelow(rows: AsyncIterable<TableRow>, { skipLines = 0 }: CsvMapping): AsyncGenerator<TableRow> {
  for await (const row of rows) if (row.line > skipLines) yield row
}
