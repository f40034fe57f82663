/** Writes a workbook of one sheet (XLSX) while its rows are read: numbers as numbers, days as days, and texts as texts, which no program takes for formulas. */

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { dayNumber } from '../time/days.ts'
import { escapeText, scrub } from '../xml/xml.ts'

/** How the numbers of a column are shown. */
export type CellFormat = 'text' | 'whole' | 'decimal' | 'seconds' | 'percent' | 'day'

export interface WorkbookColumn {
  readonly label: string
  readonly kind: CellFormat
}

export type WorkbookRow = readonly (string | number | null)[]

/** What the programs that open it take at most. */
const mostRows = 1_048_576
const mostLetters = 32_767

export async function* workbookOf(
  columns: readonly WorkbookColumn[],
  rows: AsyncIterable<readonly WorkbookRow[]> | Iterable<readonly WorkbookRow[]>,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name)
  zip.addReadStream(Readable.from(sheetTexts(columns, rows)), 'xl/worksheets/sheet1.xml')
  const output = Readable.from(zip.outputStream as AsyncIterable<Uint8Array>)
  // What stopped the rows stops the file.
  zip.on('error', (error: Error) => output.destroy(error))
  zip.end()
  for await (const bytes of output) yield bytes as Uint8Array
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const ofSheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** By the order of the formats below; the first is of texts, the last of the head. */
const formats: readonly CellFormat[] = ['text', 'whole', 'decimal', 'seconds', 'percent', 'day']
const headStyle = formats.length
/** 3 and 14 are the numbers and dates of the reader's own language. */
const numberFormats = [0, 3, 164, 2, 9, 14]

const styles = `${head}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="#,##0.0"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats.length + 1}">${numberFormats.map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`

const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${head}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${ofSheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${ofSheet}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${ofSheet}.styles+xml"/></Types>`,
  '_rels/.rels': `${head}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles,
}

async function* sheetTexts(
  columns: readonly WorkbookColumn[],
  pieces: AsyncIterable<readonly WorkbookRow[]> | Iterable<readonly WorkbookRow[]>,
): AsyncGenerator<string> {
  const widths = columns.map(
    ({ kind }, index) => `<col min="${index + 1}" max="${index + 1}" width="${kind === 'text' ? 32 : 14}" customWidth="1"/>`,
  )
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  yield `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`
  const letters = columns.map((_, index) => columnName(index))
  yield rowText(
    1,
    columns.map(({ label }, index) => textCell(`${letters[index]}1`, label, headStyle)),
  )
  const styled = columns.map(({ kind }) => formats.indexOf(kind))
  let written = 1
  for await (const rows of pieces) {
    const room = mostRows - 1 - written
    yield rows
      .slice(0, room)
      .map((row, index) =>
        rowText(
          written + index + 1,
          row.map((cell, at) => cellText(`${letters[at]}${written + index + 1}`, cell, styled[at] ?? 0)),
        ),
      )
      .join('')
    written += Math.min(room, rows.length)
    if (rows.length <= room) continue
    yield rowText(mostRows, [textCell(`A${mostRows}`, 'A sheet holds no more rows; the CSV file has all.', 0)])
    break
  }
  yield '</sheetData></worksheet>'
}

function rowText(number: number, cells: readonly string[]): string {
  return `<row r="${number}">${cells.join('')}</row>`
}

function cellText(place: string, cell: WorkbookRow[number], style: number): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'number')
    return Number.isFinite(cell) ? `<c r="${place}" s="${style}"><v>${Math.round(cell * 10_000) / 10_000}</v></c>` : ''
  const isDay = formats[style] === 'day' && /^\d{4}-\d\d-\d\d$/.test(cell)
  return isDay ? `<c r="${place}" s="${style}"><v>${dayNumber(cell) + daysBefore1970}</v></c>` : textCell(place, cell, 0)
}

/** Days of a sheet are counted from the end of 1899. */
const daysBefore1970 = 25_569

function textCell(place: string, text: string, style: number): string {
  // A sheet writes letters by their number so, and would read ours that way.
  const plain = scrub(text)
    .slice(0, mostLetters)
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
  return `<c r="${place}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeText(plain)}</t></is></c>`
}

/** A, B, ... Z, AA. */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last
}
