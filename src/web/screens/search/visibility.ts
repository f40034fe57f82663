/** The chart of the figure that leads the search page. */

import type { Html } from '../../../lib/html.ts'
import { dayNumber, daysLater } from '../../../lib/time/days.ts'
import { drawFitted } from '../../charts/fitted.ts'
import { type Chart, chartHtml } from '../../charts/frame.ts'
import { csvPath } from '../../components/csv.ts'
import { gapNote } from '../../components/site-frame.ts'
import type { ReaderPageRequest } from '../../page-request.ts'
import { type SearchContent, visibilityTable } from '../search-tables.ts'

/** Points of visibility that the axis spans at least. */
const leastSpan = 10

/** Null where nothing was measured on two days. */
export function visibilityHtml(request: ReaderPageRequest, content: SearchContent): Html | null {
  const chart = visibilityChart(request, content)
  return chart && chartHtml(request.words, chart, 12)
}

function visibilityChart(request: ReaderPageRequest, content: SearchContent): Chart | null {
  const { words } = request
  const { period, search, pins } = content
  const points = search.trend.days(period).map(({ day, visibility }) => ({ day, value: visibility }))
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || first === last) return null
  const { before } = period
  const shift = before === null ? 0 : dayNumber(period.from) - dayNumber(before.from)
  const earlier =
    before === null ? [] : search.trend.days(before).map(({ day, visibility }) => ({ day: daysLater(day, shift), value: visibility }))
  const shown = earlier.filter(({ day }) => day <= period.to)
  return {
    id: 'visibility',
    title: 'Visibility over time',
    summary: `From ${words.decimal(first.value)} on ${words.day(first.day)} to ${words.decimal(last.value)} on ${words.day(last.day)}.`,
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
    draw: (size) => drawFitted(words, period, { id: 'visibility', points, before: shown, leastSpan }, size),
  }
}
