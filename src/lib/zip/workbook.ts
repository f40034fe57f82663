/** Reads the sheets of a workbook (.xlsx) row by row: texts, numbers, and days by the format of their cells; formulas by the value that was stored. */

import { dayMilliseconds, isDateFormatCode } from './cell-formats.ts'
import { SpilledTexts } from './spilled-texts.ts'
import { xmlPieces } from './xml-events.ts'
import type { ZipArchive } from './zip-file.ts'

export type SheetCell = string | number | Date

export interface SheetRow {
  readonly record: readonly SheetCell[]
  readonly line: number
}

export interface Workbook {
  /** The visible sheets, in their order. */
  readonly sheets: readonly string[]
  rows(sheet: string): AsyncGenerator<SheetRow>
  close(): void
}

/** A sheet that ends before its time, or is no XML. */
export class BrokenWorkbook extends Error {}

const mostRows = 1_048_576
const mostColumns = 16_384
const workbookPart = 'xl/workbook.xml'

export function isWorkbook({ has }: ZipArchive): boolean {
  return has(workbookPart)
}

export async function openWorkbook(zip: ZipArchive): Promise<Workbook> {
  const parts = await partsOf(zip)
  const { sheets, is1904 } = await sheetsOf(zip)
  const dates = await dateStyles(zip)
  const texts = new SpilledTexts()
  try {
    await readTexts(zip, texts)
  } catch (error) {
    texts.close()
    throw error
  }
  const paths = new Map(sheets.flatMap(({ name, part }) => (parts.has(part) ? [[name, parts.get(part) as string]] : [])))
  return {
    sheets: [...paths.keys()],
    rows: (sheet) => rowsOf(zip, paths.get(sheet) ?? '', { texts, dates, is1904 }),
    close: () => texts.close(),
  }
}

/** The file of each part that the workbook names. */
async function partsOf(zip: ZipArchive): Promise<Map<string, string>> {
  const parts = new Map<string, string>()
  await read(zip, 'xl/_rels/workbook.xml.rels', {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship') parts.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  return parts
}

async function sheetsOf(zip: ZipArchive) {
  const sheets: { readonly name: string; readonly part: string }[] = []
  let is1904 = false
  await read(zip, workbookPart, {
    open(element, attributes) {
      if (element === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
      const part = Object.entries(attributes).find(([name]) => /^(?:\w+:)?id$/.test(name))?.[1] ?? ''
      const { name = '', state = 'visible' } = attributes
      if (element === 'sheet' && state === 'visible') sheets.push({ name, part })
    },
  })
  return { sheets, is1904 }
}

/** Whether a number is a day, by the number of its style. */
async function dateStyles(zip: ZipArchive): Promise<readonly boolean[]> {
  const codes = new Map<number, string>()
  const styles: boolean[] = []
  let isWithin = false
  await read(zip, 'xl/styles.xml', {
    open(element, { numFmtId = '0', formatCode = '' }) {
      if (element === 'numFmt') codes.set(Number(numFmtId), formatCode)
      if (element === 'cellXfs') isWithin = true
      if (element === 'xf' && isWithin) styles.push(isDateFormatCode(Number(numFmtId), codes.get(Number(numFmtId))))
    },
    close(element) {
      if (element === 'cellXfs') isWithin = false
    },
  })
  return styles
}

/** A text may consist of runs; the reading aids of Asian texts are no part of it. */
async function readTexts(zip: ZipArchive, texts: SpilledTexts): Promise<void> {
  let text = ''
  let isText = false
  let isAid = false
  await read(zip, 'xl/sharedStrings.xml', {
    open(element) {
      if (element === 'si') text = ''
      if (element === 'rPh') isAid = true
      isText = element === 't' && !isAid
    },
    text(piece) {
      if (isText) text += piece
    },
    close(element) {
      isText = false
      if (element === 'rPh') isAid = false
      if (element === 'si') texts.add(unescaped(text))
    },
  })
}

interface Known {
  readonly texts: SpilledTexts
  readonly dates: readonly boolean[]
  readonly is1904: boolean
}

async function* rowsOf(zip: ZipArchive, path: string, known: Known): AsyncGenerator<SheetRow> {
  let rows: SheetRow[] = []
  let [line, column, content, isAid] = [0, 0, '', false]
  let record: SheetCell[] = []
  let attributes: Readonly<Record<string, string>> = {}
  let isContent = false
  const events = {
    open(element: string, given: Readonly<Record<string, string>>) {
      if (element === 'row') {
        line = given['r'] === undefined ? line + 1 : Number(given['r'])
        if (!(line >= 1 && line <= mostRows)) throw new BrokenWorkbook('a sheet has too many rows')
        ;[record, column] = [[], 0]
      } else if (element === 'c') {
        column = given['r'] === undefined ? column : columnOf(given['r'])
        if (!(column >= 0 && column < mostColumns)) throw new BrokenWorkbook('a row has too many cells')
        ;[attributes, content] = [given, '']
      } else if (element === 'rPh') isAid = true
      isContent = (element === 'v' || element === 't') && !isAid
    },
    text(piece: string) {
      if (isContent) content += piece
    },
    close(element: string) {
      isContent = false
      if (element === 'rPh') isAid = false
      if (element === 'c') {
        const cell = cellOf(content, attributes, known)
        while (cell !== '' && record.length < column) record.push('')
        if (cell !== '') record[column] = cell
        column += 1
      } else if (element === 'row' && record.length > 0) rows.push({ record, line })
    },
  }
  for await (const _ of pieces(zip, path, events)) {
    yield* rows
    rows = []
  }
}

function cellOf(content: string, { t = 'n', s = '0' }: Readonly<Record<string, string>>, { texts, dates, is1904 }: Known): SheetCell {
  if (t === 's') return texts.at(Number(content)) ?? ''
  if (t === 'b') return content === '1' ? 'TRUE' : 'FALSE'
  if (t === 'd') return Number.isNaN(Date.parse(`${content}Z`)) ? content : new Date(`${content.slice(0, 19)}Z`)
  if (t !== 'n') return unescaped(content)
  const number = content.trim() === '' ? Number.NaN : Number(content)
  if (!Number.isFinite(number)) return content
  // A number below 1 is a time without a day.
  return dates[Number(s)] && number >= 1 ? new Date(dayMilliseconds(number, is1904)) : number
}

/** `BC12` is in the column 54, counted from 0. */
function columnOf(place: string): number {
  let column = 0
  for (const letter of place.slice(0, 4)) {
    const code = letter.charCodeAt(0) - 64
    if (code < 1 || code > 26) break
    column = column * 26 + code
  }
  return column - 1
}

/** Characters that XML lacks are written `_x000D_`. */
function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}

type Events = Partial<Parameters<typeof xmlPieces>[1]>

async function read(zip: ZipArchive, path: string, events: Events): Promise<void> {
  for await (const _ of pieces(zip, path, events));
}

/** A part that is not there has no events. */
async function* pieces(
  zip: ZipArchive,
  path: string,
  { open = () => {}, text = () => {}, close = () => {} }: Events,
): AsyncGenerator<undefined> {
  const bytes = zip.read(path)
  if (bytes === undefined) return
  try {
    yield* xmlPieces(bytes, { open, text, close })
  } catch (error) {
    const isOwn = error instanceof BrokenWorkbook || (error as { code?: string }).code !== undefined
    throw isOwn ? error : new BrokenWorkbook((error as Error).message)
  }
}
