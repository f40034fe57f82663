/** Files of rankings as tools might write them: any order of columns, encoding, decimal mark, order of days and preamble; made up by fast-check. */

import { gzipSync } from 'node:zlib'
import type { MappingWords } from '../../../../src/model/imports/csv/mappings.ts'
import { fc } from '../../../support/properties.ts'
import { dayCell, workbookOf, zipOf } from './write-files.ts'

const dayFormats = ['yyyy-mm-dd', 'dd.mm.yyyy', 'm/d/yyyy', 'd mmm yyyy', 'mmm d, yyyy', 'yyyy/mm/dd'] as const
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const preambles = [
  'Ranks of example.com, by day; all',
  'Made on "14 Nov, 2026',
  '',
  'Filter | none',
  '# 3 devices,,,',
  'Total: 1.234,5',
  '\t',
] as const
const columns = ['Suchbegriff', 'Search Engine', 'LOCALE', 'Platz (Ø)', 'Tag', 'Note', 'Change', 'Device', 'location'] as const
type Column = (typeof columns)[number]

const phrase = fc
  .string({ unit: fc.constantFrom('a', 'B', 'é', 'ß', ' ', ',', ';', '"', '|', '-', '=', '7', "'"), minLength: 1, maxLength: 14 })
  .map((text) => `x${text}`.trim())

const row = fc.record({
  phrase,
  engine: fc.constantFrom('Google', 'Bing'),
  locale: fc.constantFrom('en-us', 'de-de'),
  rank: fc.option(
    fc.integer({ min: 1, max: 99_999 }).map((hundredths) => hundredths / 100),
    { freq: 5 },
  ),
  day: fc
    .date({ min: new Date('1999-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  device: fc.constantFrom('', 'desktop', 'Mobile', 'watch'),
  location: fc.constantFrom('', 'Köln', 'Bonn, "Süd" (2)'),
  note: fc.constantFrom('', 'x', 'a "b", c', '2026-11-14'),
})

export const anyFile = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 12 }),
  columns: fc.shuffledSubarray([...columns], { minLength: columns.length }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  end: fc.constantFrom('\n', '\r\n'),
  decimal: fc.constantFrom('.', ','),
  dayFormat: fc.constantFrom(...dayFormats),
  marker: fc.constantFrom('-', 'n/a', '>100', ''),
  preamble: fc.array(fc.constantFrom(...preambles), { maxLength: 6 }),
  dress: fc.constantFrom('utf-8', 'bom', 'utf-16le', 'windows-1252', 'gzip', 'zip', 'workbook', 'workbook of texts'),
})

export type AnyFile = typeof anyFile extends fc.Arbitrary<infer F> ? F : never
type Row = AnyFile['rows'][number]

export function wordsOf({ decimal, dayFormat, marker, dress }: AnyFile): MappingWords {
  return {
    kind: 'rankings',
    columns: 'Suchbegriff=phrase,Platz (Ø)=rank,Tag=ranked_at',
    round: true,
    not_found: marker,
    ...(dress !== 'workbook' && { decimal }),
    ...(dress !== 'workbook' && (dayFormat === 'dd.mm.yyyy' || dayFormat === 'm/d/yyyy') && { date_format: dayFormat }),
  }
}

export async function bytesOf(file: AnyFile): Promise<Buffer> {
  if (file.dress === 'workbook')
    return workbookOf({ Cover: [['Ranks']], Data: [...file.preamble.map((line) => [line]), file.columns, ...rowsOf(file, typedCell)] })
  if (file.dress === 'workbook of texts')
    return workbookOf({ Data: [...file.preamble.map((line) => [line]), file.columns, ...rowsOf(file, textCell)] })
  const lines = [
    ...file.preamble,
    ...[file.columns, ...rowsOf(file, textCell)].map((cells) => cells.map((cell) => quoted(String(cell), file)).join(file.delimiter)),
  ]
  const text = lines.map((line) => line + file.end).join('')
  if (file.dress === 'bom') return Buffer.from(`\ufeff${text}`)
  if (file.dress === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le')
  if (file.dress === 'windows-1252') return Buffer.from(text, 'latin1')
  if (file.dress === 'zip') return zipOf({ 'data.csv': text })
  return file.dress === 'gzip' ? gzipSync(text) : Buffer.from(text)
}

function rowsOf(file: AnyFile, cell: (row: Row, column: Column, file: AnyFile) => unknown): unknown[][] {
  return file.rows.map((each) => file.columns.map((column) => cell(each, column, file)))
}

function textCell(row: Row, column: Column, file: AnyFile): string {
  const { phrase: said, engine, locale, rank, note, device, location } = row
  const number = rank === null ? file.marker : String(rank).replace('.', file.decimal)
  const cells = {
    Suchbegriff: said,
    'Search Engine': engine,
    LOCALE: locale,
    'Platz (Ø)': number,
    Tag: written(row.day, file.dayFormat),
    Note: note,
    Change: '+3',
    Device: device,
    location,
  }
  return cells[column]
}

function typedCell(row: Row, column: Column, file: AnyFile): unknown {
  if (column === 'Tag') return dayCell(row.day, file.dayFormat === 'dd.mm.yyyy' ? 'dd.mm.yyyy' : 'm/d/yy')
  return column === 'Platz (Ø)' ? (row.rank ?? file.marker) : textCell(row, column, file)
}

function written(day: string, format: AnyFile['dayFormat']): string {
  const [year = '', month = '', date = ''] = day.split('-')
  const [m, d] = [String(Number(month)), String(Number(date))]
  const name = monthNames[Number(month) - 1] as string
  const forms = {
    'yyyy-mm-dd': day,
    'dd.mm.yyyy': `${date}.${month}.${year}`,
    'm/d/yyyy': `${m}/${d}/${year}`,
    'd mmm yyyy': `${d} ${name} ${year}`,
  }
  return { ...forms, 'mmm d, yyyy': `${name} ${d}, ${year}`, 'yyyy/mm/dd': day.replaceAll('-', '/') }[format]
}

function quoted(cell: string, { delimiter }: AnyFile): string {
  return cell.includes(delimiter) || /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
