/** A mailed report as a PDF with embedded fonts, running heads and page numbers, made without a browser. */

import PDFDocument from 'pdfkit'
import { logoPng } from './drawing.ts'
import { isolated, missingCharacters } from './fonts.ts'
import { inks } from './inks.ts'
import type { Letterhead } from './letter.ts'
import type { MailedReport, MailedSite } from './report/mailed-report.ts'
import { decoration, margin, openPaper, type Paper, paragraph, roomOf, type Sheet } from './sheet/paper.ts'
import { writeLines } from './sheet/sheet-lines.ts'
import { heightOf, writeSite } from './sheet/sheet-site.ts'
import { registerFaces, widthOfText, writeText } from './sheet-text.ts'

const headHeight = 30
const logoBox = [150, 36] as const
/** The first site begins below the list and may go on overleaf, because its page would otherwise be empty but for the list. */
const leastBelowList = 260

export async function pdfOf(head: Letterhead, report: MailedReport): Promise<Buffer> {
  const sheet = new PDFDocument({
    size: 'A4',
    margins: { top: margin + headHeight, bottom: margin + 10, left: margin, right: margin },
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: `${report.accountName}, ${report.period}`, Author: head.brandName },
  })
  registerFaces(sheet)
  const chunks: Buffer[] = []
  sheet.on('data', (chunk: Buffer) => chunks.push(chunk))
  const isDone = new Promise((resolve) => sheet.once('end', resolve))
  if (head.logo !== null) {
    const logo = await logoPng(head.logo, ...logoBox)
    const [x, y] = [sheet.page.width - margin - logoBox[0], margin + headHeight]
    decoration(sheet, () => sheet.image(logo, x, y, { width: logoBox[0] }))
  }
  const paper = openPaper(sheet)
  writeReport(paper, report)
  paper.part.end()
  numberPages(sheet, head, report)
  sheet.end()
  await isDone
  return Buffer.concat(chunks)
}

function writeReport(paper: Paper, report: MailedReport): void {
  const { sheet } = paper
  const { accountName, period, sentence, summary, sites } = report
  paragraph(paper, accountName, { weight: 'bold', size: 20, type: 'H1' })
  paragraph(paper, period, { size: 11, color: inks.quiet })
  for (const text of sentence === '' ? [] : sentence.split('\n')) paragraph(paper, text, { size: 11, before: 6 })
  if (summary !== '') paragraph(paper, summary, { size: 11, before: 6 })
  writeLines(paper, report)
  for (const [index, site] of sites.entries()) {
    if (index > 0) separate(sheet, heightOf(sheet, site))
    else if (report.lines.length > 0) separate(sheet, leastBelowList)
    writeSite(paper, site)
  }
  if (missingFrom(report) > 0) paragraph(paper, missingSentence(missingFrom(report)), { size: 10, color: inks.quiet, before: 12 })
}

/** The number of characters that no font has; the PDF mentions it, because the replacement character does not tell what is missing. */
function missingFrom({ accountName, sentence, lines, sites }: MailedReport): number {
  const names = [...lines.map(({ name }) => name), ...sites.flatMap(textsOf)]
  return missingCharacters([accountName, sentence, ...names].join('').replaceAll('\n', '')).length
}

function textsOf({ name, businessName, moves, reviews }: MailedSite): string[] {
  const phrases = moves.flatMap(({ moves: some }) => some.map(({ phrase }) => phrase))
  return [name, businessName, ...phrases, ...(reviews?.reviews ?? []).map(({ text }) => text)]
}

function missingSentence(amount: number): string {
  const what = amount === 1 ? 'One character of these names' : `${amount} characters of these names`
  return `${what} cannot be printed; \ufffd stands in ${amount === 1 ? 'its' : 'their'} place.`
}

/** A site begins below what is before it if it fits there, otherwise on a page of its own. */
function separate(sheet: Sheet, height: number): void {
  const gap = 26
  if (sheet.y + gap + height > sheet.page.height - sheet.page.margins.bottom) return void sheet.addPage()
  sheet.y += gap / 2
  decoration(sheet, () =>
    sheet
      .moveTo(margin, sheet.y)
      .lineTo(sheet.page.width - margin, sheet.y)
      .lineWidth(0.5)
      .stroke(inks.quiet),
  )
  sheet.y += gap / 4
}

function numberPages(sheet: Sheet, { brandName, support }: Letterhead, { accountName, period }: MailedReport): void {
  const { count } = sheet.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    sheet.switchToPage(index)
    // Written outside the margins, which would otherwise start another page.
    sheet.page.margins.bottom = 0
    const look = { size: 9, color: inks.quiet } as const
    const [head, number] = [[brandName, accountName, period].map(isolated).join(' · '), `${index + 1} of ${count}`]
    const [foot, width] = [sheet.page.height - margin, roomOf(sheet)]
    decoration(sheet, () => {
      writeText(sheet, head, { ...look, x: margin, y: margin - 10, fitInto: width })
      const questions = support === null ? '' : `Questions? ${support}`
      writeText(sheet, questions, { ...look, x: margin, y: foot, fitInto: width - 80 })
      writeText(sheet, number, { ...look, x: sheet.page.width - margin - widthOfText(sheet, number, look), y: foot, fitInto: width })
    })
  }
}
