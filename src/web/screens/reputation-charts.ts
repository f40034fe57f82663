/** The charts of the reputation page: rating over time above new reviews, and the stars. */

import { html } from '../../lib/html.ts'
import { daysLater } from '../../lib/time/days.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import { amountScale, type Size } from '../charts/axes.ts'
import { partWeeks, weekBars } from '../charts/bars.ts'
import type { Chart } from '../charts/frame.ts'
import { type ChartSeries, drawRatings, type Point } from '../charts/line.ts'
import { drawStars } from '../charts/stars.ts'
import { csvPath } from '../components/csv.ts'
import { domainName } from '../components/names.ts'
import type { ReaderPageRequest } from '../page-request.ts'
import { type ReputationContent, ratedWeeks, ratingsTable, starsTable } from './reputation-tables.ts'

export function ratingsChart(request: ReaderPageRequest, content: ReputationContent): Chart {
  const { words } = request
  const { period, domain } = content
  const { own: weeks, rivals } = ratedWeeks(content)
  const series: ChartSeries[] = [{ label: domainName(domain), mark: 'own', points: pointsOf(weeks) }]
  if (rivals.some(({ rating }) => rating !== null))
    series.push({ label: 'Competitors together', mark: 'rival-1', points: pointsOf(rivals) })
  const [first, last] = [weeks.find(({ rating }) => rating !== null)?.rating, weeks.at(-1)?.rating]
  const most = Math.max(0, ...weeks.map(({ count }) => count))
  const told = first && last ? `From ${words.decimal(first)} to ${words.decimal(last)} of 5.` : 'No reviews so far.'
  const bars = most === 0 ? 'no week brought a new one.' : `the bars are new reviews, at most ${words.whole(most)} in a week.`
  return {
    id: 'ratings',
    title: 'Rating over time',
    summary: `${told} The line is the average of all reviews so far; ${bars}`,
    keys: [
      ...series.map(({ label, mark }) => ({ label, mark, shape: 'line' as const })),
      { label: 'New reviews', mark: 'soft-key', shape: 'area' as const },
    ],
    notes: most === 0 ? [] : partWeeks(words, period),
    table: ratingsTable(content),
    csv: csvPath(request, 'ratings'),
    draw: (size) => drawRatings(words, period, series, size, newReviews(period, weeks, most, size)),
  }
}

/** Bars in the lower two fifths of the chart. */
function newReviews(period: ChosenPeriod, weeks: readonly { week: string; count: number }[], most: number, size: Size) {
  const { scale } = amountScale(most * 2.5, size)
  const bars = weekBars(
    period,
    weeks.map(({ week, count }) => ({ week, amount: count })),
    scale,
    size,
    'bar soft',
  )
  return html`${bars}`
}

/** A week's rating is placed in the middle of the week, above its bar. */
function pointsOf(weeks: readonly { week: string; rating: number | null }[]): Point[] {
  return weeks.flatMap(({ week, rating }) => (rating === null ? [] : [{ day: daysLater(week, 3), value: rating }]))
}

/** Null if no review of the period is listed: bars of nothing would say that nobody gave these stars. */
export function starsChart(request: ReaderPageRequest, content: ReputationContent): Chart | null {
  const { period, figures } = content
  const now = figures.own.stars(period.from, period.to)
  const before = period.before && figures.own.stars(period.before.from, period.before.to)
  const total = now.reduce((sum, amount) => sum + amount, 0)
  const isCompared = before?.some((amount) => amount > 0) ?? false
  if (total === 0) return null
  return {
    id: 'stars',
    title: 'Stars',
    summary: starsSentence(request, now[3] + now[4], total, isCompared ? period.before : null),
    table: starsTable(content),
    csv: csvPath(request, 'stars'),
    draw: (size) =>
      drawStars(
        request.words,
        [5, 4, 3, 2, 1].map((stars) => ({ stars, now: now[stars - 1] ?? 0, before: before?.[stars - 1] ?? 0 })),
        size,
      ),
  }
}

/** Reviews that are only counted have no stars. */
export function noStarsSentence({ period, figures }: ReputationContent): string {
  return figures.own.total(period.to, period.from).count === 0
    ? 'No reviews in this period.'
    : 'The reviews of this period are counted, but none is listed with its stars.'
}

function starsSentence({ words }: ReaderPageRequest, good: number, total: number, before: DaySpan | null): string {
  const told = `${words.percent(good / total)} of the ${words.count(total, 'listed review')} gave four or five stars.`
  return before ? `${told} The thin bars are those of ${words.span(before.from, before.to)}.` : told
}
