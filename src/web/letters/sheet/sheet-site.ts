/** One site on paper: sentences, figures, the chart, what moved, and reviews. */

import type { Drawing, Drawn } from '../drawing.ts'
import { inks } from '../inks.ts'
import type { MailedChart, MailedFigure, MailedMove, MailedMoves, MailedSite } from '../report/mailed-report.ts'
import { widthOfText, writeText } from '../sheet-text.ts'
import { keepTogether, margin, type Paper, paragraph, piece, roomOf, type Sheet } from './paper.ts'
import { writePill } from './sheet-change.ts'

const perRow = 3
const rowHeight = 56
const moveHeight = 16

export function writeSite(paper: Paper, site: MailedSite): void {
  const { sheet } = paper
  paragraph(paper, site.name, { weight: 'bold', size: 15, before: 14, type: 'H2' })
  paragraph(paper, site.businessName, { size: 10, color: inks.quiet })
  for (const sentence of site.sentences) paragraph(paper, sentence, { size: 11, before: 6 })
  if (site.attention.length > 0)
    paragraph(paper, `Needs attention: ${site.attention.join('; ')}.`, { weight: 'bold', size: 11, before: 6, color: inks.look })
  writeFigures(paper, site)
  for (const chart of site.charts) writeChart(paper, chart)
  for (const moves of site.moves) writeMoves(paper, moves)
  if (site.reviews === null) return
  paragraph(paper, site.reviews.title, { weight: 'bold', size: 12, before: 8, type: 'H3' })
  for (const { stars, text, from } of site.reviews.reviews) {
    paragraph(paper, `${stars} of 5 stars, ${from}`, { size: 9, color: inks.quiet, before: 3 })
    paragraph(paper, text, { size: 10 })
  }
  sheet.x = margin
}

/** About as high as `writeSite` makes it. */
export function heightOf(sheet: Sheet, site: MailedSite): number {
  const { name, businessName, sentences, attention, figures, charts, moves, reviews } = site
  const room = roomOf(sheet)
  const lines = (text: string, size: number) => Math.ceil((widthOfText(sheet, text, { size }) * 1.1) / room) * size * 1.4
  const reasons = attention.length === 0 ? 0 : lines(`Needs attention: ${attention.join('; ')}.`, 11) + 6
  const told = sentences.reduce((sum, sentence) => sum + lines(sentence, 11) + 6, lines(name, 15) + lines(businessName, 10) + 14)
  const drawn = charts.reduce((sum, chart) => sum + heightOfChart(sheet, chart.draw('paper')) + 26, 0)
  const moved = moves.reduce((sum, { moves: some }) => sum + 26 + some.length * moveHeight, 0)
  const quoted = (reviews?.reviews ?? []).reduce((sum, { text }) => sum + lines(text, 10) + 16, reviews === null ? 0 : 26)
  return told + reasons + 12 + Math.ceil(figures.length / perRow) * heightOfRow(figures) + drawn + moved + quoted
}

function writeFigures(paper: Paper, { figures }: MailedSite): void {
  const { sheet } = paper
  const width = roomOf(sheet) / perRow
  sheet.y += 12
  for (let at = 0; at < figures.length; at += perRow) {
    const row = figures.slice(at, at + perRow)
    const height = heightOfRow(row)
    keepTogether(sheet, height)
    const top = sheet.y
    for (const [column, figure] of row.entries())
      piece(paper, 'P', () => writeFigure(sheet, figure, { x: margin + column * width, top, fitInto: width - 10 }), {
        actual: spokenFigure(figure),
      })
    sheet.x = margin
    sheet.y = top + height
  }
}

function spokenFigure({ label, value, change, note }: MailedFigure): string {
  return [`${label}: ${value}`, change?.words, note].filter(Boolean).join(', ')
}

/** A note stands below the change. */
function heightOfRow(row: readonly MailedFigure[]): number {
  return row.some(({ change, note }) => change !== null && note !== '') ? rowHeight + 14 : rowHeight
}

interface FigurePlace {
  readonly x: number
  readonly top: number
  readonly fitInto: number
}

function writeFigure(sheet: Sheet, { label, value, change, note }: MailedFigure, { x, top, fitInto }: FigurePlace): void {
  const small = { size: 9, color: inks.quiet, x, fitInto }
  writeText(sheet, label, { ...small, y: top })
  writeText(sheet, value, { weight: 'bold', size: 16, color: inks.text, x, y: top + 11, fitInto })
  if (change !== null) writePill(sheet, change, change.words, { ...small, y: top + 34 })
  if (note !== '') writeText(sheet, note, { ...small, y: change === null ? top + 34 : top + 49 })
}

function heightOfChart(sheet: Sheet, drawing: Drawing | null): number {
  return drawing === null ? 0 : (drawing.height * roomOf(sheet)) / drawing.width
}

function writeChart(paper: Paper, { title, alt, draw }: MailedChart): void {
  const { sheet } = paper
  const drawing = draw('paper')
  if (drawing === null) return
  const height = heightOfChart(sheet, drawing)
  keepTogether(sheet, height + 30)
  paragraph(paper, title, { weight: 'bold', size: 11, before: 6, type: 'H3' })
  const top = sheet.y + 4
  piece(
    paper,
    'Figure',
    () => {
      sheet
        .save()
        .translate(margin, top)
        .scale(roomOf(sheet) / drawing.width)
      for (const shape of drawing.shapes) drawShape(sheet, shape)
      sheet.restore()
    },
    { alt },
  )
  sheet.x = margin
  sheet.y = top + height + 2
}

function drawShape(sheet: Sheet, shape: Drawn): void {
  if (shape.kind === 'line') drawLine(sheet, shape)
  else if (shape.kind === 'dot') sheet.circle(shape.at[0], shape.at[1], shape.radius).fill(shape.color)
  else drawText(sheet, shape)
}

function drawLine(sheet: Sheet, { points, color, width }: Extract<Drawn, { kind: 'line' }>): void {
  const [first, ...rest] = points
  if (first === undefined) return
  sheet.moveTo(...first)
  for (const point of rest) sheet.lineTo(...point)
  sheet.lineWidth(width).lineJoin('round').lineCap('round').stroke(color)
}

function drawText(sheet: Sheet, { at, text, size, color, anchor }: Extract<Drawn, { kind: 'text' }>): void {
  const width = widthOfText(sheet, text, { size })
  const shift = { start: 0, middle: width / 2, end: width }[anchor]
  // The point is on the baseline of the text.
  writeText(sheet, text, { size, color, x: at[0] - shift, y: at[1] - size * 1.07, fitInto: Number.POSITIVE_INFINITY })
}

function writeMoves(paper: Paper, { title, moves }: MailedMoves): void {
  const { sheet } = paper
  keepTogether(sheet, 26 + moves.length * moveHeight)
  paragraph(paper, title, { weight: 'bold', size: 11, before: 6, type: 'H3' })
  sheet.y += 2
  for (const move of moves) {
    keepTogether(sheet, moveHeight)
    const y = sheet.y
    const { phrase, source, from, to, change } = move
    const actual = `${[phrase, source].filter(Boolean).join(', ')}: ${from} to ${to}, ${change.words}`
    piece(paper, 'P', () => writeMove(sheet, move, y), { actual })
    sheet.x = margin
    sheet.y = y + moveHeight
  }
}

function writeMove(sheet: Sheet, { phrase, source, from, to, change }: MailedMove, y: number): void {
  const look = { size: 10, y }
  const places = `${from} to ${to}`
  const right = sheet.page.width - margin
  writeText(sheet, source === '' ? phrase : `${phrase}, ${source}`, { ...look, color: inks.text, x: margin, fitInto: 300 })
  writeText(sheet, places, { ...look, color: inks.quiet, x: right - 90 - widthOfText(sheet, places, look), fitInto: 140 })
  writePill(sheet, change, change.short, { size: 9, x: right - 80, y, fitInto: 80 })
}
