/** Reads the rows of a table into records, whatever file they come from: finds the header and its meaning, and takes an empty cell as an absent field. */

import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { isSeriesRecord, type Series, seriesOf } from '../../../store/series.ts'
import type { ImportLine, PlainWish } from '../import-line.ts'
import { noticeOf } from './averages.ts'
import { type TableCell, type TableRow, textOf } from './cells.ts'
import { Unreadable } from './csv-rows.ts'
import { cellValue } from './csv-values.ts'
import { HeadingSearch } from './heading.ts'
import { keptLocaleNotice, localise } from './locales.ts'
import type { Companion, CsvPlan } from './mapping.ts'
import type { Heading } from './recognise.ts'

const arrivalsPerBatch = 1000

export interface TableReading {
  /** Called with the columns that are not read. */
  readonly leftOut?: (columns: readonly string[]) => void
  /** Called with the name of the preset by which the file was recognised. */
  readonly guessed?: (preset: string) => void
  /** Called with a sentence on what is read otherwise than it stands in the file. */
  readonly noticed?: (sentence: string) => void
  /** Whether the first row must be the header, with our own names or told ones. */
  readonly isPlain?: boolean
  /** Called with the header that was found. */
  readonly headed?: (cells: readonly string[]) => void
  /** Whether a row ends with its last cell that is not empty, as in a workbook. */
  readonly isRagged?: boolean
}

export async function* readTable(
  rows: AsyncIterable<TableRow>,
  mapping: CsvMapping,
  { leftOut = () => {}, guessed = () => {}, noticed = () => {}, isPlain = false, isRagged = false, headed }: TableReading = {},
): AsyncGenerator<ImportLine[]> {
  const search = new HeadingSearch(mapping, isPlain)
  let read: ((cells: readonly TableCell[], line: number) => ImportLine[]) | undefined
  let batch: ImportLine[] = []
  try {
    for await (const { record, line } of rows) {
      // Rows are kept with their lines only for who gives them back.
      if (read !== undefined) for (const each of read(record, line)) batch.push(headed === undefined ? each : { ...each, row: record })
      else {
        const heading = search.tryRow(record, line)
        if (heading === undefined && search.isOver) break
        if (heading === undefined) continue
        read = readerOf(heading, record.length, isRagged)
        headed?.(record.map(textOf))
        leftOut(heading.plan?.leftOut ?? [])
        if (heading.guess !== undefined) guessed(heading.guess)
        const notice = heading.notice ?? noticeOf(heading.mapping, mapping)
        if (notice !== undefined) noticed(notice)
      }
      if (batch.length >= arrivalsPerBatch) {
        yield batch
        batch = []
      }
    }
  } catch (error) {
    batch.push(faultOf(error))
  }
  if (search.plan?.countries.isKept) noticed(keptLocaleNotice)
  if (read === undefined && batch.length === 0) batch.push(...search.faults())
  yield batch
}

function readerOf(
  { own, plan, mapping }: Heading,
  width: number,
  isRagged: boolean,
): (cells: readonly TableCell[], line: number) => ImportLine[] {
  const whole = (cells: readonly TableCell[]) =>
    isRagged && cells.length < width ? [...cells, ...Array<TableCell>(width - cells.length).fill('')] : cells
  return own === undefined
    ? (cells, line) => arrivalsOf(plan as CsvPlan, mapping, fitted(whole(cells), width, mapping), width, line)
    : (cells, line) => own(whole(cells).map(textOf), line)
}

function fitted(cells: readonly TableCell[], width: number, { overflows }: CsvMapping): readonly TableCell[] {
  return overflows && cells.length > width
    ? [
        ...cells.slice(0, width - 1),
        cells
          .slice(width - 1)
          .map(textOf)
          .join(','),
      ]
    : cells
}

function arrivalsOf(plan: CsvPlan, mapping: CsvMapping, cells: readonly TableCell[], width: number, line: number): ImportLine[] {
  if (cells.length !== width) return [{ line, fault: { field: '', code: 'cells', detail: `${cells.length} instead of ${width}` } }]
  const isAddress = plan.isInOrder && /^https?:/i.test(textOf(cells[plan.fields.indexOf('phrase')]))
  const detail = 'the first column has addresses where queries are expected'
  return isAddress ? [{ line, fault: { field: '', code: 'columns', detail } }] : rowRecords(plan, mapping, cells, line)
}

/** The records of a row: its own, one for each group of wide columns, and those of its companions. */
export function rowRecords(plan: CsvPlan, mapping: CsvMapping, cells: readonly TableCell[], line: number): ImportLine[] {
  const row = new ReadRow(plan, mapping)
  for (const [name, value] of Object.entries(plan.constants)) row.put(name, value)
  for (const [i, name] of plan.fields.entries()) if (name !== undefined) row.put(name, cells[i] ?? '')
  for (const { field, value, where } of mapping.setWhere ?? [])
    if (!plan.fields.includes(field) && isSame(row.record[where.field], where.value)) row.put(field, value)
  const { record, found } = row
  const fault = plan.table['country'] === undefined ? undefined : localise(record, mapping, plan.countries)
  if (fault !== undefined) return [{ line, fault }]
  const others = plan.companions.flatMap((companion) => companionOf(companion, record, line, plan))
  const own = plan.spreads.length === 0 ? [{ line, record, found }] : spreadOut(plan, mapping, cells, record, line)
  return [
    ...others,
    ...(plan.plain === undefined || plan.kind !== 'ranking' ? own : own.map((one) => withoutPlain(one, plan.plain as PlainWish))),
  ]
}

/** The device and location that are told to be the plain ones are left out; the others are settled when the file was read. */
function withoutPlain(line: ImportLine, plain: PlainWish): ImportLine {
  const record = line.record as Record<string, unknown>
  for (const field of ['device', 'location'] as const) if (isSame(record[field], plain[field])) delete record[field]
  return { ...line, plain }
}

function isSame(value: unknown, told: string | undefined): boolean {
  return typeof value === 'string' && told !== undefined && value.trim().toLowerCase() === told.toLowerCase()
}

/** A record that is being read, with the text of the cells whose value is another one. */
class ReadRow {
  readonly record: Record<string, unknown>
  readonly found: Record<string, string> = {}
  readonly #plan: CsvPlan
  readonly #mapping: CsvMapping

  constructor(plan: CsvPlan, mapping: CsvMapping, shared?: object) {
    this.#plan = plan
    this.#mapping = mapping
    this.record = shared === undefined ? { type: plan.kind } : { ...shared }
  }

  put(name: string, cell: TableCell): void {
    const field = this.#plan.table[name]
    const value = field === undefined ? textOf(cell) || undefined : cellValue(name, field, cell, this.#mapping)
    if (value === undefined) return
    this.record[name] = value
    if (value !== cell && String(value) !== cell) this.found[name] = textOf(cell)
  }
}

const sharedFields = ['account', 'site', 'competitor', 'phrase']

/** The second record in a row, if there is one; its fields are removed from the row's own record. */
function companionOf({ kind, fields }: Companion, row: Record<string, unknown>, line: number, plan: CsvPlan): ImportLine[] {
  const told = fields.filter((name) => row[name] !== undefined)
  const names = [...sharedFields, ...told].filter((name) => row[name] !== undefined)
  const record: Record<string, unknown> = { type: kind, ...Object.fromEntries(names.map((name) => [name, row[name]])) }
  for (const name of told) delete row[name]
  if (told.length === 0) return []
  return [
    isSeriesRecord(kind) ? { line, record: { ...record, ...entryOf(seriesOf(kind)[0], row, plan) } } : { line, record, isBeside: true },
  ]
}

/** What tells the entry of another series in the row of a ranking. */
function entryOf({ source, time }: Series, row: Record<string, unknown>, { fields, constants }: CsvPlan): Record<string, unknown> {
  // A locale that is told of the ranks does not make the clicks of a day those of a locale; a country does.
  const named = Object.fromEntries(
    [...source, ...(fields.includes('country') && constants['locale'] === undefined ? ['locale'] : [])].map((field) => [field, row[field]]),
  )
  const told = row['ranked_at'] ?? row['date']
  return { ...named, ...(typeof told === 'string' && { [time]: told.slice(0, 10) }) }
}

/** Makes a record of each group of wide columns; an empty cell means not measured. */
function spreadOut(plan: CsvPlan, mapping: CsvMapping, cells: readonly TableCell[], shared: object, line: number): ImportLine[] {
  return plan.spreads.flatMap(({ values, cells: [value, ...others] }) => {
    const row = new ReadRow(plan, mapping, { ...shared, ...values })
    if (value !== undefined) row.put(value.field, trimmed(cells[value.at]))
    if (value === undefined || row.record[value.field] === undefined) return []
    for (const { at, field } of others) row.put(field, trimmed(cells[at]))
    return [{ line, record: row.record, found: row.found }]
  })
}

function trimmed(cell: TableCell | undefined): TableCell {
  return typeof cell === 'string' ? cell.trim() : (cell ?? '')
}

function faultOf(error: unknown): ImportLine {
  if (error instanceof Unreadable) return error.arrival
  throw error
}
