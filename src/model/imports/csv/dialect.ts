/** Detects the delimiter of a CSV file, and where its header begins if a tool has written something above it. */

import { parse } from 'csv-parse/sync'
import { mostRowsAbove } from './heading.ts'

/** The delimiter, the text from the header on, and how many lines of the file stand before that text. */
interface Dialect {
  readonly delimiter: string
  readonly rest: string
  readonly skipped: number
}

/** A header that is longer shows its delimiter before. */
const delimiterCharacters = 1 << 14
const delimiters = [',', ';', '\t', '|']

/** `sep=;` states the delimiter; otherwise it is the one with which a row can be read as a header, or the most frequent one of the first line outside of quotes. */
export function dialectOf(text: string, skipped: number, isHeader?: (cells: readonly string[]) => boolean): Dialect {
  const told = /^sep=(.)\r?\n/i.exec(text)
  if (told) return { delimiter: told[1] as string, rest: text.slice(told[0].length), skipped: skipped + 1 }
  const line = (text.trimStart().slice(0, delimiterCharacters).split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '')
  const [likely = ','] = delimiters.toSorted((a, b) => line.split(b).length - line.split(a).length)
  const header = isHeader === undefined ? undefined : headerIn(text, [likely, ...delimiters.filter((each) => each !== likely)], isHeader)
  if (header === undefined) return { delimiter: likely, rest: text, skipped }
  const at = endOfLines(text, header.line)
  return { delimiter: header.delimiter, rest: text.slice(at), skipped: skipped + header.line }
}

/** The header, and the number of lines before it. */
function headerIn(text: string, tried: readonly string[], isHeader: (cells: readonly string[]) => boolean) {
  const sample = text.length > delimiterCharacters ? text.slice(0, Math.max(text.lastIndexOf('\n', delimiterCharacters), 0)) : text
  for (const delimiter of tried) {
    let before = 0
    for (const { record, info } of sampleRows(sample, delimiter)) {
      if (isHeader(record)) return { delimiter, line: before }
      before = info.lines
    }
  }
  return undefined
}

interface SampleRow {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

/** None where the text cannot be split: the reader says later why. */
function sampleRows(sample: string, delimiter: string): readonly SampleRow[] {
  const options = { delimiter, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, to: mostRowsAbove }
  try {
    return parse(sample, { ...options, record_delimiter: ['\r\n', '\n', '\r'] } as object) as unknown as SampleRow[]
  } catch {
    return []
  }
}

/** Where the text begins after so many lines. */
function endOfLines(text: string, many: number): number {
  let at = 0
  const end = /\r\n|\n|\r/g
  for (let line = 0; line < many; line += 1) at = end.exec(text) === null ? text.length : end.lastIndex
  return at
}
