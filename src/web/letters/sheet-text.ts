/** Text on a PDF page: each run in the font that has its letters, wrapped into lines or cut to fit one. */

import { hasRightToLeft } from './bidi.ts'
import { type FaceName, faces, type TextRun, textRuns } from './fonts.ts'

type Sheet = PDFKit.PDFDocument

/** Metrics of Noto Sans, relative to the font size: the line height, and the distance of the baseline from the top. Text of every font uses this baseline. */
const lineHeight = 1.362
const ascender = 1.069

interface Look {
  readonly weight?: 'regular' | 'bold'
  readonly size: number
}

interface Placed extends Look {
  readonly color: string
  readonly x: number
  readonly y: number
  /** One line of this width, cut with an ellipsis if it is longer. */
  readonly fitInto?: number
  /** As many lines of this width as needed. */
  readonly wrapInto?: number
}

/** A font is read from its file when it is first used. */
export function registerFaces(sheet: Sheet): void {
  for (const [name, { regular, bold }] of Object.entries(faces))
    sheet.registerFont(`${name} regular`, regular).registerFont(`${name} bold`, bold)
}

export function writeText(sheet: Sheet, text: string, placed: Placed): void {
  const { fitInto, wrapInto, color } = placed
  sheet.fillColor(color)
  if (wrapInto === undefined) writeLine(sheet, fitInto === undefined ? text : fitted(sheet, text, placed, fitInto), placed)
  else if (hasRightToLeft(text)) writeLines(sheet, text, { ...placed, wrapInto })
  else wrap(sheet, text, { ...placed, wrapInto })
}

function writeLine(sheet: Sheet, line: string, placed: Placed): void {
  for (const [index, run] of textRuns(line).entries()) {
    useFace(sheet, run.face, placed)
    const options = { lineBreak: false, baseline: -ascender * placed.size, ...directionOf(run) }
    if (index === 0) sheet.text(run.text, placed.x, placed.y, options)
    else sheet.text(run.text, options)
  }
}

/** Lets the library break the lines, which works if everything is read from left to right. */
function wrap(sheet: Sheet, text: string, placed: Placed & { readonly wrapInto: number }): void {
  const runs = textRuns(text)
  for (const [index, run] of runs.entries()) {
    useFace(sheet, run.face, placed)
    const options = { width: placed.wrapInto, baseline: -ascender * placed.size, continued: index < runs.length - 1 }
    if (index === 0) sheet.text(run.text, placed.x, placed.y, options)
    else sheet.text(run.text, options)
  }
}

/** Fills the lines in reading order, and then writes each from left to right. */
function writeLines(sheet: Sheet, text: string, placed: Placed & { readonly wrapInto: number }): void {
  let y = placed.y
  for (const line of linesOf(sheet, text, placed, placed.wrapInto)) {
    writeLine(sheet, line, { ...placed, y })
    y += placed.size * lineHeight
  }
  sheet.x = placed.x
  sheet.y = y
}

/** A word longer than a line is cut. */
function linesOf(sheet: Sheet, text: string, look: Look, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && widthOfText(sheet, longer, look) <= width) lines[lines.length - 1] = longer
    else lines.push(fitted(sheet, word, look, width))
  }
  return lines
}

export function widthOfText(sheet: Sheet, text: string, look: Look): number {
  const widths = textRuns(text).map((run) => {
    useFace(sheet, run.face, look)
    return sheet.widthOfString(run.text, directionOf(run))
  })
  return widths.reduce((sum, width) => sum + width, 0)
}

function fitted(sheet: Sheet, text: string, look: Look, width: number): string {
  if (widthOfText(sheet, text, look) <= width) return text
  const letters = [...text]
  let [fits, tooLong] = [0, letters.length]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (widthOfText(sheet, `${letters.slice(0, middle).join('')}…`, look) <= width) fits = middle
    else tooLong = middle
  }
  return `${letters.slice(0, fits).join('').trimEnd()}…`
}

function useFace(sheet: Sheet, face: FaceName, { weight = 'regular', size }: Look): void {
  sheet.font(`${face} ${weight}`).fontSize(size)
}

/** With `features` given, even empty, the library lays out a run as a whole; otherwise word by word from the left, which reverses the words. */
function directionOf({ isRightToLeft }: TextRun): { features?: PDFKit.Mixins.OpenTypeFeatures[] } {
  return isRightToLeft ? { features: [] } : {}
}
