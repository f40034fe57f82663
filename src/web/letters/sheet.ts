/** A mailed report as a PDF with embedded fonts, running heads and page numbers, made without a browser. */

import PDFDocument from 'pdfkit'
import { type Drawing, type Drawn, logoPng } from './drawing.ts'
import { isolated, missingCharacters } from './fonts.ts'
import type { Letterhead } from './letter.ts'
import { leftOutSentence, type MailedReport, type MailedSite } from './mailed-report.ts'
import { registerFaces, widthOfText, writeText } from './sheet-text.ts'

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
  registerFaces(sheet)
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

function writeReport(sheet: Sheet, report: MailedReport): void {
  const { accountName, period, sentence, sites } = report
  const leftOut = leftOutSentence(report)
  line(sheet, accountName, { weight: 'bold', size: 20 })
  line(sheet, period, { size: 11, color: quiet })
  for (const text of sentence === '' ? [] : sentence.split('\n')) line(sheet, text, { size: 11, before: 6 })
  for (const [index, site] of sites.entries()) {
    if (index > 0) separate(sheet, heightOf(sheet, site))
    writeSite(sheet, site)
  }
  if (leftOut !== null) line(sheet, leftOut, { size: 10, color: quiet, before: 12 })
  if (missingFrom(report) > 0) line(sheet, missingSentence(missingFrom(report)), { size: 10, color: quiet, before: 12 })
}

/** The number of characters that no font has; the PDF mentions it, because the replacement character does not tell what is missing. */
function missingFrom({ accountName, sentence, sites }: MailedReport): number {
  return missingCharacters(
    [accountName, sentence.replaceAll('\n', ''), ...sites.flatMap(({ name, businessName }) => [name, businessName])].join(''),
  ).length
}

function missingSentence(amount: number): string {
  const what = amount === 1 ? 'One character of these names' : `${amount} characters of these names`
  return `${what} cannot be printed; \ufffd stands in ${amount === 1 ? 'its' : 'their'} place.`
}

function writeSite(sheet: Sheet, site: MailedSite): void {
  line(sheet, site.name, { weight: 'bold', size: 15, before: 14 })
  line(sheet, site.businessName, { size: 10, color: quiet })
  for (const sentence of site.sentences) line(sheet, sentence, { size: 11, before: 6 })
  if (site.attention.length > 0) line(sheet, `Needs attention: ${site.attention.join('; ')}.`, { weight: 'bold', size: 11, before: 6 })
  writeFigures(sheet, site)
  for (const { title, drawing } of site.charts) writeChart(sheet, title, drawing)
}

/** A site begins below the one before if it fits there, otherwise on a page of its own. */
function separate(sheet: Sheet, height: number): void {
  const gap = 26
  if (sheet.y + gap + height > sheet.page.height - sheet.page.margins.bottom) return void sheet.addPage()
  sheet.y += gap / 2
  sheet
    .moveTo(margin, sheet.y)
    .lineTo(sheet.page.width - margin, sheet.y)
    .lineWidth(0.5)
    .stroke(quiet)
  sheet.y += gap / 4
}

/** About as high as `writeSite` makes it. */
function heightOf(sheet: Sheet, { name, businessName, sentences, attention, figures, charts }: MailedSite): number {
  const room = sheet.page.width - 2 * margin
  const lines = (text: string, size: number) => Math.ceil((widthOfText(sheet, text, { size }) * 1.1) / room) * size * 1.4
  const reasons = attention.length === 0 ? 0 : lines(`Needs attention: ${attention.join('; ')}.`, 11) + 6
  const told = sentences.reduce((sum, sentence) => sum + lines(sentence, 11) + 6, lines(name, 15) + lines(businessName, 10) + 14)
  const drawn = charts.reduce((sum, { drawing }) => sum + (drawing.height * room) / drawing.width + 40, 0)
  return told + reasons + 12 + Math.ceil(figures.length / perRow) * rowHeight + drawn
}

function writeFigures(sheet: Sheet, { figures }: MailedSite): void {
  const width = (sheet.page.width - 2 * margin) / perRow
  sheet.y += 12
  for (let at = 0; at < figures.length; at += perRow) {
    keepTogether(sheet, rowHeight)
    const top = sheet.y
    for (const [column, { label, value, change }] of figures.slice(at, at + perRow).entries()) {
      const x = margin + column * width
      writeText(sheet, label, { size: 9, color: quiet, x, y: top, fitInto: width - 10 })
      writeText(sheet, value, { weight: 'bold', size: 16, color: ink, x, y: top + 12, fitInto: width - 10 })
      writeText(sheet, change, { size: 9, color: quiet, x, y: top + 33, fitInto: width - 10 })
    }
    sheet.x = margin
    sheet.y = top + rowHeight
  }
}

function writeChart(sheet: Sheet, title: string, drawing: Drawing): void {
  const scale = (sheet.page.width - 2 * margin) / drawing.width
  keepTogether(sheet, drawing.height * scale + 30)
  line(sheet, title, { weight: 'bold', size: 12, before: 8 })
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
  const width = widthOfText(sheet, text, { size })
  const shift = { start: 0, middle: width / 2, end: width }[anchor]
  // The point is on the baseline of the text.
  writeText(sheet, text, { size, color, x: at[0] - shift, y: at[1] - size * 1.07, fitInto: Number.POSITIVE_INFINITY })
}

interface LineLook {
  readonly weight?: 'regular' | 'bold'
  readonly size: number
  readonly color?: string
  readonly before?: number
}

function line(sheet: Sheet, text: string, { weight = 'regular', size, color = ink, before = 0 }: LineLook): void {
  sheet.y += before
  keepTogether(sheet, size * 2)
  writeText(sheet, text, { weight, size, color, x: margin, y: sheet.y, wrapInto: sheet.page.width - 2 * margin })
}

function keepTogether(sheet: Sheet, height: number): void {
  if (sheet.y + height > sheet.page.height - sheet.page.margins.bottom) sheet.addPage()
}

function numberPages(sheet: Sheet, { brandName, support }: Letterhead, { accountName, period }: MailedReport): void {
  const { count } = sheet.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    sheet.switchToPage(index)
    const width = sheet.page.width - 2 * margin
    // Written outside the margins, which would otherwise start another page.
    sheet.page.margins.bottom = 0
    const look = { size: 9, color: quiet } as const
    const [head, number] = [[brandName, accountName, period].map(isolated).join(' · '), `${index + 1} of ${count}`]
    writeText(sheet, head, { ...look, x: margin, y: margin - 10, fitInto: width })
    writeText(sheet, support === null ? '' : `Questions? ${support}`, {
      ...look,
      x: margin,
      y: sheet.page.height - margin,
      fitInto: width - 80,
    })
    const x = sheet.page.width - margin - widthOfText(sheet, number, look)
    writeText(sheet, number, { ...look, x, y: sheet.page.height - margin, fitInto: width })
  }
}
