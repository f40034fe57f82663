/** A table of plain values, written as HTML for a chart and as a CSV file with the same rows. */

import { csvCells } from '../../fields/to-csv.ts'
import { type Html, html, raw } from '../../lib/html.ts'
import type { Words } from './number-format.ts'

export type Cell = string | number | null

type ColumnKind = 'text' | 'whole' | 'decimal' | 'seconds' | 'percent' | 'day'

export interface Column {
  readonly label: string
  readonly kind: ColumnKind
  /** The text of an empty cell on a page; a CSV file leaves it empty. */
  readonly empty?: string
  /** Less is better, so that the change that the script shows is that of places gained. */
  readonly isPlace?: true
}

export interface PageTable {
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** The position of each row on the chart's time axis, from 0 to 1, for the script's hover. */
  readonly at?: readonly number[]
}

export function tableHtml(words: Words, table: PageTable): Html {
  return markup(words, table, false)
}

/** On a phone each row becomes a block with a label above each value, because many columns would be cut off. */
export function stackedTable(words: Words, table: PageTable): Html {
  return markup(words, table, true)
}

function markup(words: Words, table: PageTable, isStacked: boolean): Html {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="${table.caption}">
      <table${isStacked ? raw(' class="stacks"') : null}>
        <caption>${table.caption}</caption>
        <thead>
          <tr>${table.columns.map((column, index) => html`<th scope="col"${index === 0 ? null : numeric(column)}${column.isPlace ? raw(' data-place') : null}>${column.label}</th>`)}</tr>
        </thead>
        <tbody>${table.rows.map((row, index) => rowHtml(words, table, row, index, isStacked))}</tbody>
      </table>
    </div>
  `
}

/** A row is built as one string, because a chart's table has thousands of cells. Formatted numbers are inserted without escaping; text is escaped. */
function rowHtml(words: Words, { columns, at }: PageTable, row: readonly Cell[], index: number, isStacked: boolean): Html {
  const place = at?.[index]
  let cells = `<tr${place === undefined ? '' : ` data-at="${placeText(place)}"`}><th scope="row">${headText(words, columns[0] as Column, row[0] ?? null)}</th>`
  for (let c = 1; c < row.length; c++) cells += cellText(words, columns[c] as Column, row[c] ?? null, place !== undefined, isStacked)
  return raw(`${cells}</tr>`)
}

function placeText(place: number): string {
  return String(Math.round(place * 10_000) / 10_000)
}

/** A formatted day needs no escaping. */
function headText(words: Words, column: Column, cell: Cell): string {
  const text = textOf(words, column, cell)
  return column.kind === 'day' && cell !== null ? text : breakable(text).toString()
}

function cellText(words: Words, column: Column, cell: Cell, isOnAxis: boolean, isStacked: boolean): string {
  const mark = `${isText(column) ? '' : ' class="n"'}${isStacked ? ` data-l="${html`${column.label}`}"` : ''}`
  if (typeof cell !== 'number') return `<td${mark}>${html`${textOf(words, column, cell)}`}</td>`
  // For the script's hover, which shows the change since the row before; it reads the text itself where that is the plain number.
  const [value, said] = [String(Math.round(cell * 100) / 100), sayNumber(words, column.kind, cell)]
  return `<td${mark}${isOnAxis && value !== said ? ` data-v="${value}"` : ''}>${said}</td>`
}

function textOf(words: Words, column: Column, cell: Cell): string {
  return cell === null ? (column.empty ?? '–') : sayCell(words, column.kind, cell)
}

/** Lets a long domain break after its dots. */
export function breakable(text: string): Html {
  if (!text.includes('.')) return html`${text}`
  const [first = '', ...others] = text.split('.')
  return html`${first}${others.map((part) => html`.<wbr>${part}`)}`
}

function numeric(column: Column): Html | null {
  return isText(column) ? null : raw(' class="n"')
}

function isText({ kind }: Column): boolean {
  return kind === 'text' || kind === 'day'
}

function sayCell(words: Words, kind: ColumnKind, cell: string | number): string {
  return typeof cell === 'string' ? (kind === 'day' ? words.day(cell) : cell) : sayNumber(words, kind, cell)
}

function sayNumber(words: Words, kind: ColumnKind, value: number): string {
  if (kind === 'decimal') return words.decimal(value)
  if (kind === 'seconds') return words.seconds(value)
  return kind === 'percent' ? words.percent(value) : words.whole(value)
}

/** RFC 4180 with a byte order mark, because spreadsheets read UTF-8 only with one. */
export function tableCsv(table: PageTable): string {
  return csvHead(table) + csvRows(table)
}

export function csvHead({ columns }: PageTable): string {
  return `\uFEFF${csvCells(columns.map(({ label }) => label))}\r\n`
}

export function csvRows({ rows }: PageTable): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return csvCells([cell])
  return String(Math.round(cell * 10_000) / 10_000)
}
