/** Archives and workbooks that mean harm, or are broken: each is refused with a sentence, within bounded memory. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { openImport } from '../../../../src/model/imports/formats.ts'
import type { ImportLine } from '../../../../src/model/imports/import-line.ts'
import { readLines } from '../../../../src/model/imports/read/read-lines.ts'
import { importErrorWithPlace } from '../../../../src/resources/imports/import-fault.ts'
import { locked, renamed } from './hostile-zips.ts'
import { workbookOf, zipOf } from './write-files.ts'

const header = 'phrase,search_engine,locale,ranked_at,rank\n'
const row = 'plumber,Google,en-us,2026-11-14,3\n'
const sheet = (cells: string) => `<worksheet><sheetData>${cells}</sheetData></worksheet>`
const parts = {
  '[Content_Types].xml': '<Types/>',
  'xl/workbook.xml': '<workbook><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
}
const bookOf = (content: string) => zipOf({ ...parts, 'xl/worksheets/sheet1.xml': content })

// biome-ignore format: a table reads by its columns
const files: readonly (readonly [what: string, file: Buffer | Promise<Buffer>, told: RegExp])[] = [
  ['a bomb',                            zipOf({ 'a.csv': header + row.repeat(200_000) }),                    /unfolds to more than is taken/],
  ['many small bombs',                  zipOf(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.csv`, header + row.repeat(2_000)]))), /unfolds to more than is taken/],
  ['a workbook that is a bomb',         bookOf(sheet('<row/>'.repeat(900_000))),                              /unfolds to more than is taken/],
  ['a name outside of the folder',      renamed('aa/aa/passwd', '../../passwd'),                              /a file outside of its own folder/],
  ['an absolute name',                  renamed('aetc/passwd', '/etc/passwd'),                                /a file outside of its own folder/],
  ['a size that is not true',           understated(),                                                        /is damaged/],
  ['an archive that is cut off',        zipOf({ 'a.csv': header + row }).then((file) => file.subarray(0, -30)), /is damaged/],
  ['an archive of nothing',             Buffer.from('504b0506'.padEnd(44, '0'), 'hex'),                        /./],
  ['an archive within an archive',      zipOf({ 'a.csv': header + row }).then((a) => zipOf({ 'b.zip': a })),  /a zip archive within a zip archive/],
  ['a password',                        locked(),                                                             /protected with a password/],
  ['very many files',                   zipOf(Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`${i}.txt`, 'x']))), /more than 2,000 files/],
  ['a document type',                   bookOf('<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>'),   /a document type is not taken/],
  ['an entity that nobody knows',       bookOf(sheet('<row r="1"><c r="A1" t="str"><v>&b;</v></c></row>')),   /is a workbook that cannot be read/],
  ['a sheet that is cut off',           bookOf('<worksheet><sheetData><row r="1">'),                          /is a workbook that cannot be read/],
  ['a text without end',                bookOf(sheet(`<row r="1"><c r="A1" t="str"><v>${'x y '.repeat(300_000)}</v></c></row>`)), /a text is too long/],
  ['a row beyond the last',             bookOf(sheet('<row r="1048577"><c r="A1048577"><v>1</v></c></row>')), /too many rows/],
  ['a row of no number',                bookOf(sheet('<row r="x"><c><v>1</v></c></row>')),                    /too many rows/],
  ['a cell beyond the last',            bookOf(sheet('<row r="1"><c r="XFE1"><v>1</v></c></row>')),           /too many cells/],
  ['a workbook without sheets',         zipOf({ ...parts, 'xl/workbook.xml': '<workbook/>' }),                /it has no visible sheet/],
  ['a workbook whose sheet is not there', zipOf(parts),                                                       /./],
  ['an index of no text',               bookOf(sheet('<row r="1"><c r="A1" t="s"><v>7</v></c></row>')),       /./],
  ['a binary workbook',                 zipOf({ 'xl/workbook.bin': 'x', 'xl/worksheets/sheet1.bin': Buffer.alloc(9) }), /is a workbook of an older or other kind/],
  ['a sheet of LibreOffice',            zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'META-INF/manifest.xml': '<a/>', 'content.xml': '<b/>' }), /save it as \.xlsx/],
  ['a picture alone',                   zipOf({ 'a.png': Buffer.from('89504e470d0a1a0a0000', 'hex') }),       /holds NUL bytes/],
  ['a workbook of notes',               workbookOf({ A: [['Hello'], ['you']] }),                               /the header names no kind of record/],
]

describe('hostile archives', () => {
  test(`each of ${files.length} is refused in a sentence`, async () => {
    for (const [what, file, told] of files) {
      const lines = await read(await file)
      const faults = lines.flatMap(({ fault, line }) => (fault === undefined ? [] : [importErrorWithPlace({ ...fault, line, index: 0 })]))
      assert.match(faults.join('\n') || 'nothing', told, what)
    }
  })
})

async function read(file: Buffer): Promise<ImportLine[]> {
  const bytes = (async function* () {
    yield file
  })()
  const limits = { maxBytes: 2_000_000 }
  const lines: ImportLine[] = []
  for await (const batch of readLines(await openImport(bytes, limits), {}, limits))
    lines.push(...batch.filter(({ fault }, i) => fault !== undefined || i < 3))
  return lines
}

/** The list says that the file is small. */
async function understated(): Promise<Buffer> {
  const content = header + row.repeat(1_000)
  const file = await zipOf({ 'a.csv': content })
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length)
  const small = Buffer.alloc(4)
  small.writeUInt32LE(100)
  assert.ok(deflateRawSync(content).length < content.length)
  return Buffer.from(file.toString('latin1').replaceAll(size.toString('latin1'), small.toString('latin1')), 'latin1')
}
