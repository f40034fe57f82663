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
}

export interface PageTable {
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** The position of each row on the chart's time axis, from 0 to 1, for the script's hover. */
  readonly at?: readonly number[]
}

export function tableHtml(words: Words, table: PageTable): Html {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="${table.caption}">
      <table>
        <caption>${table.caption}</caption>
        <thead>
          <tr>${table.columns.map((column) => html`<th scope="col"${numeric(column)}>${column.label}</th>`)}</tr>
        </thead>
        <tbody>${table.rows.map((row, index) => rowHtml(words, table, row, index))}</tbody>
      </table>
    </div>
  `
}

function rowHtml(words: Words, table: PageTable, row: readonly Cell[], index: number): Html {
  const at = table.at?.[index]
  const [first = null, ...others] = row
  const head = breakable(textOf(words, table.columns[0] as Column, first))
  const cells = others.map((cell, c) => cellHtml(words, table.columns[c + 1] as Column, cell, at !== undefined))
  return html`<tr${at === undefined ? null : raw(` data-at="${at.toFixed(4)}"`)}><th scope="row">${head}</th>${cells}</tr>`
}

/** A formatted number is inserted without escaping, because a chart's table has thousands; text is escaped. */
function cellHtml(words: Words, column: Column, cell: Cell, isOnAxis: boolean): Html {
  if (typeof cell !== 'number') return html`<td${numeric(column)}>${textOf(words, column, cell)}</td>`
  // For the script's hover, which shows the change since the row before.
  const value = isOnAxis ? ` data-v="${Math.round(cell * 100) / 100}"` : ''
  return raw(`<td${isText(column) ? '' : ' class="n"'}${value}>${sayNumber(words, column.kind, cell)}</td>`)
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
