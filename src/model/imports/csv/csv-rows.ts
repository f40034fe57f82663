/** Splits CSV into rows: detects the delimiter, and keeps the line on which each row begins. */

import { Readable } from 'node:stream'
import { type Parser, parse } from 'csv-parse'
import { refuse } from '../../../lib/failures.ts'
import type { ImportLine } from '../import-line.ts'
import { lineBlocks, maxLineBytes } from '../read/lines.ts'
import { dialectOf } from './dialect.ts'

interface CsvRow {
  readonly record: readonly string[]
  /** The line on which the row begins. */
  readonly line: number
}

export interface CsvSplitting {
  readonly maxCells: number
  /** Whether the cells are a header; without it, the first line is taken for it. */
  readonly isHeader?: ((cells: readonly string[]) => boolean) | undefined
  /** How many lines of the file are no part of the table. */
  readonly skipLines: number
}

interface ParsedRow {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** The shortest rows of so many bytes are some thousands. */
const bytesPerPiece = 1 << 12

/** Ends the reading of a file whose rest cannot be split into rows. */
export class Unreadable extends Error {
  readonly arrival: ImportLine

  constructor(arrival: ImportLine) {
    super(arrival.fault?.code)
    this.arrival = arrival
  }
}

export async function* rowsOf(bytes: AsyncIterable<Uint8Array>, { maxCells, isHeader, skipLines }: CsvSplitting): AsyncGenerator<CsvRow> {
  const texts = withoutLines(textOf(bytes), skipLines)
  const { value: first = '', done } = await texts.next()
  if (done) return
  const { delimiter, rest, skipped } = dialectOf(first.replace(/^\ufeff/, ''), skipLines, isHeader)
  const places = new RowPlaces(skipped, maxCells)
  const parser = parserOf(delimiter, places)
  const whole = Readable.from(pieces(rejoined(rest, texts))).compose(parser) as AsyncIterable<CsvRow>
  try {
    for await (const row of whole) {
      if (row.record.length > maxCells) refuseWide(row, maxCells)
      yield row
    }
  } catch (error) {
    throw unreadable(error, places)
  }
}

function parserOf(delimiter: string, places: RowPlaces): Parser {
  const options = { info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: maxLineBytes, delimiter }
  // All three line ends are accepted, because files joined from several may mix them.
  const parser = parse({
    bom: true,
    ...options,
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (row: ParsedRow) => {
      // Every row is the first to it: of a row with another number of cells than the first it would make an error with a copy of them, and drop it.
      Object.assign(parser.info, { records: 0 })
      return places.placed(row)
    },
  } as object)
  return parser
}

/** Tracks the line on which each row begins. The parser reports where a row ends, and counts a CRLF within quotes twice. */
class RowPlaces {
  /** The difference between the parser's line numbers and those of the file. */
  ahead: number
  /** The line on which the last row ended. */
  ended: number
  readonly #maxCells: number

  constructor(skipped: number, maxCells: number) {
    this.#maxCells = maxCells
    this.ahead = skipped
    this.ended = skipped
  }

  placed({ record, info }: ParsedRow): CsvRow {
    // A row of more cells is refused, so it is not looked through.
    const some = record.length > this.#maxCells ? [] : record
    const within = some.filter((cell) => cell.includes('\n') || cell.includes('\r')).join(',')
    const twofold = countOf(within, '\r\n')
    this.ahead -= twofold
    this.ended = info.lines + this.ahead
    return { record, line: this.ended - (countOf(within, '\n') + countOf(within, '\r') - twofold) }
  }
}

/** Without parts of the text, because a cell may have very many lines. */
function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1
  return count
}

function refuseWide({ line }: CsvRow, maxCells: number): never {
  const sentence = `The row at line ${line} has more than ${maxCells.toLocaleString('en-US')} cells: leave out columns`
  return refuse('too_large', `${sentence}, or upload the file to /api/intakes; nothing was stored`)
}

/** The parser parses each piece in one go, and all that are there one after the other. Bytes may be parted anywhere, a text between two surrogates not. */
async function* pieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += bytesPerPiece) {
      yield bytes.subarray(at, at + bytesPerPiece)
    }
  }
}

async function* rejoined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** The text after so many lines. */
async function* withoutLines(texts: AsyncIterable<string>, many: number): AsyncGenerator<string> {
  let left = many
  for await (const text of texts) {
    let at = 0
    while (left > 0 && at <= text.length) {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length + 1 : end + 1
      if (end >= 0) left -= 1
    }
    if (left === 0 && at <= text.length) yield text.slice(at)
  }
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
