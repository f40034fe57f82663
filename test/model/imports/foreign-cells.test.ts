/** Cells as other tools write them: each keeps its meaning, or is refused with the text that stands in the file. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCsv } from '../../../src/model/imports/csv/csv.ts'
import { type MappingWords, readMapping } from '../../../src/model/imports/csv/mappings.ts'

const ranks: MappingWords = { kind: 'rankings', columns: 'k=phrase,p=rank,d=ranked_at,s=site', set: 'search_engine=Google\nlocale=en-us' }
const reviews: MappingWords = { kind: 'reviews', columns: 'p=rating,d=date', set: 'source=google\npage_url=https://maps.example/1' }

/** The cells, the options, and the record that they become. */
// biome-ignore format: a table reads by its columns
const cells: readonly (readonly [position: string, date: string, options: MappingWords, expected: Record<string, unknown>])[] = [
  ['#3',               '2026-11-14',                 ranks,                                            { rank: 3 }],
  ['# 3',              '2026/11/14',                 ranks,                                            { rank: 3, ranked_at: '2026-11-14 00:00:00' }],
  ['+3',               'Nov 14, 2026',               { ...ranks, strip: 'www.,+' },                    { rank: 3, ranked_at: '2026-11-14 00:00:00' }],
  ['3',                '14-Nov-2026',                ranks,                                            { ranked_at: '2026-11-14 00:00:00' }],
  ['3',                'November 14, 2026 3:04 PM',  ranks,                                            { ranked_at: '2026-11-14 15:04:00' }],
  ['3',                'Nov 14, 2026, 12:04:05 a.m.', ranks,                                           { ranked_at: '2026-11-14 00:04:05' }],
  ['3',                '14.11.2026 02:30 PM',        { ...ranks, date_format: 'dd.mm.yyyy' },          { ranked_at: '2026-11-14 14:30:00' }],
  ['',                 '2026-11-14',                 { ...ranks, not_found: '' },                      { rank: null }],
  ['-',                '2026-11-14',                 { ...ranks, not_found: '-,' },                    { rank: null }],
  ['1.280',            '2026-11-14',                 { ...ranks, decimal: ',' },                       { rank: 1280 }],
  ['1.280',            '2026-11-14',                 { ...ranks, decimal: '.', round: true },          { rank: 1 }],
  ['7.6',              '2026-11-14',                 { ...ranks, round: true },                        { rank: 8 }],
  ['1.280',            '2026-11-14',                 { ...ranks, round: true },                        { rank: '1.280' }],
  ['★★★★☆',            '2026-11-14',                 reviews,                                          { rating: 4 }],
  ['4 stars',          '2026-11-14',                 reviews,                                          { rating: 4 }],
  ['4 / 5',            '2026-11-14',                 reviews,                                          { rating: 4 }],
  ['4.5',              '2026-11-14',                 { ...reviews, round: true },                      { rating: 5 }],
  ['4.5',              '2026-11-14',                 reviews,                                          { rating: 4.5 }],
  ['Recommended',      '2026-11-14',                 { ...reviews, words: 'rating:Recommended=5' },    { rating: 5 }],
  ['',                 '2026-11-14',                 { ...reviews, words: 'rating:=3' },               { rating: 3 }],
  ['',                 '2026-11-14',                 reviews,                                          { rating: undefined }],
]

describe('foreign cells', () => {
  test(`${cells.length} cells become what they mean`, async () => {
    for (const [position, date, options, expected] of cells) {
      const [{ record } = {}] = await linesOf(`k,p,d\nplumber,"${position}","${date}"\n`, options)
      const found = Object.fromEntries(Object.keys(expected).map((name) => [name, (record as Record<string, unknown>)[name]]))
      assert.deepEqual(found, expected, `${position} ${date}`)
    }
  })

  test('a domain is read from an address, and www. is cut off where that is said', async () => {
    const file = 'k,p,d,s\nplumber,3,2026-11-14,https://www.example.com/\n'
    const siteOf = async (options: MappingWords) => (await linesOf(file, options)).map(({ record }) => (record as { site: string }).site)
    assert.equal((await siteOf(ranks))[0], 'www.example.com')
    assert.equal((await siteOf({ ...ranks, strip: 'www.' }))[0], 'example.com')
  })
})

async function linesOf(text: string, options: MappingWords) {
  const bytes = (async function* () {
    yield Buffer.from(text)
  })()
  return (await Array.fromAsync(readCsv(bytes, readMapping(options)))).flat()
}
