/** Paper with tags: each piece of a sheet says what it is, so that screen readers read it in order, and what only decorates is skipped. */

import { hasRightToLeft } from '../bidi.ts'
import { inks } from '../inks.ts'
import { writeText } from '../sheet-text.ts'

export type Sheet = PDFKit.PDFDocument

export interface Paper {
  readonly sheet: Sheet
  /** What the next piece becomes a part of. */
  readonly part: PDFKit.PDFStructureElement
}

export type Piece = 'H1' | 'H2' | 'H3' | 'P' | 'Figure' | 'TH' | 'TD'

export const margin = 50

export function roomOf({ page }: Sheet): number {
  return page.width - 2 * margin
}

/** The document as a whole, which must be ended. */
export function openPaper(sheet: Sheet): Paper {
  const part = sheet.struct('Document')
  sheet.addStructure(part)
  return { sheet, part }
}

interface Spoken {
  /** What a picture shows. */
  readonly alt?: string
  /** What is read aloud, where the text by itself would be misread. */
  readonly actual?: string
}

/** Must begin no page: room for it is made before. */
export function piece({ sheet, part }: Paper, type: Piece, write: () => void, spoken: Spoken = {}): void {
  part.add(sheet.struct(type, spoken, write))
}

/** Several pieces that belong together, such as the rows of a table. */
export function group({ sheet, part }: Paper, type: 'Table' | 'TR' | 'TH', write: (inside: Paper) => void): void {
  const inner = sheet.struct(type)
  part.add(inner)
  write({ sheet, part: inner })
  inner.end()
}

export function decoration(sheet: Sheet, draw: () => void): void {
  sheet.markContent('Artifact', { type: 'Layout' })
  draw()
  sheet.endMarkedContent()
}

export interface LineLook {
  readonly weight?: 'regular' | 'bold'
  readonly size: number
  readonly color?: string
  readonly before?: number
  /** `P` unless it is a heading. */
  readonly type?: Piece
}

/** As many lines as the text needs, over the whole width. */
export function paragraph(
  paper: Paper,
  text: string,
  { weight = 'regular', size, color = inks.text, before = 0, type = 'P' }: LineLook,
): void {
  const { sheet } = paper
  sheet.y += before
  keepTogether(sheet, size * 2)
  // It is written from left to right, whatever the direction in which it is read.
  const spoken = hasRightToLeft(text) ? { actual: text } : {}
  piece(paper, type, () => writeText(sheet, text, { weight, size, color, x: margin, y: sheet.y, wrapInto: roomOf(sheet) }), spoken)
}

/** Begins a page where so much does not fit on this one. */
export function keepTogether(sheet: Sheet, height: number): void {
  if (sheet.y + height > sheet.page.height - sheet.page.margins.bottom) sheet.addPage()
}
