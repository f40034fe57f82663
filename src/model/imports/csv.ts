/** CSV files: a header that fits one kind of record, then a record a row. An empty cell is an absent field. */

import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import type { Incoming } from '../../fields/incoming.ts'
import { type ObservationKind, observationKinds, observations } from '../../resources/observation.ts'
import type { ImportLine } from './check.ts'
import { lineBlocks, maxLineBytes } from './lines.ts'

interface Row {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

interface Header {
  readonly kind: ObservationKind
  readonly names: readonly string[]
}

const arrivalsPerBatch = 1000

export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ImportLine[]> {
  let header: Header | undefined
  let batch: ImportLine[] = []
  try {
    for await (const { record, info } of rowsOf(bytes)) {
      if (header === undefined) header = readHeader(record)
      else batch.push(arrivalOf(header, record, firstLine(record, info.lines)))
      if (batch.length === arrivalsPerBatch) {
        yield batch
        batch = []
      }
    }
  } catch (error) {
    batch.push(faultOf(error))
  }
  yield batch
}

/** The header row of a template, and a row that shows what goes below it. */
export function csvTemplate(kind: ObservationKind): string {
  const fields = Object.entries<Incoming>(observations[kind].fields).filter(([name]) => name !== 'account')
  const row = fields.map(([, field]) => quoted(field.example === null ? '' : String(field.example)))
  return `${fields.map(([name]) => name).join(',')}\n${row.join(',')}\n`
}

/** What ends the reading of a file: the rest of it cannot be told apart. */
class Unreadable extends Error {
  readonly arrival: ImportLine

  constructor(arrival: ImportLine) {
    super(arrival.fault?.code)
    this.arrival = arrival
  }
}

function rowsOf(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Row> {
  const parser = parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: maxLineBytes })
  return Readable.from(textOf(bytes)).compose(parser) as AsyncIterable<Row>
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

function readHeader(cells: readonly string[]): Header {
  const names = cells.map((cell) => cell.trim())
  const fitting = observationKinds.filter((kind) => fits(observations[kind].fields, names))
  const [kind] = fitting
  if (kind === undefined || fitting.length > 1) throw new Unreadable({ line: 1, fault: { field: '', code: 'columns' } })
  return { kind, names }
}

/** Every column is a field of the kind, and none that must be given is missing; the site may be named beside the file. */
function fits(fields: Readonly<Record<string, Incoming>>, names: readonly string[]): boolean {
  const isKnown = names.every((name, i) => Object.hasOwn(fields, name) && names.indexOf(name) === i)
  return isKnown && Object.entries(fields).every(([name, field]) => !field.required || name === 'site' || names.includes(name))
}

function arrivalOf({ kind, names }: Header, cells: readonly string[], line: number): ImportLine {
  if (cells.length !== names.length) return { line, fault: { field: '', code: 'cells' } }
  const record: Record<string, unknown> = { type: kind }
  for (const [i, name] of names.entries()) {
    const cell = cells[i] as string
    if (cell !== '') record[name] = cellValue((observations[kind].fields as Record<string, Incoming>)[name] as Incoming, cell)
  }
  return { line, record }
}

function cellValue(field: Incoming, cell: string): unknown {
  return field.nullable && cell === 'null' ? null : field.cell(cell)
}

/** The parser counts to where a row ends. */
function firstLine(cells: readonly string[], lastLine: number): number {
  return lastLine - cells.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0)
}

function faultOf(error: unknown): ImportLine {
  if (error instanceof Unreadable) return error.arrival
  const { lines, message } = error as { lines?: number; message: string }
  if (lines === undefined) throw error
  return { line: lines, fault: { field: '', code: 'not_csv', detail: message } }
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
