/** Finds out of which days the totals in an archive or workbook are: from the filters it was made with, else from its table of days. */

import { isoTime } from '../../../lib/time/clock.ts'
import type { Workbook } from '../../../lib/zip/workbook.ts'
import type { ZipArchive } from '../../../lib/zip/zip-file.ts'
import type { CsvMapping, DaysTogether } from '../../../resources/imports/import-preset.ts'
import { dayWithin, readDay } from './days.ts'

const mostCharacters = 1 << 18
const filters = /^filters?$/i
const days = /^(?:chart|dates?)$/i

/** Whether it is one export in several tables, which belong together: only such an archive says of which days it is. */
export function isOneExport(zip: ZipArchive): boolean {
  return zip.names.some((name) => [filters, days].some((each) => each.test(baseOf(name))))
}

/** The text of the file or sheet that has such a name; empty if there is none. */
type TextNamed = (name: RegExp) => Promise<string>

export function withPeriodOfArchive(zip: ZipArchive, mapping: CsvMapping): Promise<CsvMapping> {
  return withPeriod(mapping, (name) => {
    const file = zip.names.find((each) => name.test(baseOf(each)))
    return beginningOf(file === undefined ? [] : textIn(zip.read(file) as AsyncIterable<Uint8Array>))
  })
}

export function withPeriodOfWorkbook(book: Workbook, mapping: CsvMapping): Promise<CsvMapping> {
  return withPeriod(mapping, (name) => {
    const sheet = book.sheets.find((each) => name.test(each))
    return beginningOf(sheet === undefined ? [] : linesOf(book, sheet))
  })
}

function baseOf(name: string): string {
  return /([^/]*)\.csv$/i.exec(name)?.[1] ?? ''
}

async function withPeriod(mapping: CsvMapping, textNamed: TextNamed): Promise<CsvMapping> {
  const foundPeriod = inFilters(await textNamed(filters)) ?? inDays(await textNamed(days))
  return foundPeriod === undefined ? mapping : { ...mapping, foundPeriod }
}

async function beginningOf(pieces: AsyncIterable<string> | Iterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length > mostCharacters) break
  }
  return text
}

async function* textIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
}

async function* linesOf(book: Workbook, sheet: string): AsyncGenerator<string> {
  for await (const { record } of book.rows(sheet))
    yield `${record.map((cell) => (cell instanceof Date ? isoTime(cell.getTime()).slice(0, 10) : cell)).join('\t')}\n`
}

/** Two days in one line. `Last 28 days` does not say of which. */
function inFilters(text: string): DaysTogether | undefined {
  for (const line of text.split(/\r?\n/)) {
    const first = dayWithin(line)
    const second = first && dayWithin(first.rest)
    if (first !== undefined && second !== undefined) return between([first.day, second.day])
  }
  return undefined
}

/** Every row has a day in its first cell. */
function inDays(text: string): DaysTogether | undefined {
  const [, ...rows] = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const found = rows.map((row) => readDay(row.split(/[,;\t]/)[0] ?? ''))
  return found.every((day) => day !== undefined) ? between(found) : undefined
}

function between(found: readonly string[]): DaysTogether | undefined {
  const [start_date] = found.toSorted()
  const end_date = found.toSorted().at(-1)
  return start_date === undefined || end_date === undefined ? undefined : { start_date, end_date }
}
