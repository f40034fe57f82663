/** Reads CSV files: finds the kind of record and the fields from the header, and takes an empty cell as an absent field. */

import type { Incoming } from '../../../fields/incoming.ts'
import { endOfSlice } from '../../../lib/work/slices.ts'
import type { CsvMapping } from '../../../resources/import-preset.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import { isSeriesRecord, type Series, seriesOf } from '../../../store/series.ts'
import type { ImportLine } from '../import-line.ts'
import { rowsOf, Unreadable } from './csv-rows.ts'
import { cellValue } from './csv-values.ts'
import { type Companion, type CsvPlan, planCsv, timeOf } from './mapping.ts'
import { type OwnReport, ownReport } from './own-reports.ts'

const arrivalsPerBatch = 1000
export interface CsvReading {
  /** Called with the columns that are not read. */
  readonly leftOut?: (columns: readonly string[]) => void
  /** Refuses a row of more cells. */
  readonly maxCells?: number
}

export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  mapping: CsvMapping = {},
  { leftOut = () => {}, maxCells = Number.POSITIVE_INFINITY }: CsvReading = {},
): AsyncGenerator<ImportLine[]> {
  let plan: CsvPlan | undefined
  let own: OwnReport | undefined
  let width = 0
  let batch: ImportLine[] = []
  try {
    for await (const { record, line } of rowsOf(bytes, maxCells)) {
      await endOfSlice()
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
  const found: Record<string, string> = {}
  const put = (name: string, cell: string) => {
    const field = plan.table[name]
    const value = field === undefined ? cell || undefined : cellValue(name, field, cell, mapping)
    if (value === undefined) return
    record[name] = value
    if (record[name] !== cell) found[name] = cell
  }
  for (const [name, value] of Object.entries(plan.constants)) put(name, value)
  for (const [i, name] of plan.fields.entries()) if (name !== undefined) put(name, cells[i] as string)
  const others = plan.companions.flatMap((companion) => companionOf(companion, record, line))
  return [...others, ...(plan.days.length === 0 ? [{ line, record, found }] : unpivoted(plan, mapping, cells, record, line))]
}

const sharedFields = ['account', 'site', 'competitor', 'phrase']

/** The second record in a row, if there is one; its fields are removed from the row's own record. */
function companionOf({ kind, fields }: Companion, row: Record<string, unknown>, line: number): ImportLine[] {
  const told = fields.filter((name) => row[name] !== undefined)
  const names = [...sharedFields, ...told].filter((name) => row[name] !== undefined)
  const record: Record<string, unknown> = { type: kind, ...Object.fromEntries(names.map((name) => [name, row[name]])) }
  for (const name of told) delete row[name]
  if (told.length === 0) return []
  return [{ line, record: isSeriesRecord(kind) ? { ...record, ...entryOf(seriesOf(kind)[0], row) } : record }]
}

/** What tells the entry of another series in the row of a ranking. */
function entryOf({ source, time }: Series, row: Record<string, unknown>): Record<string, unknown> {
  const named = Object.fromEntries(source.map((field) => [field, row[field]]))
  return { ...named, ...(typeof row['ranked_at'] === 'string' && { [time]: row['ranked_at'].slice(0, 10) }) }
}

/** Makes a record of each column that is named by a date; an empty cell means not measured. */
function unpivoted(plan: CsvPlan, mapping: CsvMapping, cells: readonly string[], shared: object, line: number): ImportLine[] {
  const [value, time] = [mapping.unpivot as string, timeOf(plan.kind) as string]
  return plan.days.flatMap(({ at, day }) => {
    const cell = (cells[at] as string).trim()
    const record = { ...shared, [time]: time === 'ranked_at' ? `${day} 00:00:00` : day }
    const told = cellValue(value, plan.table[value] as Incoming, cell, mapping)
    return told === undefined ? [] : [{ line, record: { ...record, [value]: told }, found: { [value]: cell } }]
  })
}

function faultOf(error: unknown): ImportLine {
  if (error instanceof Unreadable) return error.arrival
  throw error
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
