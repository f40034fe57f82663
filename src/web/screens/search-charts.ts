/** The charts of the search page: positions over time, bands by week, new links, strength, load time, indexed pages. */

import type { DayPosition } from '../../model/dashboard/positions.ts'
import { bandKeys, drawBands } from '../charts/bands.ts'
import { drawClasses, drawWeeks, partWeeks } from '../charts/bars.ts'
import type { Chart, LegendItem } from '../charts/frame.ts'
import { type ChartSeries, drawAmounts, drawRanks, type Missing, type Point } from '../charts/line.ts'
import { csvPath } from '../components/csv.ts'
import { domainName } from '../components/names.ts'
import { gapNote } from '../components/site-frame.ts'
import { hrefWith, type ReaderPageRequest } from '../page-request.ts'
import type { SearchContent } from './search/content.ts'
import {
  bandsTable,
  indexedTable,
  loadTimeTable,
  newBacklinksTable,
  positionLines,
  positionsTable,
  strengthsOf,
  strengthTable,
  weeksOf,
} from './search-tables.ts'

type Making = (request: ReaderPageRequest, content: SearchContent) => Chart

export const positionsChart: Making = (request, content) => {
  const { words } = request
  const { period } = content
  const lines = positionLines(content)
  const series = lines.map(
    ({ label, days }, index): ChartSeries => ({
      label,
      mark: index === 0 ? 'own' : `rival-${index}`,
      points: days.map(({ day, average }) => ({ day, value: average })),
    }),
  )
  const own = lines[0]?.days ?? []
  const missing = missingOf(own)
  return {
    id: 'positions',
    title: 'Average position over time',
    summary: `${toldOf(request, content)} ${comparedOn(request, content)}`.trim(),
    notes: [
      ...gapNote(
        words,
        own.map(({ day, average }) => ({ day, value: average })),
      ),
      ...(missing.length > 0
        ? [
            'The stripes at the bottom show how many keywords were not found, or only after the first thousand results; the average leaves them out.',
          ]
        : []),
      ...unlikeFigure(request, content),
    ],
    keys: [...keysOf(series), ...(missing.length > 0 ? [{ label: 'Not found', mark: 'band-7', shape: 'area' as const }] : [])],
    table: positionsTable(content),
    csv: csvPath(request, 'positions'),
    pins: { span: period, days: content.pins },
    ...(content.search.shared && { turn: rivalsTurn(request, content.withRivals) }),
    draw: (size) => drawRanks(words, period, series, missing, size, 'positions'),
  }
}

/** Days on which some keywords were not found. */
export function missingOf(days: readonly DayPosition[]): Missing[] {
  return days.flatMap(({ day, found, missing }) => (missing > 0 ? [{ day, share: missing / (found + missing) }] : []))
}

function rivalsTurn(request: ReaderPageRequest, withRivals: boolean) {
  return withRivals
    ? { label: 'Hide competitors', href: `${hrefWith(request, { rivals: 'off', chart: 'position' })}#glance` }
    : { label: 'Compare with competitors', href: `${hrefWith(request, { rivals: 'on', chart: 'position' })}#glance` }
}

function toldOf({ words }: ReaderPageRequest, content: SearchContent): string {
  const days = positionLines(content)[0]?.days ?? []
  const found = days.flatMap(({ day, average }) => (average === null ? [] : [{ day, average }]))
  const [first, last] = [found[0], found.at(-1)]
  if (!first || !last) return days.length === 0 ? 'Nothing was measured in this period.' : 'Nothing was found in this period.'
  if (first === last) return `Found on one day only: ${words.decimal(first.average)} on ${words.day(first.day)}.`
  return `From ${words.decimal(first.average)} on ${words.day(first.day)} to ${words.decimal(last.average)} on ${words.day(last.day)}; 1 is the first result.`
}

/** The last day of the line may lack keywords that are measured on other days; then it is not the figure at the top. */
function unlikeFigure({ words }: ReaderPageRequest, content: SearchContent): string[] {
  const { search, withRivals } = content
  const figure = search.standings.now.average
  const last = positionLines(content)[0]?.days.findLast(({ average }) => average !== null)?.average
  const isOfAll = !withRivals || search.shared?.pairs === search.pairs
  if (figure === null || last === null || last === undefined || !isOfAll || words.decimal(figure) === words.decimal(last)) return []
  return [
    `The line counts what was measured on each day; the figure at the top, ${words.decimal(figure)}, the latest measurement of each keyword.`,
  ]
}

function comparedOn({ words }: ReaderPageRequest, { search, withRivals }: SearchContent): string {
  if (!withRivals || search.shared === null) return ''
  const { pairs } = search.shared
  return pairs === search.pairs
    ? 'All lines are of the same keywords.'
    : `All lines are of the ${words.whole(pairs)} of ${words.count(search.pairs, 'keyword')} measured for every site drawn, counted on each engine.`
}

function keysOf(series: readonly ChartSeries[]): LegendItem[] {
  return series.map(({ label, mark }) => ({ label, mark, shape: 'line' }))
}

export const bandsChart: Making = (request, content) => {
  const { search, period } = content
  const last = search.weeks.findLast(({ amounts }) => amounts.some((amount) => amount > 0))
  const top = last ? (last.amounts[0] as number) + (last.amounts[1] as number) + (last.amounts[2] as number) : 0
  const total = last?.amounts.reduce((sum, amount) => sum + amount, 0) ?? 0
  const told = last
    ? `${request.words.whole(top)} of ${request.words.whole(total)} in the top 10 in the week of ${request.words.shortDay(last.week)}.`
    : 'Nothing was measured in this period.'
  return {
    id: 'bands',
    title: 'Where the keywords stand',
    summary: `${told} Counted on each engine and locale.`,
    keys: bandKeys(search.weeks, (name) => `${hrefWith(request, { band: name, page: null })}#keywords`),
    table: bandsTable(content),
    csv: csvPath(request, 'bands'),
    pins: { span: period, days: content.pins, isWeekly: true },
    draw: (size) => drawBands(request.words, period, search.weeks, size),
  }
}

/** Links that were never measured are different from no links. */
export function noLinksSentence({ words }: ReaderPageRequest, { figures }: SearchContent): string {
  if (figures.lastBacklinkOn === null)
    return figures.now.backlink_count === null
      ? 'Links to this site have not been measured.'
      : 'Links to this site have been counted, but not listed.'
  return `No new links were found in this period; the last was found on ${words.day(figures.lastBacklinkOn)}.`
}

export const newBacklinksChart: Making = (request, content) => {
  const { period, figures } = content
  const amount = figures.backlinks.ids.length
  return {
    id: 'new-backlinks',
    title: 'New backlinks',
    summary:
      amount === 0 ? noLinksSentence(request, content) : `${request.words.count(amount, 'link')} found in this period, week by week.`,
    notes: partWeeks(request.words, period),
    table: newBacklinksTable(content),
    csv: csvPath(request, 'new-backlinks'),
    draw: (size) => drawWeeks(request.words, period, weeksOf(period, figures.backlinks), size),
  }
}

export const strengthChart: Making = (request, content) => {
  const strengths = strengthsOf(content.figures.backlinks)
  const strong = strengths.slice(5).reduce((sum, { amount }) => sum + amount, 0)
  return {
    id: 'strength',
    title: 'How strong they are',
    summary: `${request.words.whole(strong)} of ${request.words.count(content.figures.backlinks.ids.length, 'new link')} have a strength of 50 or more.`,
    table: strengthTable(content),
    csv: csvPath(request, 'strength'),
    draw: (size) =>
      drawClasses(
        request.words,
        strengths.map(({ from, amount }) => ({ label: from === 90 ? '90+' : String(from), amount })),
        size,
      ),
  }
}

export const loadTimeChart: Making = (request, content) => {
  const points = content.figures.days.flatMap(({ day, download_time }): Point[] =>
    download_time === null ? [] : [{ day, value: download_time }],
  )
  const last = points.at(-1)
  return {
    id: 'load-time',
    title: 'Load time',
    summary: last ? `${request.words.seconds(last.value ?? 0)} on ${request.words.day(last.day)}.` : 'Not measured in this period.',
    notes: gapNote(request.words, points),
    table: loadTimeTable(content),
    csv: csvPath(request, 'load-time'),
    draw: (size) => drawAmounts(request.words, content.period, [{ label: 'Load time', mark: 'own', points }], size, (tick) => `${tick} s`),
  }
}

/** The figures of indexed pages, with the engine and the style of its line. */
export const indexedIn = {
  pages_indexed_in_google: { label: 'Google', mark: 'own' },
  pages_indexed_in_bing: { label: 'Bing', mark: 'rival-1' },
  pages_indexed_in_yahoo: { label: 'Yahoo', mark: 'rival-2' },
} as const

const engines = (Object.keys(indexedIn) as (keyof typeof indexedIn)[]).map((figure) => ({ figure, ...indexedIn[figure] }))

export const indexedChart: Making = (request, content) => {
  const { days, now } = content.figures
  const series = engines.map(
    ({ label, figure, mark }): ChartSeries => ({
      label,
      mark,
      points: days.flatMap((one): Point[] => (one[figure] === null ? [] : [{ day: one.day, value: one[figure] }])),
    }),
  )
  const told = engines.flatMap(({ label, figure }) => (now[figure] === null ? [] : [`${request.words.whole(now[figure])} in ${label}`]))
  return {
    id: 'indexed-pages',
    title: 'Pages in the index',
    summary: told.length > 0 ? `${told.join(', ')}.` : `Not measured for ${domainName(content.domain)}.`,
    keys: keysOf(series.filter(({ points }) => points.length > 0)),
    notes: series.flatMap(({ label, points }) => gapNote(request.words, points, ` in ${label}`)),
    table: indexedTable(content),
    csv: csvPath(request, 'indexed-pages'),
    draw: (size) => drawAmounts(request.words, content.period, series, size, request.words.whole),
  }
}
