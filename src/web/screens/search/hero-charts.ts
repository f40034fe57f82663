/** The charts of the figures that lead the search page and have no other chart: visibility, keywords that are not found, and links. */

import { dayNumber, daysLater } from '../../../lib/time/days.ts'
import { drawFitted } from '../../charts/fitted.ts'
import type { Chart } from '../../charts/frame.ts'
import { drawAmounts, type Point } from '../../charts/line.ts'
import { ofAll } from '../../components/components.ts'
import { csvPath } from '../../components/csv.ts'
import type { Words } from '../../components/number-format.ts'
import { gapNote } from '../../components/site-frame.ts'
import { hrefWith, type ReaderPageRequest } from '../../page-request.ts'
import type { SearchContent } from './content.ts'
import { linkCountTable, notFoundTable, visibilityTable } from './hero-tables.ts'

/** Points of visibility that the axis spans at least. */
const leastSpan = 10

/** Null where nothing was measured in the period. */
export function visibilityChart(request: ReaderPageRequest, content: SearchContent): Chart | null {
  const { words } = request
  const { period, search, pins } = content
  const points = search.trend.days(period).map(({ day, visibility }) => ({ day, value: visibility }))
  if (points.length === 0) return null
  const { before } = period
  const shift = before === null ? 0 : dayNumber(period.from) - dayNumber(before.from)
  const earlier =
    before === null ? [] : search.trend.days(before).map(({ day, visibility }) => ({ day: daysLater(day, shift), value: visibility }))
  const shown = earlier.filter(({ day }) => day <= period.to)
  return {
    id: 'visibility',
    title: 'Visibility over time',
    summary: fromTo(words, points, words.decimal),
    notes: gapNote(words, points),
    keys:
      shown.length === 0 || before === null
        ? []
        : [
            { label: words.span(period.from, period.to), mark: 'own', shape: 'line' },
            { label: words.span(before.from, before.to), mark: 'before', shape: 'line' },
          ],
    table: visibilityTable(content),
    csv: csvPath(request, 'visibility'),
    pins: { span: period, days: pins },
    draw: (size) => drawFitted(words, period, { id: 'visibility', points, before: shown, leastSpan, say: words.decimal }, size),
  }
}

/** Null where no keyword was measured in the period. */
export function notFoundChart(request: ReaderPageRequest, content: SearchContent): Chart | null {
  const { words } = request
  const { period, search, pins } = content
  const days = search.own.days()
  const last = days.at(-1)
  if (last === undefined) return null
  const points = days.map(({ day, missing }) => ({ day, value: missing }))
  const { now } = search.standings
  const isUnlike = now.pairs > 0 && now.pairs - now.found !== last.missing
  return {
    id: 'not-found',
    title: 'Keywords not found',
    summary: `${ofAll(words, last.missing, last.missing + last.found)} not found on ${words.day(last.day)}, counted on each engine and locale.`,
    notes: [
      ...gapNote(words, points),
      ...(isUnlike ? ['The line counts what was measured on each day; the figure, the latest measurement of each keyword.'] : []),
    ],
    turn: { label: 'Show these keywords', href: `${hrefWith(request, { band: 'none', page: null })}#keywords` },
    table: notFoundTable(content),
    csv: csvPath(request, 'not-found'),
    pins: { span: period, days: pins },
    draw: (size) => drawAmounts(words, period, [{ label: 'Not found', mark: 'own', points }], size, words.whole),
  }
}

/** Links that the axis spans at least, as a share of the most. */
const leastShare = 0.1

/** Null where links were not counted in the period. */
export function linkCountChart(request: ReaderPageRequest, content: SearchContent): Chart | null {
  const { words } = request
  const { period, figures, pins } = content
  const points = figures.days.flatMap(({ day, backlink_count }): KnownPoint[] =>
    backlink_count === null ? [] : [{ day, value: backlink_count }],
  )
  if (points.length === 0) return null
  const most = points.reduce((a, { value }) => Math.max(a, value), 0)
  const span = Math.max(10, most * leastShare)
  return {
    id: 'link-count',
    title: 'Backlinks over time',
    summary: fromTo(words, points, words.whole),
    notes: gapNote(words, points),
    table: linkCountTable(content),
    csv: csvPath(request, 'link-count'),
    pins: { span: period, days: pins },
    draw: (size) => drawFitted(words, period, { id: 'link-count', points, before: [], leastSpan: span, say: words.whole }, size),
  }
}

type KnownPoint = Point & { readonly value: number }

/** There is at least one point. */
function fromTo(words: Words, points: readonly KnownPoint[], say: (value: number) => string): string {
  const [first, last] = [points[0] as KnownPoint, points.at(-1) as KnownPoint]
  return first === last
    ? `${say(last.value)} on ${words.day(last.day)}, the only day measured in this period.`
    : `From ${say(first.value)} on ${words.day(first.day)} to ${say(last.value)} on ${words.day(last.day)}.`
}
