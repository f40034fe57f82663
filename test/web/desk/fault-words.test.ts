/** What is wrong with a file is told at the desk with the words of its forms. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planCsv } from '../../../src/model/imports/csv/mapping.ts'
import { type MappingWords, readMapping } from '../../../src/model/imports/csv/mappings.ts'
import { recognised } from '../../../src/model/imports/csv/recognise.ts'
import { type ImportErrorCode, importErrorCodes, importErrorMessage } from '../../../src/resources/imports/import-fault.ts'
import { faultText } from '../../../src/web/screens/desk/files/fault-words.ts'

describe('what is wrong with a file', () => {
  const toldAs = (field: string, code: ImportErrorCode, more: { value?: string; detail?: string } = {}) =>
    faultText({ field, message: importErrorMessage({ line: 2, index: 0, field, code, ...more }, 'request') })
  const ofHeader = (header: string, words: MappingWords = {}) => {
    const [names, mapping] = [header.split(','), readMapping(words)]
    const found = recognised(names, mapping) ?? planCsv(names, mapping)
    return toldAs('', 'columns', { detail: 'sentence' in found ? found.sentence : 'it can be read' })
  }
  const ofPrograms = /`|--|\/api|=1|\w_\w|within reach|marquee/

  test('names no parameter, option or command, whatever it is', () => {
    // Only JSON, which programs alone send, names its kinds of records.
    const codes = importErrorCodes.filter((code) => code !== 'unknown_type')
    for (const code of codes) assert.doesNotMatch(toldAs('ranked_at', code), ofPrograms, code)
    for (const value of ['"1,5"', '7.4', '">100"', '"14.11.2026"'])
      for (const code of ['not_an_integer', 'not_a_number', 'not_a_date', 'not_a_time'] as const)
        assert.doesNotMatch(toldAs('rank', code, { value }), ofPrograms, `${code} ${value}`)
    const details = [
      'the columns fit rankings and click_counts: say --kind',
      'this looks like semrush or moz: say --preset',
      'June, July can be read; say --sheet',
      'totals of several days need those days (--period 2026-10-15..2026-11-11), those of one day --date',
    ]
    for (const detail of details) assert.doesNotMatch(toldAs('', 'columns', { detail }), ofPrograms, detail)
    for (const header of ['colour,size', 'Keyword,Position,Checked', 'phrase,Phrase', 'page_url,source,date,count', 'Query,Avg Position'])
      assert.doesNotMatch(ofHeader(header).replace(/“[^”]*”|the file has .* \(/g, ''), ofPrograms, header)
  })

  test('names the field, the choice and the box as the forms do', () => {
    assert.equal(
      toldAs('rank', 'not_an_integer', { value: '"1,5"' }),
      'Position must be an integer (here: "1,5"); “Decimal sign” says which mark stands before the fraction',
    )
    assert.equal(toldAs('', 'not_utf8'), 'is not UTF-8 text: say Windows-1252 under “Letters are written as”')
    assert.match(
      toldAs('', 'doubled_key'),
      /: tick “Where two rows say different figures for the same, take the later one” if that is meant$/,
    )
    assert.equal(
      faultText({ field: 'ranked_at', message: 'november.csv: ranked_at must be given' }),
      'november.csv: Measured on must be given',
    )
  })

  test('says of a header what it lacks, and leaves what stands in the file as it is', () => {
    assert.match(
      ofHeader('phrase,rank'),
      /for positions it lacks “Search engine”, “Locale”, “Measured on” \(say “What the columns are” and/,
    )
    assert.match(ofHeader('Keyword,Position,Checked'), /looks like positions; .*is Keyword meant to be “Keyword”\?; is Position meant/)
    assert.match(ofHeader('search_engines,`set`'), /search_engines/)
    assert.equal(ofHeader('phrase,Phrase', { kind: 'keyword' }), 'the header names no kind of record: two columns hold “Keyword”')
  })
})
