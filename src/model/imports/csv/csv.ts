/** Reads CSV files: splits them into rows, which are then read like those of any table. */

import type { Incoming } from '../../../fields/incoming.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import type { ImportLine } from '../import-line.ts'
import { quotedCell } from './cells.ts'
import { rowsOf } from './csv-rows.ts'
import { isHeading, tableHeading } from './heading.ts'
import { readTable, type TableReading } from './table.ts'

export interface CsvReading extends TableReading {
  /** Refuses a row of more cells. */
  readonly maxCells?: number
}

export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  mapping: CsvMapping = {},
  reading: CsvReading = {},
): AsyncGenerator<ImportLine[]> {
  const { maxCells = Number.POSITIVE_INFINITY, isPlain = false } = reading
  const isHeader = isPlain ? undefined : (cells: readonly string[]) => isHeading(tableHeading(cells, mapping))
  yield* readTable(rowsOf(bytes, { maxCells, isHeader, skipLines: mapping.skipLines ?? 0 }), mapping, reading)
}

/** The header row of a template, and an example row. */
export function csvTemplate(kind: ObservationKind): string {
  const fields = Object.entries<Incoming>(observations[kind].fields).filter(([name]) => name !== 'account')
  const row = fields.map(([, field]) => quotedCell(field.example === null ? '' : String(field.example)))
  return `${fields.map(([name]) => name).join(',')}\n${row.join(',')}\n`
}
