/** Reads the flat tables of this service's own reports back into the records they were written from. */

import type { Incoming } from '../../../fields/incoming.ts'
import { unguarded } from '../../../fields/to-csv.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import {
  backlinkColumns,
  metricColumns,
  rankingColumns,
  reviewColumns,
  reviewCountColumns,
  trackedColumns,
} from '../../../resources/report-tables.ts'
import { siteFigureNames } from '../../../resources/seo-report.ts'
import type { ImportLine } from '../import-line.ts'
import { withOwnEngine } from '../saved-reports/records.ts'

/** Returns the records of a row. */
export type OwnReport = (cells: readonly string[], line: number) => ImportLine[]

type Row = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, Incoming>>

interface OwnTable {
  readonly kind: ObservationKind
  readonly columns: object
  /** Fields whose empty cell means null, rather than unknown. */
  readonly empty?: Readonly<Record<string, null>>
}

// biome-ignore format: a table reads by its columns
const ownTables: readonly OwnTable[] = [
  { kind: 'ranking',      columns: rankingColumns, empty: { rank: null } },
  { kind: 'ranking',      columns: trackedColumns, empty: { rank: null } },
  { kind: 'backlink',     columns: backlinkColumns },
  { kind: 'snapshot',     columns: metricColumns },
  { kind: 'review',       columns: reviewColumns },
  { kind: 'review_count', columns: reviewCountColumns },
]

/** How the rows below one of our own headers are read; undefined for any other header, and if the operator maps the columns. */
export function ownReport(header: readonly string[], mapping: CsvMapping): OwnReport | undefined {
  const isTold = mapping.kind !== undefined || Object.keys(mapping.columns ?? {}).length > 0
  const table = isTold ? undefined : ownTables.find(({ columns }) => Object.keys(columns).join() === header.join())
  if (table === undefined) return undefined
  return (cells, line) => {
    if (cells.length !== header.length)
      return [{ line, fault: { field: '', code: 'cells', detail: `${cells.length} instead of ${header.length}` } }]
    const row = Object.fromEntries(header.map((name, i) => [name, cells[i] as string]))
    const scope = mapping.keepsAccounts ? { account: observations.site.fields.account.cell(row['account_id'] as string) } : {}
    return recordsOf(table, row).map((record) => ({ line, record: { ...record, ...scope }, isOwn: true }))
  }
}

/** Whether it is the table of rankings without devices and locations. */
export function isOneSeries(header: readonly string[]): boolean {
  return Object.keys(rankingColumns).join() === header.join()
}

function recordsOf(table: OwnTable, row: Row): object[] {
  const record = recordOf(table, row)
  if (table.columns === trackedColumns) return [{ type: table.kind, ...withOwnEngine(record) }]
  return table.kind === 'snapshot' ? snapshotsOf(record, row) : [{ type: table.kind, ...record }]
}

function recordOf({ kind, empty = {} }: OwnTable, row: Row): Record<string, unknown> {
  const fields: Fields = observations[kind].fields
  const record: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const cell = row[name]
    if (cell === undefined) continue
    const value = cell === '' ? emptyValue(name, field, empty) : cellOf(field, cell)
    if (value !== undefined) record[name] = value
  }
  return record
}

function cellOf(field: Incoming, cell: string): unknown {
  return field.schema['type'] === 'string' ? unguarded(cell) : field.cell(cell)
}

/** An empty cell is the empty text if the field may be empty; otherwise the field is absent. */
function emptyValue(name: string, field: Incoming, empty: Readonly<Record<string, null>>): '' | null | undefined {
  if (Object.hasOwn(empty, name)) return null
  const mayBeEmpty = field.type.startsWith('text, at most') || field.type.endsWith('or empty')
  return mayBeEmpty ? '' : undefined
}

/**
 * Each figure belongs to the day on which it was measured; an empty authority with a day means that there is none. The table has a row for every site and
 * competitor, even if nothing was measured.
 */
function snapshotsOf({ day: _, ...record }: Record<string, unknown>, row: Row): object[] {
  const place = Object.fromEntries(Object.entries(record).filter(([name]) => !siteFigureNames.includes(name as 'domain_age')))
  const itself = { type: row['competitor'] ? 'competitor' : 'site', ...place }
  const measured = siteFigureNames.filter((name) => row[`${name}_on`])
  const days = [...Map.groupBy(measured, (name) => row[`${name}_on`])]
  const figuresOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, record[name] ?? null]))
  return [itself, ...days.map(([day, names]) => ({ type: 'snapshot', ...place, day, ...figuresOf(names) }))]
}
