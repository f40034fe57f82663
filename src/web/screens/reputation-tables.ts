/** The tables of the reputation page: behind its charts, on its cards, and in its CSV files; and what stands out in them. */

import { memoByObject } from '../../lib/memo.ts'
import type { Amount } from '../../model/dashboard/day-sums.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import type { ReputationFigures } from '../../model/dashboard/reputation/reputation.ts'
import { ReviewStats, ratingOf } from '../../model/dashboard/reputation/review-counts.ts'
import type { ShownReview } from '../../model/dashboard/reputation/review-list.ts'
import { weekMiddle } from '../charts/axes.ts'
import type { Figure } from '../components/components.ts'
import { domainName, sourceName } from '../components/names.ts'
import type { Words } from '../components/number-format.ts'
import type { Cell, Column, PageTable } from '../components/tables.ts'

export interface ReputationContent {
  readonly period: ChosenPeriod
  readonly domain: string
  readonly figures: ReputationFigures
  readonly reviews: readonly ShownReview[]
}

/** The tables by the name in the addresses of their CSV files. */
export const reputationTables = {
  ratings: ratingsTable,
  sources: sourcesTable,
  stars: starsTable,
  competitors: (content) => competitorRatingsTable(content),
  reviews: reviewsTable,
} as const satisfies Record<string, (content: ReputationContent) => PageTable>

export type ReputationTableName = keyof typeof reputationTables

export function ratingsTable(content: ReputationContent): PageTable {
  const { period, domain } = content
  const { own: weeks, rivals } = ratedWeeks(content)
  const columns: Column[] = [
    { label: 'Week of', kind: 'day' },
    { label: `Rating of ${domainName(domain)}`, kind: 'decimal', empty: 'no reviews yet' },
    { label: 'New reviews', kind: 'whole' },
    { label: 'Rating of competitors', kind: 'decimal', empty: 'no reviews yet' },
  ]
  const rows = weeks.map(({ week, rating, count }, index): Cell[] => [week, rating, count, rivals[index]?.rating ?? null])
  return { caption: 'Rating and new reviews by week', columns, rows, at: weeks.map(({ week }) => weekMiddle(period, week)) }
}

/** The weeks of the site and of all competitors together, where every review has the same weight. Memoized, because the chart and its table both need them. */
export const ratedWeeks = memoByObject(({ period: { from, to }, figures }: ReputationContent) => ({
  own: figures.own.weeks(from, to),
  rivals: figures.rivals.length === 0 ? [] : ReviewStats.together(figures.rivals.map(({ stats }) => stats)).weeks(from, to),
}))

export interface SourceLine {
  readonly name: string
  readonly all: Amount
  readonly allBefore: Amount | null
  readonly fresh: number
}

/** No source is the best or the worst where the page shows the same rating for all. */
export function sourceFigures(words: Words, content: ReputationContent): Figure[] {
  const rated = sourceLines(content)
    .map(({ name, all }) => ({ name: sourceName(name), rating: ratingOf(all) ?? 0 }))
    .toSorted((a, b) => b.rating - a.rating)
    .map(({ name, rating }) => ({ name, rating: words.decimal(rating) }))
  const areAlike = rated.length > 1 && rated[0]?.rating === rated.at(-1)?.rating
  const figure = (label: string, source: (typeof rated)[number] | undefined, missing: string) => {
    const isNamed = source !== undefined && !areAlike
    const shown = isNamed
      ? {
          value: `${namesOf(rated.filter(({ rating }) => rating === source.rating).map(({ name }) => name))} ${source.rating}`,
          isWords: true,
        }
      : { value: null, note: areAlike ? 'all are rated alike' : missing }
    return { label, href: '#sources', ...shown }
  }
  return [
    figure('Best source', rated[0], 'no reviews'),
    figure('Worst source', rated.length > 1 ? rated.at(-1) : undefined, 'fewer than two sources'),
  ]
}

/** Sources with the same rating are told together. */
function namesOf(names: readonly string[]): string {
  return names.length > 2 ? `${names.length} sources` : names.join(' and ')
}

export function sourceLines({ period, figures: { own } }: ReputationContent): SourceLine[] {
  const lines = own.sources().map((name) => ({
    name,
    all: own.total(period.to, undefined, name),
    allBefore: period.before && own.total(period.before.to, undefined, name),
    fresh: own.total(period.to, period.from, name).count,
  }))
  return lines.filter(({ all }) => all.count > 0).toSorted((a, b) => b.all.count - a.all.count || (a.name < b.name ? -1 : 1))
}

function sourcesTable(content: ReputationContent): PageTable {
  const columns: Column[] = [
    { label: 'Source', kind: 'text' },
    { label: 'Rating', kind: 'decimal' },
    { label: 'Rating before', kind: 'decimal' },
    { label: 'Reviews', kind: 'whole' },
    { label: 'New reviews', kind: 'whole' },
  ]
  const rows = sourceLines(content).map(({ name, all, allBefore, fresh }): Cell[] => [
    sourceName(name),
    ratingOf(all),
    allBefore && ratingOf(allBefore),
    all.count,
    fresh,
  ])
  return { caption: 'By source', columns, rows }
}

export function starsTable({ period, figures: { own } }: ReputationContent): PageTable {
  const [now, before] = [own.stars(period.from, period.to), period.before && own.stars(period.before.from, period.before.to)]
  const columns: Column[] = [
    { label: 'Stars', kind: 'whole' },
    { label: 'This period', kind: 'whole' },
    ...(before ? [{ label: 'Compared with', kind: 'whole' } as const] : []),
  ]
  const rows = [5, 4, 3, 2, 1].map((stars): Cell[] => [stars, now[stars - 1] ?? 0, ...(before ? [before[stars - 1] ?? 0] : [])])
  return { caption: 'Listed reviews by stars', columns, rows }
}

export function competitorRatingsTable({ period, domain, figures }: ReputationContent, most = Number.POSITIVE_INFINITY): PageTable {
  const everyone = [{ domain, stats: figures.own }, ...figures.rivals.slice(0, most)]
  const sources = [...new Set(everyone.flatMap(({ stats }) => stats.sources()))].toSorted()
  const columns: Column[] = [
    { label: 'Site', kind: 'text' },
    { label: 'Rating', kind: 'decimal', empty: 'no reviews' },
    { label: 'Reviews', kind: 'whole' },
    { label: 'New', kind: 'whole' },
    ...sources.map((name): Column => ({ label: sourceName(name), kind: 'decimal' })),
  ]
  const rows = everyone.map(({ domain: name, stats }): Cell[] => {
    const all = stats.total(period.to)
    return [
      domainName(name),
      ratingOf(all),
      all.count,
      stats.total(period.to, period.from).count,
      ...sources.map((source) => ratingOf(stats.total(period.to, undefined, source))),
    ]
  })
  return { caption: 'Rating and reviews of this site and its competitors, with the rating at each source', columns, rows }
}

function reviewsTable({ reviews }: ReputationContent): PageTable {
  const columns: Column[] = [
    { label: 'Date', kind: 'day' },
    { label: 'Stars', kind: 'whole' },
    { label: 'Source', kind: 'text' },
    { label: 'Reviewer', kind: 'text' },
    { label: 'Headline', kind: 'text' },
    { label: 'Text', kind: 'text' },
    { label: 'Link', kind: 'text' },
    { label: 'Language', kind: 'text' },
    { label: 'Answer', kind: 'text' },
  ]
  return {
    caption: 'Reviews',
    columns,
    rows: reviews.map((one): Cell[] => [
      one.date,
      one.rating,
      one.source,
      one.user,
      one.header,
      one.detail,
      one.url,
      one.language,
      one.answer,
    ]),
  }
}
