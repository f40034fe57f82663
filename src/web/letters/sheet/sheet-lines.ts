/** The sites of an account on paper, one line each, and those that need attention with the reason. */

import type { Change } from '../../components/number-format.ts'
import { inks } from '../inks.ts'
import { detailSentence, leftOutSentence, type MailedLine, type MailedReport } from '../report/mailed-report.ts'
import { mostInFull } from '../report/read-report.ts'
import { widthOfText, writeText } from '../sheet-text.ts'
import { decoration, group, keepTogether, margin, type Paper, paragraph, piece, roomOf, type Sheet } from './paper.ts'
import { writePill } from './sheet-change.ts'

const size = 9
const rowHeight = 15
const reasonHeight = 13
/** The right edges of the columns of figures, and where their changes begin, measured from the right. */
// biome-ignore format: a table reads by its columns
const columns = [
  { label: 'Visibility',  value: 190, change: 186 },
  { label: 'Rating',      value: 100, change: 96 },
  { label: 'New reviews', value: 0,   change: 0 },
] as const
const nameRoom = 250

export function writeLines(paper: Paper, report: MailedReport): void {
  const { lines } = report
  if (lines.length === 0) return
  const { sheet } = paper
  sheet.y += 10
  group(paper, 'Table', (table) => {
    keepTogether(sheet, 3 * rowHeight)
    writeHead(table)
    for (const one of lines) writeRow(table, one)
  })
  const leftOut = leftOutSentence(report)
  if (leftOut !== null) paragraph(paper, leftOut, { size: 10, color: inks.quiet, before: 8 })
  const inFull = detailSentence(report, mostInFull.pdf)
  if (inFull !== null) paragraph(paper, inFull, { size: 11, before: 8 })
}

function writeHead({ sheet, part }: Paper): void {
  const y = sheet.y
  group({ sheet, part }, 'TR', (row) => {
    piece(row, 'TH', () => writeText(sheet, 'Site', { size, color: inks.quiet, x: margin, y, fitInto: nameRoom }))
    for (const { label, value } of columns) piece(row, 'TH', () => writeAt(sheet, label, inks.quiet, value, y))
  })
  next(sheet, y + rowHeight)
}

function writeRow({ sheet, part }: Paper, one: MailedLine): void {
  const { name, visibility, visibilityChange, rating, ratingChange, newReviews, attention } = one
  keepTogether(sheet, rowHeight + (attention.length > 0 ? reasonHeight : 0))
  const y = sheet.y
  decoration(sheet, () =>
    sheet
      .moveTo(margin, y - 2)
      .lineTo(sheet.page.width - margin, y - 2)
      .lineWidth(0.5)
      .stroke(inks.ruler),
  )
  group({ sheet, part }, 'TR', (row) => {
    group(row, 'TH', (head) => {
      piece(head, 'P', () => writeText(sheet, name, { size, color: inks.text, x: margin, y, fitInto: nameRoom }))
      const why = { size: 8, color: inks.look, x: margin, y: y + reasonHeight, fitInto: roomOf(sheet) }
      if (attention.length > 0) piece(head, 'P', () => writeText(sheet, attention.join('; '), why))
    })
    const figures = [
      [visibility, visibilityChange, columns[0]],
      [rating, ratingChange, columns[1]],
    ] as const
    for (const [text, change, column] of figures)
      piece(row, 'TD', () => writeFigure(sheet, text, change, column, y), {
        actual: [text ?? 'not measured', change?.words].filter(Boolean).join(', '),
      })
    piece(row, 'TD', () => writeAt(sheet, newReviews ?? '–', inks.text, columns[2].value, y))
  })
  next(sheet, y + rowHeight + (attention.length > 0 ? reasonHeight : 0))
}

function writeFigure(
  sheet: Sheet,
  text: string | null,
  change: Change | null,
  { value, change: at }: (typeof columns)[number],
  y: number,
): void {
  writeAt(sheet, text ?? '–', inks.text, value, y)
  if (change === null || change.arrow === 'same') return
  writePill(sheet, change, change.short, { size: 8, x: sheet.page.width - margin - at, y, fitInto: 60 })
}

/** With its right edge so far from that of the sheet. */
function writeAt(sheet: Sheet, text: string, color: string, fromRight: number, y: number): void {
  const x = sheet.page.width - margin - fromRight - widthOfText(sheet, text, { size })
  writeText(sheet, text, { size, color, x, y, fitInto: Number.POSITIVE_INFINITY })
}

function next(sheet: Sheet, y: number): void {
  sheet.x = margin
  sheet.y = y
}
