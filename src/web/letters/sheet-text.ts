/** Text on a PDF page: each run in the font that has its letters, wrapped into lines or cut to fit one. */

import { type FaceName, faces, type TextRun, textRuns } from './fonts.ts'

type Sheet = PDFKit.PDFDocument

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
  const { x, y, color, fitInto, wrapInto } = placed
  const runs = textRuns(fitInto === undefined ? text : fitted(sheet, text, placed, fitInto))
  const options = wrapInto === undefined ? { lineBreak: false } : { width: wrapInto }
  sheet.fillColor(color)
  for (const [index, run] of runs.entries()) {
    useFace(sheet, run.face, placed)
    const of = { ...options, ...directionOf(run), ...(wrapInto !== undefined && { continued: index < runs.length - 1 }) }
    if (index === 0) sheet.text(run.text, x, y, of)
    else sheet.text(run.text, of)
  }
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
