/** Random files say what another library reads in them: 200 here, and `npm run hard:files` tries 10,000. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readMapping } from '../../../../src/model/imports/csv/mappings.ts'
import { openImport } from '../../../../src/model/imports/formats.ts'
import { readLines } from '../../../../src/model/imports/read/read-lines.ts'
import { fc } from '../../../support/properties.ts'
import { type AnyFile, anyFile, bytesOf, wordsOf } from './any-files.ts'
import { dayIn, tableOf } from './oracle.ts'

const numRuns = Number(process.env['FILE_RUNS'] ?? 200)

describe('random files', () => {
  test(`${numRuns} say what stands in them`, async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, async (file) => {
        const bytes = await bytesOf(file)
        assert.deepEqual(await product(file, bytes), oracle(file, bytes))
      }),
      { numRuns },
    )
  })
})

async function product(file: AnyFile, bytes: Buffer): Promise<unknown[]> {
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
  })()
  const encoding = file.dress === 'windows-1252' && bytes.some((byte) => byte > 127) ? 'windows-1252' : undefined
  const lines = (await Array.fromAsync(readLines(await openImport(chunks, { encoding }), readMapping(wordsOf(file)), { encoding }))).flat()
  return lines.map(({ record, fault }) => fault ?? record)
}

/** An empty cell is a field that is left out. */
function told(name: string, cell: unknown): object {
  return String(cell ?? '') === '' ? {} : { [name]: String(cell) }
}

/** Places by the names in the header, days and numbers by hand. */
function oracle(file: AnyFile, bytes: Buffer): unknown[] {
  const isBook = file.dress.startsWith('workbook')
  const format = isBook ? 'workbook' : file.dress === 'zip' ? 'zip' : 'csv'
  const encoding = file.dress === 'utf-16le' || file.dress === 'windows-1252' ? file.dress : 'utf-8'
  const part = isBook ? 'Data' : 'data.csv'
  const table = tableOf(bytes, { format, part, encoding, delimiter: file.delimiter, header: file.preamble.length })
  const at = (name: (typeof file.columns)[number]) => file.columns.indexOf(name)
  const order = file.dayFormat === 'dd.mm.yyyy' ? 'dmy' : file.dayFormat === 'm/d/yyyy' ? 'mdy' : 'ymd'
  return table.map((row) => {
    const cell = row[at('Platz (Ø)')] ?? ''
    const number = typeof cell === 'number' ? cell : Number(String(cell).replace(file.decimal, '.'))
    return {
      type: 'ranking',
      phrase: String(row[at('Suchbegriff')]).trim(),
      search_engine: row[at('Search Engine')],
      locale: row[at('LOCALE')],
      ranked_at: `${dayIn(row[at('Tag')], order)} 00:00:00`,
      rank: cell === file.marker ? null : Math.round(number),
      ...told('device', row[at('Device')]),
      ...told('location', row[at('location')]),
    }
  })
}
