/** Archives and workbooks of many megabytes, written while they are sent. */

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

const rowsOfWorkbook = 1_048_575
const keywords = 2_000
const filesOfArchive = 4
const pieceCharacters = 1 << 18

/** Tables of ranks that are not compressed, so that the archive is as large as they are. */
export function largeArchive(bytes: number): Readable {
  const zip = new ZipFile()
  for (let file = 0; file < filesOfArchive; file++)
    zip.addReadStream(Readable.from(inPieces(ranks(file, bytes / filesOfArchive))), `ranks-${file}.csv`, { compress: false })
  zip.end()
  return Readable.from(zip.outputStream as AsyncIterable<Buffer>)
}

function* ranks(file: number, bytes: number): Generator<string> {
  let left = bytes
  const header = 'site,phrase,search_engine,locale,ranked_at,rank\n'
  yield header
  left -= header.length
  for (let i = 0; ; i++) {
    const row = `site${file}.example,"keyword number ${i % keywords} of many",Google,en-us,${momentOf(Math.floor(i / keywords))},${(i % 97) + 1}\n`
    left -= row.length
    if (left < 0) return
    yield row
  }
}

/** As many rows as a sheet has, with a column of texts that nobody reads: each is a shared text of its own, and can hardly be compressed. */
export function largeWorkbook(): Readable {
  const zip = new ZipFile()
  const put = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name)
  put('[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>')
  put(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Ranks" sheetId="1" r:id="r1"/></sheets></workbook>`,
  )
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
  const parts = relation('r1', 'worksheet', 'worksheets/sheet1.xml') + relation('r2', 'sharedStrings', 'sharedStrings.xml')
  put(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${parts}</Relationships>`,
  )
  zip.addReadStream(Readable.from(inPieces(sharedTexts())), 'xl/sharedStrings.xml')
  zip.addReadStream(Readable.from(inPieces(sheet())), 'xl/worksheets/sheet1.xml')
  zip.end()
  return Readable.from(zip.outputStream as AsyncIterable<Buffer>)
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const columns = ['site', 'phrase', 'search_engine', 'locale', 'ranked_at', 'rank', 'notes']
const words = [...columns, 'book.example', 'Google', 'en-us', ...Array.from({ length: keywords }, (_, n) => `keyword number ${n} of many`)]

function* sharedTexts(): Generator<string> {
  yield `<sst xmlns="${main}">`
  for (const word of words) yield `<si><t>${word}</t></si>`
  for (let i = 0; i < rowsOfWorkbook; i++) yield `<si><t>${randomBytes(36).toString('base64')}</t></si>`
  yield '</sst>'
}

function* sheet(): Generator<string> {
  const shared = (at: number) => `<c t="s"><v>${at}</v></c>`
  const text = (at: string) => `<c t="inlineStr"><is><t>${at}</t></is></c>`
  yield `<worksheet xmlns="${main}"><sheetData><row>${columns.map((_, at) => shared(at)).join('')}</row>`
  for (let i = 0; i < rowsOfWorkbook; i++) {
    const named = [7, columns.length + 3 + (i % keywords), 8, 9].map(shared).join('')
    yield `<row>${named}${text(momentOf(Math.floor(i / keywords)))}<c><v>${(i % 97) + 1}</v></c>${shared(words.length + i)}</row>`
  }
  yield '</sheetData></worksheet>'
}

/** One each hour. */
function momentOf(hours: number): string {
  return new Date(Date.UTC(2024, 0, 1) + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < pieceCharacters) continue
    yield piece
    piece = ''
  }
  yield piece
}
