/** Reads CSV files: detects the delimiter, finds the kind of record and the fields from the header, and takes an empty cell as an absent field. */

import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import type { Incoming } from '../../../fields/incoming.ts'
import type { CsvMapping } from '../../../resources/import-preset.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import type { ImportLine } from '../check.ts'
import { lineBlocks, maxLineBytes } from '../lines.ts'
import { cellValue } from './csv-values.ts'
import { type Companion, type CsvPlan, planCsv } from './mapping.ts'
import { type OwnReport, ownReport } from './own-reports.ts'

interface Row {
  readonly record: readonly string[]
  /** The line on which the row begins. */
  readonly line: number
}

interface ParsedRow {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

const arrivalsPerBatch = 1000

/** `leftOut` is called with the columns that are not read. */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  mapping: CsvMapping = {},
  leftOut: (columns: readonly string[]) => void = () => {},
): AsyncGenerator<ImportLine[]> {
  let plan: CsvPlan | undefined
  let own: OwnReport | undefined
  let width = 0
  let batch: ImportLine[] = []
  try {
    for await (const { record, line } of rowsOf(bytes)) {
      if (own !== undefined) batch.push(...own(record, line))
      else if (plan === undefined) {
        own = ownReport(record, mapping)
        if (own !== undefined) continue
        plan = readHeader(record, mapping, line)
        width = record.length
        leftOut(plan.leftOut)
      } else batch.push(...arrivalsOf(plan, mapping, fitted(record, width, mapping), width, line))
      if (batch.length >= arrivalsPerBatch) {
        yield batch
        batch = []
      }
    }
  } catch (error) {
    batch.push(faultOf(error))
  }
  yield batch
}

/** The header row of a template, and an example row. */
export function csvTemplate(kind: ObservationKind): string {
  const fields = Object.entries<Incoming>(observations[kind].fields).filter(([name]) => name !== 'account')
  const row = fields.map(([, field]) => quoted(field.example === null ? '' : String(field.example)))
  return `${fields.map(([name]) => name).join(',')}\n${row.join(',')}\n`
}

/** Ends the reading of a file whose rest cannot be split into rows. */
class Unreadable extends Error {
  readonly arrival: ImportLine

  constructor(arrival: ImportLine) {
    super(arrival.fault?.code)
    this.arrival = arrival
  }
}

async function* rowsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const texts = textOf(bytes)
  const { value: first = '', done } = await texts.next()
  if (done) return
  const { delimiter, rest, skipped } = dialectOf(first.replace(/^\ufeff/, ''))
  const places = new RowPlaces(skipped)
  const options = { info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: maxLineBytes, delimiter }
  // All three line ends are accepted, because files joined from several may mix them.
  const parser = parse({
    bom: true,
    ...options,
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (row: ParsedRow) => places.placed(row),
  } as object)
  const whole = Readable.from(rejoined(rest, texts)).compose(parser) as AsyncIterable<Row>
  try {
    yield* whole
  } catch (error) {
    throw unreadable(error, places)
  }
}

/** Tracks the line on which each row begins. The parser reports where a row ends, and counts a CRLF within quotes twice. */
class RowPlaces {
  /** The difference between the parser's line numbers and those of the file. */
  ahead: number
  /** The line on which the last row ended. */
  ended: number

  constructor(skipped: number) {
    this.ahead = skipped
    this.ended = skipped
  }

  placed({ record, info }: ParsedRow): Row {
    const within = record.filter((cell) => cell.includes('\n') || cell.includes('\r')).join(',')
    if (within !== '') this.ahead -= within.split('\r\n').length - 1
    this.ended = info.lines + this.ahead
    return { record, line: this.ended - (within === '' ? 0 : within.split(/\r\n|\n|\r/).length - 1) }
  }
}

async function* rejoined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** Detects the delimiter: `sep=;` states it; otherwise it is the one of four that is most frequent in the header outside of quotes. */
function dialectOf(text: string): { delimiter: string; rest: string; skipped: number } {
  const told = /^sep=(.)\r?\n/i.exec(text)
  if (told) return { delimiter: told[1] as string, rest: text.slice(told[0].length), skipped: 1 }
  const header = (text.trimStart().split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, many: header.split(delimiter).length }))
  const [most] = counts.sort((a, b) => b.many - a.many)
  return { delimiter: most?.delimiter ?? ',', rest: text, skipped: 0 }
}

async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { first, lines } of lineBlocks(bytes)) {
    const bad = lines.findIndex((line) => typeof line !== 'string')
    if (bad >= 0)
      throw new Unreadable({
        line: first + bad,
        fault: { field: '', code: lines[bad] === null ? 'line_too_long' : 'not_utf8', max: maxLineBytes },
      })
    yield first === 1 ? lines.join('\n') : `\n${lines.join('\n')}`
  }
}

function readHeader(cells: readonly string[], mapping: CsvMapping, line: number): CsvPlan {
  const plan = planCsv(cells, mapping)
  if (typeof plan === 'string') throw new Unreadable({ line, fault: { field: '', code: 'columns', detail: plan } })
  return plan
}

function fitted(cells: readonly string[], width: number, { overflows }: CsvMapping): readonly string[] {
  return overflows && cells.length > width ? [...cells.slice(0, width - 1), cells.slice(width - 1).join(',')] : cells
}

function arrivalsOf(plan: CsvPlan, mapping: CsvMapping, cells: readonly string[], width: number, line: number): ImportLine[] {
  if (cells.length !== width) return [{ line, fault: { field: '', code: 'cells', detail: `${cells.length} instead of ${width}` } }]
  const record: Record<string, unknown> = { type: plan.kind }
  const put = (name: string, cell: string) => {
    const field = plan.table[name]
    if (cell !== '') record[name] = field === undefined ? cell : cellValue(name, field, cell, mapping)
  }
  for (const [name, value] of Object.entries(plan.constants)) put(name, value)
  for (const [i, name] of plan.fields.entries()) if (name !== undefined) put(name, cells[i] as string)
  const others = plan.companions.flatMap((companion) => companionOf(companion, record, line))
  return [...others, ...(plan.days.length === 0 ? [{ line, record }] : unpivoted(plan, mapping, cells, record, line))]
}

const sharedFields = ['account', 'site', 'competitor', 'phrase']

/** The second record in a row, if there is one; its fields are removed from the row's own record. */
function companionOf({ kind, fields }: Companion, row: Record<string, unknown>, line: number): ImportLine[] {
  const told = fields.filter((name) => row[name] !== undefined)
  const names = [...sharedFields, ...told].filter((name) => row[name] !== undefined)
  const record: Record<string, unknown> = { type: kind, ...Object.fromEntries(names.map((name) => [name, row[name]])) }
  for (const name of told) delete row[name]
  if (told.length === 0) return []
  const day = typeof row['ranked_at'] === 'string' ? { date: row['ranked_at'].slice(0, 10) } : {}
  return [{ line, record: kind === 'click_count' ? { ...record, search_engine: row['search_engine'], ...day } : record }]
}

/** Makes a record of each column that is named by a date; an empty cell means not measured. */
function unpivoted(plan: CsvPlan, mapping: CsvMapping, cells: readonly string[], shared: object, line: number): ImportLine[] {
  const [value, time] = [mapping.unpivot as string, plan.kind === 'ranking' ? 'ranked_at' : plan.kind === 'snapshot' ? 'day' : 'date']
  return plan.days.flatMap(({ at, day }) => {
    const cell = (cells[at] as string).trim()
    const record = { ...shared, [time]: time === 'ranked_at' ? `${day} 00:00:00` : day }
    return cell === '' ? [] : [{ line, record: { ...record, [value]: cellValue(value, plan.table[value] as Incoming, cell, mapping) } }]
  })
}

function faultOf(error: unknown): ImportLine {
  if (error instanceof Unreadable) return error.arrival
  throw error
}

interface ParserError {
  readonly code?: string
  readonly lines?: number
  /** The number of the cell, counted from 0. */
  readonly column?: number
}

/** Sentences for the parser's error codes; `COLUMN` is the number of the cell. */
const parserFaults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'cell COLUMN opens a quote that is never closed',
  CSV_MAX_RECORD_SIZE: `the row has more than ${maxLineBytes} bytes; perhaps a quote is not closed`,
  CSV_INVALID_CLOSING_QUOTE: 'cell COLUMN goes on after its closing quote; a quote within quotes is written twice',
  INVALID_OPENING_QUOTE: 'cell COLUMN has a quote in its middle; put the whole cell in quotes, and write the quote within twice',
}

/** A row that never ends is reported with the line on which it begins. */
function unreadable(error: unknown, { ahead, ended }: RowPlaces): unknown {
  const { code = '', lines = 0, column = 0 } = error as ParserError
  if (!Object.hasOwn(parserFaults, code)) return error
  const line = code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE' ? ended + 1 : lines + ahead
  const detail = (parserFaults[code] as string).replace('COLUMN', String(column + 1))
  return new Unreadable({ line, fault: { field: '', code: 'not_csv', detail } })
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
