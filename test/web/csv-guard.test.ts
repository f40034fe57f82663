import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCells } from '../../src/fields/to-csv.ts'
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
