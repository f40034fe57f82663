/** A mailed report on paper: a PDF with its own fonts, running heads and page numbers, made without a browser. */

import { openSync } from 'fontkit'
import PDFDocument from 'pdfkit'
import { type Drawing, type Drawn, fontFiles, logoPng } from './drawing.ts'
import type { Letterhead } from './letter.ts'
import type { MailedReport, MailedSite } from './mailed-report.ts'

type Sheet = PDFKit.PDFDocument

const margin = 50
const headHeight = 30
const ink = '#1b1c22'
const quiet = '#5a5d66'
const perRow = 3
const rowHeight = 54
const logoBox = [150, 36] as const

export async function pdfOf(head: Letterhead, report: MailedReport): Promise<Buffer> {
  const sheet = new PDFDocument({
    size: 'A4',
    margins: { top: margin + headHeight, bottom: margin + 10, left: margin, right: margin },
    bufferPages: true,
    info: { Title: `${report.accountName}, ${report.period}`, Author: head.brandName },
  })
  sheet.registerFont('regular', fontFiles.regular).registerFont('bold', fontFiles.bold)
  const chunks: Buffer[] = []
  sheet.on('data', (chunk: Buffer) => chunks.push(chunk))
  const isDone = new Promise((resolve) => sheet.once('end', resolve))
  if (head.logo !== null)
    sheet.image(await logoPng(head.logo, ...logoBox), sheet.page.width - margin - logoBox[0], margin + headHeight, { width: logoBox[0] })
  writeReport(sheet, report)
  numberPages(sheet, head, report)
  sheet.end()
  await isDone
  return Buffer.concat(chunks)
}

/** Characters that none of our fonts draws; each is printed as U+FFFD. */
export function missingCharacters(text: string): string[] {
  return [...new Set(text)].filter((character) => !hasGlyph(character))
}

function writeReport(sheet: Sheet, { accountName, period, sites, leftOut }: MailedReport): void {
  line(sheet, accountName, { font: 'bold', size: 20 })
  line(sheet, period, { size: 11, color: quiet })
  for (const [index, site] of sites.entries()) {
    if (index > 0) sheet.addPage()
    writeSite(sheet, site)
  }
  if (leftOut > 0) line(sheet, `${leftOut} more sites of this account are not in this report.`, { size: 10, color: quiet, before: 12 })
}

function writeSite(sheet: Sheet, site: MailedSite): void {
  line(sheet, site.name, { font: 'bold', size: 15, before: 14 })
  line(sheet, site.businessName, { size: 10, color: quiet })
  for (const sentence of site.sentences) line(sheet, sentence, { size: 11, before: 6 })
  for (const reason of site.attention) line(sheet, `•  ${reason}`, { size: 11, before: 3 })
  writeFigures(sheet, site)
  for (const { title, drawing } of site.charts) writeChart(sheet, title, drawing)
}

function writeFigures(sheet: Sheet, { figures }: MailedSite): void {
  const width = (sheet.page.width - 2 * margin) / perRow
  sheet.y += 12
  for (let at = 0; at < figures.length; at += perRow) {
    keepTogether(sheet, rowHeight)
    const top = sheet.y
    for (const [column, { label, value, change }] of figures.slice(at, at + perRow).entries()) {
      const x = margin + column * width
      const options = { width: width - 10, lineBreak: false, ellipsis: true }
      sheet.font('regular').fontSize(9).fillColor(quiet).text(printable(label), x, top, options)
      sheet
        .font('bold')
        .fontSize(16)
        .fillColor(ink)
        .text(printable(value), x, top + 12, options)
      sheet
        .font('regular')
        .fontSize(9)
        .fillColor(quiet)
        .text(printable(change), x, top + 33, options)
    }
    sheet.x = margin
    sheet.y = top + rowHeight
  }
}

function writeChart(sheet: Sheet, title: string, drawing: Drawing): void {
  const scale = (sheet.page.width - 2 * margin) / drawing.width
  keepTogether(sheet, drawing.height * scale + 30)
  line(sheet, title, { font: 'bold', size: 12, before: 8 })
  const top = sheet.y + 4
  sheet.save().translate(margin, top).scale(scale)
  for (const shape of drawing.shapes) draw(sheet, shape)
  sheet.restore()
  sheet.x = margin
  sheet.y = top + drawing.height * scale + 6
}

function draw(sheet: Sheet, shape: Drawn): void {
  if (shape.kind === 'line') drawLine(sheet, shape)
  else if (shape.kind === 'dot') sheet.circle(shape.at[0], shape.at[1], shape.radius).fill(shape.color)
  else if (shape.kind === 'box') sheet.rect(shape.at[0], shape.at[1], shape.size[0], shape.size[1]).fill(shape.color)
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
  sheet.font('regular').fontSize(size).fillColor(color)
  const words = printable(text)
  const width = sheet.widthOfString(words)
  const shift = { start: 0, middle: width / 2, end: width }[anchor]
  // The point is on the base line of the letters.
  sheet.text(words, at[0] - shift, at[1] - size * 1.07, { lineBreak: false })
}

interface LineLook {
  readonly font?: 'regular' | 'bold'
  readonly size: number
  readonly color?: string
  readonly before?: number
}

function line(sheet: Sheet, text: string, { font = 'regular', size, color = ink, before = 0 }: LineLook): void {
  sheet.y += before
  keepTogether(sheet, size * 2)
  sheet
    .font(font)
    .fontSize(size)
    .fillColor(color)
    .text(printable(text), margin, sheet.y, { width: sheet.page.width - 2 * margin })
}

function keepTogether(sheet: Sheet, height: number): void {
  if (sheet.y + height > sheet.page.height - sheet.page.margins.bottom) sheet.addPage()
}

function numberPages(sheet: Sheet, { brandName }: Letterhead, { accountName, period }: MailedReport): void {
  const { count } = sheet.bufferedPageRange()
  for (let number = 0; number < count; number++) {
    sheet.switchToPage(number)
    const width = sheet.page.width - 2 * margin
    // Written outside the margins, which would begin another page.
    sheet.page.margins.bottom = 0
    sheet.font('regular').fontSize(9).fillColor(quiet)
    sheet.text(printable(`${brandName} · ${accountName} · ${period}`), margin, margin - 10, { width, lineBreak: false, ellipsis: true })
    sheet.text(`${number + 1} of ${count}`, margin, sheet.page.height - margin, { width, align: 'right', lineBreak: false })
  }
}

const font = openSync(fontFiles.regular)

function hasGlyph(character: string): boolean {
  return 'hasGlyphForCodePoint' in font && font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
}

/** Characters without a glyph become a visible mark instead of nothing. */
function printable(text: string): string {
  const missing = missingCharacters(text)
  return missing.length === 0 ? text : [...text].map((character) => (missing.includes(character) ? '\ufffd' : character)).join('')
}
