/** Files in the shapes of today's tools, each with the options it needs and an independent reading of what it says. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { MappingWords } from '../../../../src/model/imports/csv/mappings.ts'
import { dayIn, jsonOf, type Reading, tableOf } from './oracle.ts'
import { dayCell, formulaCell, workbookOf, zipOf } from './write-files.ts'

export type Said = Readonly<Record<string, unknown>>

export interface Shape {
  readonly name: string
  readonly file: Buffer | Promise<Buffer>
  readonly words?: MappingWords
  readonly encoding?: 'windows-1252'
  /** What the file says, read by other means; or the sentence by which it is refused. */
  readonly says: ((file: Buffer) => readonly Said[]) | RegExp
}

const samples = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'samples')
const sample = (name: string) => readFileSync(join(samples, name))

const own = ['phrase', 'search_engine', 'locale', 'ranked_at', 'rank']
const ownRows = [
  ['plumber chicago', 'Google', 'en-us', '2026-11-13', '3'],
  ['Bäcker "nah", gut', 'Bing', 'de-de', '2026-11-14', '21'],
  ['water heater', 'Google', 'en-us', '2026-11-14', '7'],
]
const quote = (cell: string) => (/[",;\t|\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const csv = (rows: readonly (readonly string[])[], delimiter = ',', end = '\n') =>
  rows.map((row) => row.map(quote).join(delimiter) + end).join('')
const ownCsv = csv([own, ...ownRows])

/** Rankings by the place of each column, counted from 0. */
interface Places {
  readonly phrase: number
  readonly rank: number
  readonly day: number | string
  readonly engine?: number | string
  readonly locale?: number | string
  readonly order?: 'ymd' | 'dmy' | 'mdy'
  /** Words for "looked for and not found". */
  readonly none?: readonly string[]
  readonly number?: (cell: unknown) => number
}

const plain: Places = { phrase: 0, engine: 1, locale: 2, day: 3, rank: 4 }

function ranks(reading: Reading, { phrase, rank, day, engine = 'Google', locale = 'en-us', order, none = [], number = Number }: Places) {
  const at = (row: readonly unknown[], place: number | string) => (typeof place === 'number' ? row[place] : place)
  return (file: Buffer): Said[] =>
    tableOf(file, reading)
      .filter((row) => row.length > 1)
      .map((row) => ({
        type: 'ranking',
        phrase: String(row[phrase]).trim(),
        search_engine: at(row, engine),
        locale: at(row, locale),
        ranked_at: `${dayIn(at(row, day), order)} 00:00:00`,
        rank: none.includes(String(row[rank]).trim()) ? null : number(row[rank]),
      }))
}

const german = (cell: unknown) => Number(String(cell).replaceAll('.', '').replace(',', '.'))
const workbookRows = [
  own,
  ...ownRows.map(([phrase, engine, locale, day, rank]) => [phrase, engine, locale, dayCell(day as string), Number(rank)]),
]
const located = { set: 'search_engine=Google\nlocale=en-us' }
const onPage = { set: 'page_url=https://maps.example/place/1' }
const told: MappingWords = { kind: 'rankings', columns: 'Keyword=phrase,Position=rank,Date=ranked_at', ...located }
const withRanks = (cells: readonly (readonly string[])[]) => Buffer.from(csv([['Keyword', 'Position', 'Date'], ...cells]))
const toldPlaces: Places = { phrase: 0, rank: 1, day: 2 }

interface Review {
  readonly reviewId: string
  readonly reviewer: { readonly displayName: string }
  readonly starRating: string
  readonly comment?: string
  readonly createTime: string
}

const reviewsOf = (reviews: readonly Review[]): Said[] =>
  reviews.map((each) => ({
    type: 'review',
    ref: each.reviewId,
    user: each.reviewer.displayName,
    rating: ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'].indexOf(each.starRating) + 1,
    detail: each.comment ?? '',
    date: String(each.createTime).slice(0, 10),
  }))

const google = {
  reviews: [
    {
      reviewId: 'a1',
      reviewer: { profilePhotoUrl: 'https://p.example/1', displayName: 'A. Reader' },
      starRating: 'FIVE',
      comment: 'Quick, "clean"\nand friendly',
      createTime: '2026-11-12T18:20:31.120Z',
      updateTime: '2026-11-12T18:20:31.120Z',
      reviewReply: { comment: 'Thank you' },
    },
    {
      reviewId: 'a2',
      reviewer: { displayName: 'B. Neighbour' },
      starRating: 'TWO',
      createTime: '2026-11-13T07:01:02Z',
      updateTime: '2026-11-13T07:01:02Z',
    },
  ],
  averageRating: 3.5,
  totalReviewCount: 2,
}
const searchConsoleQueries = 'Top queries,Clicks,Impressions,CTR,Position\nplumber chicago,12,340,3.53%,4.2\nwater heater,2,51,3.92%,11.6\n'
const consoleZip = zipOf({
  'Chart.csv': 'Date,Clicks,Impressions,CTR,Position\n2026-11-14,14,391,3.58%,6.1\n',
  'Queries.csv': searchConsoleQueries,
  'Pages.csv': 'Top pages,Clicks,Impressions,CTR,Position\nhttps://example.com/,14,391,3.58%,6.1\n',
  'Countries.csv': 'Country,Clicks,Impressions,CTR,Position\nUnited States,14,391,3.58%,6.1\n',
  'Devices.csv': 'Device,Clicks,Impressions,CTR,Position\nDesktop,5,200,2.5%,5.1\nMobile,9,191,4.71%,7.2\n',
  'Search appearance.csv': 'Search Appearance,Clicks,Impressions,CTR,Position\n',
  'Filters.csv': 'Filter,Value\nSearch type,Web\nDate,Last 28 days\n',
})
const consoleZipOf = (filters: string) =>
  zipOf({ 'Queries.csv': searchConsoleQueries, 'Chart.csv': consoleDays, 'Filters.csv': `Filter,Value\nSearch type,Web\n${filters}\n` })
const consoleDays = 'Date,Clicks,Impressions,CTR,Position\n2026-10-18,8,200,4%,6.1\n2026-11-14,6,191,3.1%,6.4\n'
const consoleBookOf = (filter: readonly unknown[]) =>
  workbookOf({
    Chart: consoleDays.split('\n', 3).map((line, i) => line.split(',').map((cell, j) => (i > 0 && j === 0 ? dayCell(cell) : cell))),
    Queries: searchConsoleQueries.split('\n', 3).map((line) => line.split(',')),
    Filters: [['Filter', 'Value'], ['Search type', 'Web'], filter],
  })
/** The totals of a period, of which every row is a query. */
const totals =
  (reading: Reading, start_date: string, end_date: string, number: (cell: unknown) => number = Number) =>
  (file: Buffer): Said[] =>
    tableOf(file, reading)
      .filter((row) => row.length > 1)
      .map(([phrase, clicks, impressions, , position]) => ({
        type: 'period',
        phrase,
        search_engine: 'Google',
        start_date,
        end_date,
        clicks: Number(clicks),
        impressions: Number(impressions),
        average_position: number(position),
      }))
const averages = (file: Buffer): Said[] =>
  tableOf(file, { format: 'csv' }).flatMap(([date, phrase, clicks, impressions, , position]) => [
    { type: 'average_position', phrase, search_engine: 'Google', date, average_position: Number(position) },
    { type: 'click_count', phrase, search_engine: 'Google', date, clicks: Number(clicks), impressions: Number(impressions) },
  ])
const consoleWords = { preset: 'search-console', set: 'locale=en-us', round: true }
const links =
  (reading: Reading, [url, anchor, authority, strength, day]: readonly [number, number, number, number, number]) =>
  (file: Buffer): Said[] =>
    tableOf(file, reading).map((row) => ({
      type: 'backlink',
      source_url: row[url],
      anchor_text: row[anchor],
      domain_authority: Number(row[authority]),
      link_strength: Number(row[strength]),
      found_on: dayIn(row[day]),
    }))
/** Wide tables: the place and the day or engine of each column. */
const wide =
  (reading: Reading, columns: readonly (readonly [place: number, said: Said])[], none: readonly string[] = []) =>
  (file: Buffer): Said[] =>
    tableOf(file, reading).flatMap((row) =>
      columns
        .filter(([place]) => String(row[place] ?? '').trim() !== '')
        .map(([place, said]) => {
          const cell = String(row[place]).trim()
          return {
            type: 'ranking',
            phrase: String(row[0]).trim(),
            search_engine: 'Google',
            locale: 'en-us',
            rank: none.includes(cell) ? null : Number(cell),
            ...said,
          }
        }),
    )
const on = (day: string) => ({ ranked_at: `${day} 00:00:00` })

const serpBear = `ID,Keyword,Position,URL,Country,State,City,Device,Updated,Added,Tags
1, plumber, 3, -, United States, -, -, desktop, 2026-11-14T05:12:09.000Z, 2026-01-02T00:00:00.000Z, a
2, plumber, 9, -, United States, -, -, mobile, 2026-11-14T05:12:09.000Z, 2026-01-02T00:00:00.000Z, a
3, plumber, 21, -, United Kingdom, -, -, desktop, 2026-11-14T05:12:09.000Z, 2026-01-02T00:00:00.000Z, a
4, drains, 7, -, Switzerland, -, Chur, tablet, 2026-11-14T05:12:09.000Z, 2026-01-02T00:00:00.000Z, a
5, drains, 8, -, Switzerland, -, Bern, desktop, 2026-11-14T05:12:09.000Z, 2026-01-02T00:00:00.000Z, a
`

const countries: Readonly<Record<string, string>> = { 'United States': 'us', 'United Kingdom': 'gb', gbr: 'gb', Switzerland: 'ch' }

interface TrackedPlaces {
  readonly phrase: number
  readonly rank: number
  readonly country: number
  readonly device: number
  readonly location?: number
  readonly language?: string
}

/** Desktop, or the only device of a country, is stored as none. */
const tracked =
  ({ phrase, rank, country, device, location, language = 'en' }: TrackedPlaces) =>
  (file: Buffer): Said[] => {
    const rows = tableOf(file, { format: 'csv' }).map((row) => row.map((cell) => String(cell).trim()))
    return rows.map((row) => {
      const devices = new Set(rows.filter((other) => other[country] === row[country]).map((other) => other[device]))
      const name = (row[device] as string).toLowerCase()
      const place = location === undefined || row[location] === '-' ? undefined : row[location]
      return {
        type: 'ranking',
        phrase: row[phrase],
        search_engine: 'Google',
        locale: `${language}-${countries[row[country] as string]}`,
        rank: Number(row[rank]),
        device: devices.size === 1 || name === 'desktop' ? undefined : name,
        location: place,
      }
    })
  }

const clicksOn = (file: Buffer): Said[] =>
  tableOf(file, { format: 'csv' }).map((row) => ({
    type: 'click_count',
    phrase: row[0],
    date: row[1],
    locale: `de-${countries[row[2] as string]}`,
    device: String(row[3]).toLowerCase(),
    clicks: Number(row[4]),
    impressions: Number(row[5]),
  }))

// biome-ignore format: a table reads by its columns
export const shapes: readonly Shape[] = [
  // Our own names, in every dress
  { name: 'commas',                        file: Buffer.from(ownCsv),                                            says: ranks({ format: 'csv' }, plain) },
  { name: 'semicolons and CRLF',           file: Buffer.from(csv([own, ...ownRows], ';', '\r\n')),               says: ranks({ format: 'csv' }, plain) },
  { name: 'tabs',                          file: Buffer.from(csv([own, ...ownRows], '\t')),                      says: ranks({ format: 'csv', delimiter: '\t' }, plain) },
  { name: 'bars',                          file: Buffer.from(csv([own, ...ownRows], '|')),                       says: ranks({ format: 'csv', delimiter: '|' }, plain) },
  { name: 'sep=',                          file: Buffer.from(`sep=;\r\n${csv([own, ...ownRows], ';')}`),         says: ranks({ format: 'csv', delimiter: ';' }, plain) },
  { name: 'a byte order mark',             file: Buffer.from(`\ufeff${ownCsv}`),                                 says: ranks({ format: 'csv' }, plain) },
  { name: 'UTF-16',                        file: Buffer.from(`\ufeff${ownCsv}`, 'utf16le'),                      says: ranks({ format: 'csv', encoding: 'utf-16le' }, plain) },
  { name: 'windows-1252',                  file: Buffer.from(ownCsv, 'latin1'), encoding: 'windows-1252',        says: ranks({ format: 'csv', encoding: 'windows-1252' }, plain) },
  { name: 'gzip',                          file: gzipSync(ownCsv),                                               says: ranks({ format: 'csv' }, plain) },
  { name: 'other case and spacing',        file: Buffer.from(ownCsv.replace('search_engine', 'Search Engine').replace('ranked_at', 'Ranked-At')), says: ranks({ format: 'csv' }, plain) },
  { name: 'a preamble with commas',        file: Buffer.from(`Report for example.com, all keywords\nMade on "14 Nov, 2026\n\n${csv([own, ...ownRows], ';')}`), says: ranks({ format: 'csv', header: 3, delimiter: ';' }, plain) },
  { name: 'a preamble that is long',       file: Buffer.from(`${'# a line, of; words\n'.repeat(25)}${ownCsv}`),  says: ranks({ format: 'csv', header: 25 }, plain) },
  { name: 'a preamble that is told',       file: Buffer.from(`${'x\n'.repeat(60)}${ownCsv}`), words: { skip_lines: '60' }, says: ranks({ format: 'csv', header: 60 }, plain) },
  { name: 'a zip of one file',             file: zipOf({ 'export/ranks.csv': ownCsv }),                          says: ranks({ format: 'zip', part: 'ranks.csv' }, plain) },
  { name: 'a zip with a note beside it',   file: zipOf({ 'ranks.csv': ownCsv, 'README.txt': 'Thank you for your order.\n', 'logo.png': Buffer.from('89504e470d0a1a0a0000', 'hex') }), says: ranks({ format: 'zip', part: 'ranks.csv' }, plain) },
  { name: 'a workbook',                    file: workbookOf({ Ranks: workbookRows }),                            says: ranks({ format: 'workbook' }, plain) },
  { name: 'a workbook without a table of texts', file: workbookOf({ Ranks: workbookRows }, { bookSST: false }),  says: ranks({ format: 'workbook' }, plain) },
  { name: 'a workbook with other sheets',  file: workbookOf({ About: [['Made by', 'somebody']], Ranks: [['All ranks'], [], ...workbookRows], Old: workbookRows }, { hidden: ['Old'] }), says: ranks({ format: 'workbook', part: 'Ranks', header: 2 }, plain) },
  { name: 'a workbook whose sheet is told', file: workbookOf({ A: workbookRows.slice(0, 2), B: workbookRows }), words: { sheet: 'B' }, says: ranks({ format: 'workbook', part: 'B' }, plain) },
  { name: 'a workbook counting from 1904', file: workbookOf({ Ranks: [own, ...ownRows.map(([a, b, c, day, rank]) => [a, b, c, dayCell(day as string, 'd. mmmm yyyy', true), Number(rank)])] }, { is1904: true }), says: (file) => ranks({ format: 'workbook' }, plain)(file).map((said, i) => ({ ...said, ranked_at: `${ownRows[i]?.[3]} 00:00:00` })) },
  { name: 'a workbook with formulas',      file: workbookOf({ Ranks: [own, ['plumber', 'Google', 'en-us', dayCell('2026-11-14', 'dd/mm/yy'), formulaCell('1+2', 3)], [formulaCell('"a"&"b"', 'ab'), 'Google', 'en-us', '2026-11-13', formulaCell('A1', 8)]] }), says: ranks({ format: 'workbook' }, plain) },
  { name: 'a workbook of words',           file: workbookOf({ Ranks: [own, ...ownRows] }),                       says: ranks({ format: 'workbook' }, plain) },
  { name: 'a JSON array of our own',       file: Buffer.from(JSON.stringify(ownRows.map((row) => ({ type: 'ranking', ...Object.fromEntries(own.map((name, i) => [name, name === 'rank' ? Number(row[i]) : name === 'ranked_at' ? `${row[i]} 00:00:00` : row[i]])) })))), says: (file) => jsonOf(file) as Said[] },
  { name: 'a JSON array without types',    file: Buffer.from(JSON.stringify(ownRows.map((row) => Object.fromEntries(own.map((name, i) => [name, name === 'rank' ? Number(row[i]) : row[i]]))), null, 2)), says: (file) => (jsonOf(file) as Record<string, string>[]).map((each) => ({ ...each, type: 'ranking', ranked_at: `${each['ranked_at']} 00:00:00` })) },
  { name: 'NDJSON of another tool',        file: Buffer.from('{"Keyword":"plumber","Serp":{"Position":4},"Date":"2026-11-14"}\n{"Keyword":"drains","Serp":{"Position":9},"Date":"2026-11-14"}\n'), words: { ...told, columns: 'Keyword=phrase,Serp.Position=rank,Date=ranked_at' }, says: (file) => (jsonOf(file) as { Keyword: string; Serp: { Position: number } }[]).map((each) => ({ type: 'ranking', phrase: each.Keyword, rank: each.Serp.Position, ...on('2026-11-14') })) },
  // Presets
  { name: 'Search Console by date',        file: sample('search-console.csv'), words: consoleWords,              says: ranks({ format: 'csv' }, { phrase: 1, rank: 5, day: 0, number: (cell) => Math.round(Number(cell)) }) },
  { name: 'Search Console, the whole zip', file: consoleZip, words: { ...consoleWords, date: '2026-11-14' },     says: ranks({ format: 'zip', part: 'Queries.csv' }, { phrase: 0, rank: 4, day: '2026-11-14', number: (cell) => Math.round(Number(cell)) }) },
  { name: 'Search Console, the workbook',  file: workbookOf({ Chart: [['Date', 'Clicks', 'Impressions', 'CTR', 'Position'], [dayCell('2026-11-14'), 3, 4, 0.75, 1.5]], Queries: [['Top queries', 'Clicks', 'Impressions', 'CTR', 'Position'], ['plumber', 3, 40, 0.075, 4.4]], Pages: [['Top pages', 'Clicks', 'Impressions', 'CTR', 'Position'], ['https://example.com/', 3, 40, 0.075, 4.4]] }), words: { ...consoleWords, date: '2026-11-14' }, says: ranks({ format: 'workbook', part: 'Queries' }, { phrase: 0, rank: 4, day: '2026-11-14', number: (cell) => Math.round(Number(cell)) }) },
  { name: 'Search Console in German',      file: Buffer.from('Häufigste Suchanfragen,Klicks,Impressionen,CTR,Position\nklempner,2,30,"6,67 %","7,4"\n'), words: { ...consoleWords, set: 'locale=de-de', date: '2026-11-14', decimal: ',' }, says: ranks({ format: 'csv' }, { phrase: 0, rank: 4, day: '2026-11-14', locale: 'de-de', number: (cell) => Math.round(german(cell)) }) },
  { name: 'Search Console, pages in German', file: Buffer.from('Seiten mit den meisten Aufrufen,Klicks,Impressionen,CTR,Position\nhttps://example.com/,2,30,"6,67 %","7,4"\n'), words: { ...consoleWords, date: '2026-11-14', decimal: ',' }, says: /addresses where queries are expected/ },
  { name: 'Search Console, pages for queries', file: Buffer.from('Top pages,Clicks,Impressions,CTR,Position\nhttps://example.com/,2,30,6.67%,7.4\n'), words: { ...consoleWords, date: '2026-11-14' }, says: /it lacks phrase/ },
  { name: 'Search Console by date, bare',  file: sample('search-console.csv'),                                   says: averages },
  { name: 'Search Console zip of a period', file: consoleZipOf('Date,"Oct 15, 2026-Nov 11, 2026"'),              says: totals({ format: 'zip', part: 'Queries.csv' }, '2026-10-15', '2026-11-11') },
  { name: 'Search Console zip of its days', file: consoleZipOf('Date,Last 28 days'),                             says: totals({ format: 'zip', part: 'Queries.csv' }, '2026-10-18', '2026-11-14') },
  { name: 'Search Console zip, rounded',   file: consoleZipOf('Date,Last 28 days'), words: consoleWords,         says: totals({ format: 'zip', part: 'Queries.csv' }, '2026-10-18', '2026-11-14') },
  { name: 'Search Console workbook of a period', file: consoleBookOf(['Date', 'Oct 15, 2026-Nov 11, 2026']),     says: totals({ format: 'workbook', part: 'Queries' }, '2026-10-15', '2026-11-11') },
  { name: 'Search Console workbook of two days', file: consoleBookOf(['Date', dayCell('2026-10-15'), dayCell('2026-11-11')]), says: totals({ format: 'workbook', part: 'Queries' }, '2026-10-15', '2026-11-11') },
  { name: 'Search Console workbook of its days', file: consoleBookOf(['Date', 'Last 28 days']),                  says: totals({ format: 'workbook', part: 'Queries' }, '2026-10-18', '2026-11-14') },
  { name: 'Search Console totals',         file: Buffer.from(searchConsoleQueries), words: { period: '2026-10-15..2026-11-11' }, says: totals({ format: 'csv' }, '2026-10-15', '2026-11-11') },
  { name: 'Search Console totals in German', file: Buffer.from('Häufigste Suchanfragen,Klicks,Impressionen,CTR,Position\nklempner,2,30,"6,67 %","7,4"\n'), words: { preset: 'search-console', period: '2026-10-15..2026-11-11', decimal: ',' }, says: totals({ format: 'csv' }, '2026-10-15', '2026-11-11', german) },
  { name: 'Search Console totals, no days', file: Buffer.from(searchConsoleQueries),                             says: /it lacks date .*--period 2026-10-15\.\.2026-11-11/ },
  { name: 'Search Console as ranks',       file: sample('search-console.csv'), words: { as_rank: true, set: 'locale=en-us' }, says: ranks({ format: 'csv' }, { phrase: 1, rank: 5, day: 0, number: (cell) => Math.round(Number(cell)) }) },
  { name: 'Our own CSV of positions',      file: Buffer.from('phrase,search_engine,date,average_position\nplumber,Google,2026-11-14,7.4\n'), says: (file) => tableOf(file, { format: 'csv' }).map(([phrase, search_engine, date, position]) => ({ type: 'average_position', phrase, search_engine, date, average_position: Number(position) })) },
  { name: 'Our own CSV of periods',        file: Buffer.from('phrase,search_engine,start_date,end_date,clicks,impressions\nplumber,Google,2026-10-15,2026-11-11,4,90\n'), says: (file) => tableOf(file, { format: 'csv' }).map(([phrase, search_engine, start_date, end_date, clicks, impressions]) => ({ type: 'period', phrase, search_engine, start_date, end_date, clicks: Number(clicks), impressions: Number(impressions) })) },
  { name: 'Google reviews',                file: Buffer.from(JSON.stringify(google, null, 2)), words: onPage,     says: (file) => reviewsOf((jsonOf(file) as { reviews: Review[] }).reviews) },
  { name: 'Google reviews, counted first', file: Buffer.from(JSON.stringify({ averageRating: 3.5, totalReviewCount: 2, reviews: google.reviews, nextPageToken: 'x' })), words: onPage, says: (file) => reviewsOf((jsonOf(file) as { reviews: Review[] }).reviews) },
  { name: 'Google reviews in a zip',       file: zipOf({ 'Takeout/Google Business Profile/account-1/location-2/reviews.json': JSON.stringify(google) }), words: onPage, says: () => reviewsOf(google.reviews) },
  { name: 'Business Profile as CSV',       file: sample('business-profile.csv'), words: onPage,                  says: (file) => tableOf(file, { format: 'csv' }).map(([ref, user, stars, detail, day]) => ({ type: 'review', ref, user, detail, rating: ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'].indexOf(stars as string) + 1, date: dayIn(day) })) },
  { name: 'BrightLocal reviews',           file: sample('brightlocal.csv'), words: { ...onPage, date_format: 'dd/mm/yyyy' }, says: (file) => tableOf(file, { format: 'csv' }).map(([day, source, user, stars, detail, url]) => ({ type: 'review', source, user, rating: Number(stars), detail, url, date: dayIn(day, 'dmy') })) },
  { name: 'BrightLocal ranks',             file: Buffer.from('Keyword,Google,Bing,Yahoo\nplumber chicago,3,8,9\nboiler,12,,-\n'), words: { kind: 'rankings', columns: 'Keyword=phrase', set: 'locale=en-us', date: '2026-11-14', not_found: '-' }, says: wide({ format: 'csv' }, [[1, on('2026-11-14')], [2, { ...on('2026-11-14'), search_engine: 'Bing' }], [3, { ...on('2026-11-14'), search_engine: 'Yahoo' }]], ['-']) },
  { name: 'SE Ranking with a preamble',    file: Buffer.from(`Project: example.com\nPeriod: 2026-11-12 - 2026-11-14\n\n${sample('se-ranking.csv')}`), words: located, says: wide({ format: 'csv', header: 3, delimiter: ';' }, [[3, on('2026-11-12')], [4, on('2026-11-13')], [5, on('2026-11-14')]], ['-', '>100', '0']) },
  { name: 'SerpBear',                      file: sample('serpbear.csv'), words: { set: 'locale=en-us' },         says: (file) => tableOf(file, { format: 'csv' }).map((row) => ({ type: 'ranking', phrase: String(row[1]).trim(), search_engine: 'Google', locale: 'en-us', rank: String(row[2]).trim() === '-' ? null : Number(row[2]), ranked_at: String(row[8]).trim().slice(0, 19).replace('T', ' ') })) },
  { name: 'Semrush',                       file: sample('semrush.csv'), words: { set: 'locale=en-us' },          says: ranks({ format: 'csv' }, { phrase: 0, rank: 1, day: 13 }) },
  { name: 'Semrush position tracking',     file: sample('semrush-tracking.csv'), words: { set: 'locale=en-us' }, says: wide({ format: 'csv', header: 4 }, [[3, on('2026-11-13')], [6, on('2026-11-14')]], ['-']) },
  { name: 'Ahrefs backlinks',              file: sample('ahrefs.csv'),                                           says: links({ format: 'csv', encoding: 'utf-16le', delimiter: '\t' }, [1, 8, 3, 4, 12]) },
  { name: 'Ahrefs keywords',               file: sample('ahrefs-keywords.csv'), words: { set: 'locale=en-us' },  says: ranks({ format: 'csv' }, { phrase: 0, rank: 6, day: 9, none: ['-'] }) },
  { name: 'Moz',                           file: sample('moz.csv'),                                              says: links({ format: 'csv' }, [0, 2, 5, 4, 8]) },
  { name: 'Moz as a workbook',             file: workbookOf({ Links: [['URL', 'Title', 'Anchor Text', 'PA', 'DA', 'First Seen'], ['https://blog.example/pipes', 'On pipes', 'good plumbers', 32, 38, dayCell('2026-10-03', 'm/d/yy')]] }), says: links({ format: 'workbook' }, [0, 2, 4, 3, 5]) },
  { name: 'DataForSEO',                    file: sample('data-for-seo.csv'),                                     says: (file) => tableOf(file, { format: 'csv' }).map((row) => ({ type: 'ranking', phrase: row[0], search_engine: row[1], locale: row[3], rank: Number(row[6]), url: row[9], ranked_at: String(row[4]).slice(0, 19) })) },
  { name: 'DataForSEO as JSON',            file: Buffer.from(JSON.stringify([{ keyword: 'plumber', se_domain: 'google.com', language_code: 'en', datetime: '2026-11-14 12:57:46 +00:00', rank_group: 4, domain: 'example.com', url: 'https://example.com/', type: 'organic' }])), words: { preset: 'data-for-seo' }, says: (file) => (jsonOf(file) as Record<string, string>[]).map((each) => ({ type: 'ranking', phrase: each['keyword'], search_engine: each['se_domain'], locale: each['language_code'], rank: each['rank_group'], ranked_at: each['datetime']?.slice(0, 19) })) },
  // Wide tables
  { name: 'days in brackets',              file: Buffer.from('phrase,search_engine,locale,Rank (2026-11-13),Rank (2026-11-14),Change\nplumber,Google,en-us,3,4,-1\ndrains,Google,en-us,,8,\n'), words: { kind: 'rankings' }, says: wide({ format: 'csv' }, [[3, on('2026-11-13')], [4, on('2026-11-14')]]) },
  { name: 'days without marks',            file: Buffer.from('phrase,search_engine,locale,example_20261113,example_20261114,example_20261114_landing\nplumber,Google,en-us,3,4,https://example.com/\n'), words: { kind: 'rankings' }, says: wide({ format: 'csv' }, [[3, on('2026-11-13')], [4, on('2026-11-14')]]) },
  { name: 'days as days of a workbook',    file: workbookOf({ Ranks: [['phrase', 'search_engine', 'locale', dayCell('2026-11-13'), dayCell('2026-11-14')], ['plumber', 'Google', 'en-us', 3, 4]] }), words: { kind: 'rankings' }, says: wide({ format: 'workbook' }, [[3, on('2026-11-13')], [4, on('2026-11-14')]]) },
  { name: 'days with words',               file: Buffer.from('phrase;search_engine;locale;Position Nov 13, 2026;Position Nov 14, 2026\nplumber;Google;en-us;3;4\n'), words: { kind: 'rankings' }, says: wide({ format: 'csv', delimiter: ';' }, [[3, on('2026-11-13')], [4, on('2026-11-14')]]) },
  { name: 'engines as columns',            file: Buffer.from('phrase,locale,ranked_at,Google,Bing Rank\nplumber,en-us,2026-11-14,4,6\ndrains,en-us,2026-11-14,,2\n'), says: wide({ format: 'csv' }, [[3, on('2026-11-14')], [4, { ...on('2026-11-14'), search_engine: 'Bing' }]]) },
  // Devices, countries and places: desktop goes on in the series of before
  { name: 'SerpBear of countries and devices', file: Buffer.from(serpBear), says: tracked({ phrase: 1, rank: 2, country: 4, location: 6, device: 7 }) },
  { name: 'Search Console by country and device', file: Buffer.from('Query,Date,Country,Device,Clicks,Impressions,CTR,Position\nplumber,2026-11-14,Switzerland,DESKTOP,5,50,10%,3\nplumber,2026-11-14,Switzerland,MOBILE,9,90,10%,4\nplumber,2026-11-14,gbr,TABLET,1,10,10%,8\n'), words: { preset: 'search-console', round: true, language: 'de' }, says: (file) => [...tracked({ phrase: 0, rank: 7, country: 2, device: 3, language: 'de' })(file), ...clicksOn(file)] },
  { name: 'a file of one device',          file: Buffer.from('phrase,search_engine,locale,device,ranked_at,rank\nplumber,Google,en-us,mobile,2026-11-14,9\n'), says: (file) => ranks({ format: 'csv' }, { phrase: 0, rank: 5, day: 4 })(file).map((said) => ({ ...said, device: undefined })) },
  { name: 'a file of one device, by name', file: Buffer.from('phrase,search_engine,locale,device,location,ranked_at,rank\nplumber,Google,en-us,mobile,Ulm,2026-11-14,9\n'), words: { devices: true }, says: (file) => ranks({ format: 'csv' }, { phrase: 0, rank: 6, day: 5 })(file).map((said) => ({ ...said, device: 'mobile', location: 'Ulm' })) },
  { name: 'devices as columns',            file: Buffer.from('phrase,search_engine,locale,ranked_at,Desktop Rank,Mobile\nplumber,Google,en-us,2026-11-14,3,9\n'), says: wide({ format: 'csv' }, [[4, { ...on('2026-11-14'), device: undefined }], [5, { ...on('2026-11-14'), device: 'mobile' }]]) },
  { name: 'several countries for one locale', file: Buffer.from('Keyword,Position,Country,Date\na,3,US,2026-11-14\nb,4,GB,2026-11-14\n'), words: { ...told, columns: 'Keyword=phrase,Position=rank,Date=ranked_at' }, says: /Line 3: locale .*leave out --set locale/ },
  // Cells
  { name: 'German figures and days',       file: withRanks([['a', '1.234,0', '14.11.2026'], ['b', '7,0', '1.11.26']].map((row) => row)), words: { ...told, decimal: ',', date_format: 'd.m.yyyy' }, says: /Line 3.*1\.11\.26/ },
  { name: 'German figures',                file: withRanks([['a', '1.234,0', '14.11.2026'], ['b', '7', '13.11.2026']]), words: { ...told, decimal: ',', date_format: 'dd.mm.yyyy' }, says: ranks({ format: 'csv' }, { ...toldPlaces, order: 'dmy', number: german }) },
  { name: 'American days',                 file: withRanks([['a', '#3', '11/14/2026'], ['b', '12', '11/2/2026']]), words: { ...told, date_format: 'm/d/yyyy' }, says: ranks({ format: 'csv' }, { ...toldPlaces, order: 'mdy', number: (cell) => Number(String(cell).replace('#', '')) }) },
  { name: 'days in words',                 file: withRanks([['a', '3', 'Nov 14, 2026'], ['b', '12', '2 November 2026']]), words: told, says: ranks({ format: 'csv' }, toldPlaces) },
  { name: 'an empty rank for not found',   file: withRanks([['a', '3', '2026-11-14'], ['b', '', '2026-11-14']]), words: { ...told, not_found: '' }, says: ranks({ format: 'csv' }, { ...toldPlaces, none: [''] }) },
  { name: 'a thousand with a point',       file: withRanks([['a', '1.280', '2026-11-14']]), words: { ...told, round: true }, says: /Line 2: rank must be an integer \(here: "1\.280"\); --decimal/ },
  { name: 'a day that could be two',       file: withRanks([['a', '3', '11/12/2026']]), words: told, says: /Line 2: ranked_at must be a real time .*--date-format/ },
  { name: 'several sheets',                file: workbookOf({ A: workbookRows, B: workbookRows }), says: /has several sheets: A, B can be read; say --sheet/ },
  { name: 'Semrush without a locale',      file: sample('semrush.csv'), says: /this looks like Semrush \(--preset semrush\), but for rankings it lacks locale/ },
  { name: 'a workbook of before 2007',     file: Buffer.from('d0cf11e0a1b11ae1', 'hex'), says: /save it as \.xlsx/ },
]
