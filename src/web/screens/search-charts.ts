/** The charts of the search page: positions over time, bands by week, new links, strength, load time, indexed pages. */

import { dayText } from '../../lib/days.ts'
import { bandKeys, drawBands } from '../charts/bands.ts'
import { drawClasses, drawWeeks } from '../charts/bars.ts'
import type { Chart, LegendItem } from '../charts/frame.ts'
import { type ChartSeries, drawAmounts, drawRanks, gapsOf, type Point } from '../charts/line.ts'
import { csvPath } from '../components/csv.ts'
import { gapNote } from '../components/site-frame.ts'
import { hrefWith, type ReaderPageRequest } from '../page-request.ts'
import {
  bandsTable,
  indexedTable,
  loadTimeTable,
  newBacklinksTable,
  positionsTable,
  type SearchContent,
  strengthsOf,
  strengthTable,
  weeksOf,
} from './search-tables.ts'

type Making = (request: ReaderPageRequest, content: SearchContent) => Chart

export const positionsChart: Making = (request, content) => {
  const { words } = request
  const { period, domain, search } = content
  const own = search.own.days().flatMap(({ day, average }): Point[] => (average === null ? [] : [{ day, value: average }]))
  const rivals = search.rivals.slice(0, 3).map(
    (rival, index): ChartSeries => ({
      label: rival.domain,
      mark: `rival-${index + 1}`,
      points: rival.tally.days().flatMap(({ day, average }): Point[] => (average === null ? [] : [{ day, value: average }])),
    }),
  )
  const series = [{ label: domain, mark: 'own', points: own }, ...rivals]
  const [first, last] = [own[0], own.at(-1)]
  const told =
    first && last
      ? `From ${words.decimal(first.value)} on ${words.day(first.day)} to ${words.decimal(last.value)} on ${words.day(last.day)}.`
      : 'Nothing was measured in this period.'
  const gaps = gapsOf(own).map(({ from, to }) => ({ from: dayText(from), to: dayText(to) }))
  return {
    id: 'positions',
    title: 'Average position over time',
    summary: `${told} 1 is the first result; keywords not found are left out of the average.`,
    notes: gapNote(request, gaps),
    keys: keysOf(series),
    table: positionsTable(content),
    csv: csvPath(request, 'positions'),
    draw: (size) => drawRanks(words, period, series, size),
  }
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
    ? `${request.words.whole(top)} of ${request.words.whole(total)} stand in the top 10 in the last week.`
    : 'Nothing was measured in this period.'
  return {
    id: 'bands',
    title: 'Where the keywords stand',
    summary: `${told} Each column is a week.`,
    keys: bandKeys((name) => `${hrefWith(request, { band: name })}#keywords`),
    table: bandsTable(content),
    csv: csvPath(request, 'bands'),
    draw: (size) => drawBands(request.words, period, search.weeks, size),
  }
}

export const newBacklinksChart: Making = (request, content) => {
  const { period, figures } = content
  const amount = figures.backlinks.length
  return {
    id: 'new-backlinks',
    title: 'New backlinks',
    summary:
      amount === 0
        ? 'No new links were found in this period.'
        : `${request.words.count(amount, 'link')} found in this period, week by week.`,
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
    summary: `${request.words.whole(strong)} of ${request.words.whole(content.figures.backlinks.length)} new links have a strength of 50 or more.`,
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
    summary: last ? `${request.words.seconds(last.value)} on ${request.words.day(last.day)}.` : 'Not measured in this period.',
    table: loadTimeTable(content),
    csv: csvPath(request, 'load-time'),
    draw: (size) => drawAmounts(request.words, content.period, [{ label: 'Load time', mark: 'own', points }], size, (tick) => `${tick} s`),
  }
}

export const indexedChart: Making = (request, content) => {
  const engines = [
    ['Google', 'pages_indexed_in_google', 'own'],
    ['Bing', 'pages_indexed_in_bing', 'rival-1'],
    ['Yahoo', 'pages_indexed_in_yahoo', 'rival-2'],
  ] as const
  const { days, now } = content.figures
  const series = engines.map(
    ([label, figure, mark]): ChartSeries => ({
      label,
      mark,
      points: days.flatMap((one): Point[] => (one[figure] === null ? [] : [{ day: one.day, value: one[figure] }])),
    }),
  )
  const told = engines.flatMap(([label, figure]) => (now[figure] === null ? [] : [`${request.words.whole(now[figure])} in ${label}`]))
  return {
    id: 'indexed-pages',
    title: 'Pages in the index',
    summary: told.length > 0 ? `${told.join(', ')}.` : 'Not measured.',
    keys: keysOf(series),
    table: indexedTable(content),
    csv: csvPath(request, 'indexed-pages'),
    draw: (size) => drawAmounts(request.words, content.period, series, size, request.words.whole),
  }
}
