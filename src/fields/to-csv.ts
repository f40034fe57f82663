/** CSV for spreadsheets (RFC 4180): one line per record, with text escaped that a spreadsheet would take for a formula. */

import { scrub } from '../lib/xml/xml.ts'
import { kinds } from './kinds.ts'
import type { RecordOf, Scalar } from './shape.ts'

type Columns = Readonly<Record<string, Scalar>>
type Cell = string | number | null

/** The byte order mark, without which spreadsheets do not read UTF-8. */
export const csvMark = '\ufeff'

export function csvHeader(columns: Columns): string {
  return `${Object.keys(columns).join()}\r\n`
}

/** Compiles a function that writes a line without its line end. */
export function compileCsv<S extends Columns>(columns: S): (record: RecordOf<S>) => string {
  const cells = Object.entries(columns).map(([name, { kind }]) => ({ name, ...kinds[kind] }))
  return (record) =>
    cells
      .map(({ name, isFreeText, write }) =>
        cell((record as Record<string, Cell>)[name] ?? null, isFreeText, write as (value: unknown) => string),
      )
      .join()
}

export function csvCells(texts: readonly string[]): string {
  return texts.map(textCell).join()
}

function cell(value: Cell, isFreeText: boolean, write: (value: unknown) => string): string {
  if (value === null) return ''
  return isFreeText ? textCell(String(value)) : write(value)
}

function textCell(text: string): string {
  const harmless = scrub(guardedStart.test(text) ? `'${text}` : text)
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Removes the apostrophe that was put before the text when the cell was written. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") ? cell.slice(1) : cell
}

// Includes the wide and small forms, which some spreadsheets treat alike, what is not visible before them, which some remove, and the apostrophe itself, so that it can be removed again.
const guardedStart = /^(?:['\t\r\n]|[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/u
