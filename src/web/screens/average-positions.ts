/** Average positions and figures of periods on the pages of a site and of a keyword, apart from ranks. */

import type { Html } from '../../lib/html.ts'
import { html } from '../../lib/html.ts'
import type { AverageDay, AverageLine } from '../../model/dashboard/average-positions.ts'
import type { KeywordPeriod } from '../../model/dashboard/keyword-history.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import { placeBetween } from '../charts/axes.ts'
import { type Chart, chartHtml } from '../charts/frame.ts'
import { drawRanks } from '../charts/line.ts'
import { csvPath } from '../components/csv.ts'
import { sourceName } from '../components/names.ts'
import type { Words } from '../components/number-format.ts'
import { card } from '../components/site-frame.ts'
import { type Cell, type Column, type PageTable, stackedTable } from '../components/tables.ts'
import type { ReaderPageRequest } from '../page-request.ts'
import { sourceLabel } from './keywords.ts'

/** As many lines as a chart can distinguish; the table has more. */
const mostLines = 4
const mostColumns = 12

interface NamedDays {
  readonly label: string
  readonly days: readonly AverageDay[]
}

export function siteAveragesCard(request: ReaderPageRequest, days: readonly AverageDay[], period: ChosenPeriod): Html | null {
  const chart = siteAveragesChart(request, days, period)
  return chart && card(chartHtml(request.words, chart, 12), 'w12')
}

const ofAllTold = 'of all keywords for which it is told'

/** Null where none is told. */
export function siteAveragesChart(request: ReaderPageRequest, days: readonly AverageDay[], period: ChosenPeriod): Chart | null {
  const lines = ofSite(days)
  return lines.length === 0 ? null : averagesChart(request.words, lines, period, ofAllTold, csvPath(request, 'average-positions'))
}

export function siteAveragesTable(days: readonly AverageDay[], period: DaySpan): PageTable {
  return averagesTable(ofSite(days), period)
}

function ofSite(days: readonly AverageDay[]): NamedDays[] {
  return days.length === 0 ? [] : [{ label: 'Average position', days }]
}

export function keywordAveragesCard(words: Words, lines: readonly AverageLine[], period: ChosenPeriod): Html | null {
  const named = lines.slice(0, mostColumns).map(({ source, days }) => ({ label: sourceLabel(source, source.locale !== ''), days }))
  return named.length === 0 ? null : card(chartHtml(words, averagesChart(words, named, period, 'of this keyword'), 12), 'w12')
}

function averagesChart(words: Words, lines: readonly NamedDays[], period: ChosenPeriod, what: string, csv?: string): Chart {
  const series = lines.slice(0, mostLines).map(({ label, days }, index) => ({
    label,
    mark: index === 0 ? 'own' : `rival-${index}`,
    points: days.map(({ day, average }) => ({ day, value: average })),
  }))
  return {
    id: 'average-positions',
    title: 'Average position in search results',
    summary: toldOf(words, lines[0]?.days ?? [], what),
    keys: lines.length < 2 ? [] : series.map(({ label, mark }) => ({ label, mark, shape: 'line' as const })),
    table: averagesTable(lines, period),
    ...(csv !== undefined && { csv }),
    draw: (size) => drawRanks(words, period, series, [], size, 'average-positions'),
  }
}

function averagesTable(lines: readonly NamedDays[], period: DaySpan): PageTable {
  const byDay = lines.map(({ days }) => new Map(days.map(({ day, average }) => [day, average])))
  const days = [...new Set(byDay.flatMap((one) => [...one.keys()]))].toSorted()
  const columns: Column[] = [
    { label: 'Day', kind: 'day' },
    ...lines.map(({ label }): Column => ({ label, kind: 'decimal', empty: 'not told' })),
  ]
  return {
    caption: 'Average positions by day',
    columns,
    rows: days.map((day): Cell[] => [day, ...byDay.map((one) => one.get(day) ?? null)]),
    at: days.map((day) => placeBetween(period.from, period.to, day)),
  }
}

function toldOf(words: Words, days: readonly AverageDay[], what: string): string {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return ''
  const says = 'as search engines tell it over all searches; it is no rank.'
  return first === last
    ? `${words.decimal(last.average)} on ${words.day(last.day)} ${what}, ${says}`
    : `From ${words.decimal(first.average)} on ${words.day(first.day)} to ${words.decimal(last.average)} on ${words.day(last.day)} ${what}, ${says}`
}

/** Figures of several days together, each by itself. */
export function periodsCard(words: Words, periods: readonly KeywordPeriod[]): Html | null {
  if (periods.length === 0) return null
  const columns: Column[] = [
    { label: 'From', kind: 'day' },
    { label: 'To', kind: 'day' },
    { label: 'Engine', kind: 'text' },
    { label: 'Clicks', kind: 'whole' },
    { label: 'Impressions', kind: 'whole' },
    { label: 'Average position', kind: 'decimal' },
  ]
  const rows = periods.map((one): Cell[] => [
    one.start_date,
    one.end_date,
    [sourceName(one.search_engine), one.locale, one.device, one.location].filter(Boolean).join(' '),
    one.clicks,
    one.impressions,
    one.average_position,
  ])
  return card(
    html`
      <h2>Figures of periods</h2>
      <p class="quiet">Each is of all its days together, and is counted in no other figure.</p>
      ${stackedTable(words, { caption: 'Figures of periods', columns, rows })}
    `,
    'w12',
  )
}
