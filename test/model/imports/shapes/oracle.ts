/** Reads files by other libraries than the product does, so that what was stored can be compared with what stands in them. */

import { gunzipSync } from 'node:zlib'
import papaparse from 'papaparse'
import xlsx from 'xlsx'

type Table = readonly (readonly unknown[])[]

/** How the cells of a file are found: by hand, for each shape. */
export interface Reading {
  readonly format: 'csv' | 'workbook' | 'zip' | 'json'
  readonly delimiter?: string
  readonly encoding?: string
  /** The sheet of a workbook, or the file of an archive. */
  readonly part?: string
  /** The row of the header, counted from 0. */
  readonly header?: number
}

/** The rows below the header; of JSON, the objects. */
export function tableOf(bytes: Buffer, { format, part = '', ...reading }: Reading): Table {
  if (format === 'workbook') return workbookRows(bytes, part).slice((reading.header ?? 0) + 1)
  if (format === 'zip') return csvRows(zipped(bytes, part), reading)
  return csvRows(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes, reading)
}

export function jsonOf(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  return text.startsWith('{') && text.trim().includes('}\n{')
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(text)
}

function csvRows(bytes: Buffer, { delimiter = '', encoding = 'utf-8', header = 0 }: Omit<Reading, 'format' | 'part'>): Table {
  const text = new TextDecoder(encoding).decode(bytes).replace(/^sep=.\r?\n/, '')
  const { data } = papaparse.parse<string[]>(
    text
      .split(/(?<=\n)/)
      .slice(header)
      .join(''),
    { delimiter, skipEmptyLines: true },
  )
  return data.slice(1)
}

function workbookRows(bytes: Buffer, sheet: string): Table {
  const book = xlsx.read(bytes)
  return xlsx.utils.sheet_to_json<unknown[]>(book.Sheets[sheet || (book.SheetNames[0] as string)] as xlsx.WorkSheet, {
    header: 1,
    raw: true,
    blankrows: true,
  })
}

function zipped(bytes: Buffer, name: string): Buffer {
  const entry = xlsx.CFB.find(xlsx.CFB.read(bytes, { type: 'buffer' }), name)
  return Buffer.from(entry?.content as Uint8Array)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day as it is written in the file, as `2026-11-14`; the order says which part is which. */
export function dayIn(cell: unknown, order: 'ymd' | 'dmy' | 'mdy' = 'ymd'): string {
  if (typeof cell === 'number') return new Date((cell - 25_569) * 86_400_000).toISOString().slice(0, 10)
  const words = String(cell)
    .split(/[^\p{L}\d]+/u)
    .filter((each) => each !== '')
  const month = words.findIndex((word) => months.some((name) => word.startsWith(name)))
  const [a = '', b = '', c = ''] = words
  if (month >= 0) {
    const day = words.find((word, i) => i !== month && Number(word) <= 31) as string
    const year = words.find((word) => word.length === 4 && Number(word) > 31) as string
    return joined(year, String(months.findIndex((name) => (words[month] as string).startsWith(name)) + 1), day)
  }
  return order === 'ymd' ? joined(a, b, c.slice(0, 2)) : order === 'dmy' ? joined(c, b, a) : joined(c, a, b)
}

function joined(year: string, month: string, day: string): string {
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
