/** The tables of the reputation page: behind its charts, on its cards, and in its CSV files. */

import { dayNumber, dayText } from '../../lib/days.ts'
import type { ReputationFigures } from '../../model/dashboard/reputation.ts'
import { type Amount, ReviewStats, ratingOf } from '../../model/dashboard/review-counts.ts'
import type { ShownReview } from '../../model/dashboard/review-list.ts'
import { placeBetween } from '../charts/axes.ts'
import type { ChosenPeriod } from '../components/period.ts'
import type { Cell, Column, PageTable } from '../components/tables.ts'

export interface ReputationContent {
  readonly period: ChosenPeriod
  readonly domain: string
  readonly figures: ReputationFigures
  readonly reviews: readonly ShownReview[]
}

/** By the name in the address of their CSV files. */
export const reputationTables = {
  ratings: ratingsTable,
  sources: sourcesTable,
  stars: starsTable,
  competitors: competitorRatingsTable,
  reviews: reviewsTable,
} as const satisfies Record<string, (content: ReputationContent) => PageTable>

export type ReputationTableName = keyof typeof reputationTables

export function ratingsTable({ period, domain, figures }: ReputationContent): PageTable {
  const rivals = rivalWeeks(figures, period)
  const weeks = figures.own.weeks(period.from, period.to)
  const columns: Column[] = [
    { label: 'Week of', kind: 'day' },
    { label: `Rating of ${domain}`, kind: 'decimal', empty: 'no reviews yet' },
    { label: 'New reviews', kind: 'whole' },
    { label: 'Rating of competitors', kind: 'decimal', empty: 'no reviews yet' },
  ]
  const rows = weeks.map(({ week, rating, count }, index): Cell[] => [week, rating, count, rivals[index]?.rating ?? null])
  return { caption: 'Rating and new reviews by week', columns, rows, at: weeks.map(({ week }) => middleOf(period, week)) }
}

/** All competitors together: every review counts the same. */
export function rivalWeeks({ rivals }: ReputationFigures, { from, to }: ChosenPeriod): { week: string; rating: number | null }[] {
  return ReviewStats.together(rivals.map(({ tally }) => tally)).weeks(from, to)
}

export interface SourceLine {
  readonly name: string
  readonly all: Amount
  readonly allBefore: Amount
  readonly fresh: number
}

export function sourceLines({ period, figures }: ReputationContent): SourceLine[] {
  const lines = figures.own.sources().map((code) => ({
    name: figures.sources.get(code) ?? '',
    all: figures.own.total(period.to, undefined, code),
    allBefore: figures.own.total(period.before.to, undefined, code),
    fresh: figures.own.total(period.to, period.from, code).count,
  }))
  return lines.filter(({ all }) => all.count > 0).toSorted((a, b) => b.all.count - a.all.count)
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
    name,
    ratingOf(all),
    ratingOf(allBefore),
    all.count,
    fresh,
  ])
  return { caption: 'By source', columns, rows }
}

export function starsTable({ figures }: ReputationContent): PageTable {
  const columns: Column[] = [
    { label: 'Stars', kind: 'whole' },
    { label: 'This period', kind: 'whole' },
    { label: 'The period before', kind: 'whole' },
  ]
  const rows = [5, 4, 3, 2, 1].map((stars): Cell[] => [stars, figures.stars.now[stars - 1] ?? 0, figures.stars.before[stars - 1] ?? 0])
  return { caption: 'Reviews by stars', columns, rows }
}

export function competitorRatingsTable({ period, domain, figures }: ReputationContent): PageTable {
  const everyone = [{ domain, tally: figures.own }, ...figures.rivals]
  const codes = [...new Set(everyone.flatMap(({ tally }) => tally.sources()))].toSorted((a, b) => a - b)
  const columns: Column[] = [
    { label: 'Site', kind: 'text' },
    { label: 'Rating', kind: 'decimal', empty: 'no reviews' },
    { label: 'Reviews', kind: 'whole' },
    { label: 'New', kind: 'whole' },
    ...codes.map((code): Column => ({ label: figures.sources.get(code) ?? '', kind: 'decimal' })),
  ]
  const rows = everyone.map(({ domain: name, tally }): Cell[] => {
    const all = tally.total(period.to)
    return [
      name,
      ratingOf(all),
      all.count,
      tally.total(period.to, period.from).count,
      ...codes.map((code) => ratingOf(tally.total(period.to, undefined, code))),
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
  ]
  return {
    caption: 'Reviews',
    columns,
    rows: reviews.map((one): Cell[] => [one.date, one.rating, one.source, one.user, one.header, one.detail, one.url]),
  }
}

function middleOf(period: ChosenPeriod, week: string): number {
  return Math.min(1, Math.max(0, placeBetween(period.from, period.to, dayText(dayNumber(week) + 3))))
}
