/** Writes files in the shapes of other tools: archives and workbooks, with days and formulas as spreadsheets store them. */

import { buffer } from 'node:stream/consumers'
import xlsx from 'xlsx'
import { ZipFile } from 'yazl'

export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

/** A day, or a day with a time, as a number with a format. */
export function dayCell(text: string, format = 'yyyy-mm-dd', is1904 = false) {
  return {
    t: 'n',
    v: Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? '' : 'T00:00:00'}Z`) / 86_400_000 + 25_569 - (is1904 ? 1_462 : 0),
    z: format,
  }
}

/** A formula with the value that was stored for it. */
export function formulaCell(formula: string, value: number | string) {
  return { t: typeof value === 'number' ? 'n' : 's', v: value, f: formula }
}

type Sheets = Readonly<Record<string, readonly (readonly unknown[])[]>>

export function workbookOf(
  sheets: Sheets,
  { hidden = [], is1904 = false, bookSST = true }: { hidden?: string[]; is1904?: boolean; bookSST?: boolean } = {},
): Buffer {
  const book = xlsx.utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows as unknown[][]), name)
  book.Workbook = {
    WBProps: { date1904: is1904 },
    Sheets: Object.keys(sheets).map((name) => ({ name, Hidden: hidden.includes(name) ? 1 : 0 })),
  }
  return xlsx.write(book, { type: 'buffer', bookType: 'xlsx', bookSST, compression: true })
}
