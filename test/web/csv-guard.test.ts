import assert from 'node:assert/strict'
import { test } from 'node:test'
import xlsx from 'xlsx'
import { csvCells } from '../../src/fields/to-csv.ts'
import { workbookOf } from '../../src/lib/zip/write-workbook.ts'
import { tableCsv } from '../../src/web/components/tables.ts'

test('a cell of the dashboard is guarded against formulas as one of the API is', () => {
  const hostile = [
    '=1+1',
    '+1',
    '-1',
    '@a',
    '\t=1',
    '\r=1',
    '\n=1',
    '\uff1d1',
    '\uff0b1',
    '\uff0d1',
    '\uff201',
    ' =1',
    '  \u00a0+1',
    '\ufeff=1',
    '\u200b-1',
    '\u200e\u2060@a',
    '\u3000\uff1d1',
    '\u00ad=1',
    '\u0001=1',
    '\ufe661',
    'plain',
    "'quoted",
    "''",
    'a,b',
    '"q"',
  ]
  const table = { caption: '', columns: [{ label: '=label', kind: 'text' as const }], rows: hostile.map((text) => [text]) }
  const expected = [csvCells(['=label']), ...hostile.map((text) => csvCells([text]))].map((line) => `${line}\r\n`).join('')
  assert.equal(tableCsv(table), `\uFEFF${expected}`)
  for (const text of hostile.slice(0, hostile.indexOf('plain'))) assert.match(csvCells([text]), /^"?'/, JSON.stringify(text))
  for (const text of ['plain', ' plain', 'a =1', '\u200bplain']) assert.equal(csvCells([text]), text)
})

test('a workbook has numbers as numbers, days as days, and texts as they are, whatever they look like', async () => {
  const columns = [
    { label: 'Site', kind: 'text' },
    { label: 'Day', kind: 'day' },
    { label: 'Share', kind: 'percent' },
    ...Array.from({ length: 26 }, (_, index) => ({ label: `C${index}`, kind: 'decimal' as const })),
  ] as const
  const texts = ['=1+1', ' a <b> & "c" ', '_x0041_', 'عيادة 渋谷 😀', '\u0001', 'x'.repeat(40_000)]
  const rest = Array.from({ length: 26 }, (_, index) => (index % 2 === 0 ? index / 3 : null))
  const pieces = [texts.map((text) => [text, '2026-02-28', 0.125, ...rest]), [['none', null, Number.NaN]]]
  const chunks: Uint8Array[] = []
  for await (const bytes of workbookOf(columns, pieces)) chunks.push(bytes)
  const sheet = xlsx.read(Buffer.concat(chunks), { cellDates: true, cellNF: true }).Sheets['Data'] ?? {}
  assert.deepEqual(
    texts.map((_, index) => sheet[`A${index + 2}`].v),
    ['=1+1', ' a <b> & "c" ', '_x0041_', 'عيادة 渋谷 😀', '\ufffd', 'x'.repeat(32_767)],
  )
  assert.equal(sheet['A2'].f, undefined)
  assert.equal(sheet['B2'].t, 'd')
  assert.equal(sheet['B2'].v.toISOString().slice(0, 10), '2026-02-28')
  assert.deepEqual([sheet['C2'].v, sheet['C2'].z, sheet['AB2'].v, sheet['AB2'].t], [0.125, '0%', 8, 'n'])
  assert.deepEqual([sheet['A8'].v, sheet['B8'], sheet['C8']], ['none', undefined, undefined])
  assert.equal(sheet['!ref'], 'A1:AC8')
})
