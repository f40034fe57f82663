/** The tables of the search page: behind its charts, on its cards, and in its CSV files. */

import { dayNumber, dayText, weekOf } from '../../lib/time/days.ts'
import type { NewBacklinks } from '../../model/dashboard/backlinks.ts'
import type { KeywordLine } from '../../model/dashboard/own-lines.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import { placeBetween, weekMiddle } from '../charts/axes.ts'
import { bands } from '../charts/bands.ts'
import { domainName, sourceName } from '../components/names.ts'
import type { Cell, Column, PageTable } from '../components/tables.ts'
import { siteAveragesTable } from './average-positions.ts'
import type { SearchContent } from './search/content.ts'
import { linkCountTable, notFoundTable, visibilityTable } from './search/hero-tables.ts'
import { clicksTable, ownFiguresTable } from './search/summed.ts'

/** The tables by the name in the addresses of their CSV files; `keywords` and `backlinks` are streamed. */
export const searchTables = {
  visibility: visibilityTable,
  positions: positionsTable,
  bands: bandsTable,
  'not-found': notFoundTable,
  'average-positions': averagesOf,
  competitors: competitorsTable,
  'new-backlinks': newBacklinksTable,
  strength: strengthTable,
  'link-count': linkCountTable,
  clicks: clicksTable,
  'own-figures': ownFiguresTable,
  'load-time': loadTimeTable,
  'indexed-pages': indexedTable,
} as const satisfies Record<string, (content: SearchContent) => PageTable>

const day: Column = { label: 'Day', kind: 'day' }
const notMeasured = 'not measured'

/** The lines of the positions chart: the site over all its pairs, or over those it shares with its competitors. */
export function positionLines({ domain, search, withRivals }: SearchContent) {
  const shared = withRivals ? search.shared : null
  return [
    { label: domainName(domain), days: (shared?.own ?? search.own).days() },
    ...(shared?.rivals ?? []).map((rival) => ({ label: domainName(rival.domain), days: rival.stats.days() })),
  ]
}

export function positionsTable(content: SearchContent): PageTable {
  const { period } = content
  const lines = positionLines(content).map(({ label, days }) => ({ label, byDay: new Map(days.map((one) => [one.day, one])) }))
  const days = [...new Set(lines.flatMap(({ byDay }) => [...byDay.keys()]))].toSorted()
  const cellOf = (one: { average: number | null } | undefined): Cell => (one ? (one.average ?? 'not found') : null)
  const rows = days.map((at): Cell[] => [at, ...lines.map(({ byDay }) => cellOf(byDay.get(at))), lines[0]?.byDay.get(at)?.missing ?? null])
  const columns: Column[] = [
    day,
    ...lines.map(({ label }): Column => ({ label, kind: 'decimal', empty: notMeasured, isPlace: true })),
    { label: 'Not found', kind: 'whole', empty: notMeasured },
  ]
  return { caption: 'Average position by day', columns, rows, at: days.map((at) => placeBetween(period.from, period.to, at)) }
}

function averagesOf({ search, period }: SearchContent): PageTable {
  return siteAveragesTable(search.averages, period)
}

export function bandsTable({ period, search }: SearchContent): PageTable {
  const columns: Column[] = [{ label: 'Week of', kind: 'day' }, ...bands.map((band): Column => ({ label: band.label, kind: 'whole' }))]
  const weeks = search.weeks.filter(({ amounts }) => amounts.some((amount) => amount > 0))
  return {
    caption: 'Keywords in each band by week, each counted once per engine and locale',
    columns,
    rows: weeks.map(({ week, amounts }) => [week, ...amounts]),
    at: weeks.map(({ week }) => weekMiddle(period, week)),
  }
}

export function keywordsTable(lines: readonly KeywordLine[]): PageTable {
  const columns: Column[] = [
    { label: 'Keyword', kind: 'text' },
    { label: 'Engine', kind: 'text' },
    { label: 'Locale', kind: 'text' },
    { label: 'Now', kind: 'text' },
    { label: 'Before', kind: 'text' },
    { label: 'Best', kind: 'whole' },
    { label: 'Best on', kind: 'day' },
    { label: 'Not found since', kind: 'day' },
    { label: 'Last measured', kind: 'day' },
    { label: 'Page', kind: 'text' },
    { label: 'Searches a month', kind: 'whole' },
    { label: 'Tags', kind: 'text' },
    { label: 'Clicks', kind: 'whole' },
    { label: 'Impressions', kind: 'whole' },
    { label: 'Device', kind: 'text' },
    { label: 'Location', kind: 'text' },
    { label: 'places_gained', kind: 'whole' },
  ]
  const rankOf = (rank: number | null) => (rank === 0 ? 'not found' : rank)
  const rows = lines.map((line): Cell[] => [
    line.phrase,
    sourceName(line.source.engine),
    line.source.locale,
    rankOf(line.now),
    rankOf(line.before),
    line.best,
    line.bestOn,
    line.lostSince,
    line.measuredOn,
    line.facts.page,
    line.facts.searchVolume,
    line.facts.tags.join(',') || null,
    line.facts.clicks,
    line.facts.impressions,
    line.source.device || null,
    line.source.location || null,
    line.now && line.before ? line.before - line.now : null,
  ])
  return { caption: 'Keywords', columns, rows }
}

export function competitorsTable({ domain, search, figures }: SearchContent): PageTable {
  const columns: Column[] = [
    { label: 'Site', kind: 'text' },
    { label: 'Compared on', kind: 'text', empty: '–' },
    { label: 'Visibility', kind: 'decimal', empty: notMeasured },
    { label: 'This site on the same', kind: 'decimal', empty: '–' },
    { label: 'Average position', kind: 'decimal', empty: notMeasured },
    { label: 'This site where both are found', kind: 'decimal', empty: '–' },
    { label: 'Ahead of this site', kind: 'text', empty: '–' },
    { label: 'Backlinks', kind: 'whole', empty: notMeasured },
    { label: 'Linking domains', kind: 'whole', empty: notMeasured },
    { label: 'Domain age in years', kind: 'decimal', empty: notMeasured },
  ]
  const years = (days: number | null | undefined) => (days === null || days === undefined ? null : days / 365.25)
  const { now } = search.standings
  const own: Cell[] = [domainName(domain), null, now.visibility, null, now.average, null, null]
  const rivals = search.rivals.map((rival): Cell[] => {
    const known = figures.rivals.get(rival.subjectId)
    const shared =
      rival.compared === 0 ? ['no shared keyword', null] : [`${rival.compared} of ${now.pairs}`, `${rival.ahead} of ${rival.compared}`]
    return [
      domainName(rival.domain),
      shared[0] as Cell,
      rival.visibility,
      rival.ownVisibility,
      rival.average,
      rival.ownAverage,
      shared[1] as Cell,
      known?.backlink_count ?? null,
      known?.domain_count ?? null,
      years(known?.domain_age),
    ]
  })
  const ownRow = [...own, figures.now.backlink_count, figures.now.domain_count, years(figures.now.domain_age)]
  return { caption: 'This site against its competitors, on the keywords measured for both', columns, rows: [ownRow, ...rivals] }
}

export function newBacklinksTable({ period, figures }: SearchContent): PageTable {
  const weeks = weeksOf(period, figures.backlinks)
  const columns: Column[] = [
    { label: 'Week of', kind: 'day' },
    { label: 'New backlinks', kind: 'whole' },
  ]
  return {
    caption: 'New backlinks by week',
    columns,
    rows: weeks.map(({ week, amount }) => [week, amount]),
    at: weeks.map(({ week }) => weekMiddle(period, week)),
  }
}

export function weeksOf(period: ChosenPeriod, { byWeek }: NewBacklinks): { week: string; amount: number }[] {
  const weeks: { week: string; amount: number }[] = []
  for (let week = weekOf(dayNumber(period.from)); week <= dayNumber(period.to); week += 7)
    weeks.push({ week: dayText(week), amount: byWeek.get(week) ?? 0 })
  return weeks
}

export function strengthTable({ figures }: SearchContent): PageTable {
  const columns: Column[] = [
    { label: 'Strength', kind: 'text' },
    { label: 'Backlinks', kind: 'whole' },
  ]
  return {
    caption: 'New backlinks by strength',
    columns,
    rows: strengthsOf(figures.backlinks).map(({ from, amount }) => [from === 90 ? '90 and more' : `${from} to ${from + 9}`, amount]),
  }
}

export function strengthsOf({ byStrength }: NewBacklinks): { from: number; amount: number }[] {
  return byStrength.map((amount, index) => ({ from: index * 10, amount }))
}

export function loadTimeTable({ period, figures }: SearchContent): PageTable {
  const days = figures.days.filter((one) => one.download_time !== null)
  const columns: Column[] = [day, { label: 'Load time', kind: 'seconds' }]
  return {
    caption: 'Load time by day',
    columns,
    rows: days.map((one) => [one.day, one.download_time]),
    at: days.map((one) => placeBetween(period.from, period.to, one.day)),
  }
}

export function indexedTable({ period, figures }: SearchContent): PageTable {
  const engine = (label: string): Column => ({ label, kind: 'whole', empty: notMeasured })
  const columns: Column[] = [day, engine('Google'), engine('Bing'), engine('Yahoo')]
  const days = figures.days.filter(
    (one) => one.pages_indexed_in_google !== null || one.pages_indexed_in_bing !== null || one.pages_indexed_in_yahoo !== null,
  )
  const rows = days.map((one): Cell[] => [one.day, one.pages_indexed_in_google, one.pages_indexed_in_bing, one.pages_indexed_in_yahoo])
  return {
    caption: 'Pages in the index of each engine',
    columns,
    rows,
    at: days.map((one) => placeBetween(period.from, period.to, one.day)),
  }
}
