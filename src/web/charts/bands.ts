/** Positions of keywords by week: stacked bars from position 1 up to "not found", which is hatched. */

import { type Html, html } from '../../lib/html.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import type { WeekBands } from '../../model/dashboard/week-bands.ts'
import type { Words } from '../components/number-format.ts'
import { linear, round, rulers, type Size, weekAxis } from './axes.ts'
import { weekBox } from './bars.ts'
import { hatching, type LegendItem } from './frame.ts'

/** The bands in the order in which the model counts them. */
export const bands = [
  { name: '1', label: 'Position 1' },
  { name: '2-3', label: '2–3' },
  { name: '4-10', label: '4–10' },
  { name: '11-20', label: '11–20' },
  { name: '21-50', label: '21–50' },
  { name: '51-100', label: '51–100' },
  { name: '101', label: 'Over 100' },
  { name: 'none', label: 'Not found' },
] as const

export const notFoundBand = bands.length - 1

/** The legend, without bands that are always empty. */
export function bandKeys(weeks: readonly WeekBands[], hrefOf: (name: string) => string): LegendItem[] {
  return bands
    .map((band, index): LegendItem => ({ label: band.label, mark: `band-${index}`, shape: 'area', href: hrefOf(band.name) }))
    .filter((_, index) => weeks.some(({ amounts }) => (amounts[index] ?? 0) > 0))
}

export function drawBands(words: Words, span: DaySpan, weeks: readonly WeekBands[], size: Size): Html {
  const y = linear([0, 1], [size.height - size.bottom, size.top])
  return html`
    ${hatching('bands', size)}
    ${rulers(y, [0, 0.5, 1], size, words.percent)}
    ${weekAxis(words, span, size)}
    ${weeks.map((week) => weekStack(span, week, y, size))}
  `
}

function weekStack(span: DaySpan, week: WeekBands, y: (share: number) => number, size: Size): Html {
  const total = week.amounts.reduce((sum, amount) => sum + amount, 0)
  const { left, width } = weekBox(span, week.week, size)
  let below = 0
  const parts = week.amounts.map((amount, index) => {
    const from = below / total
    below += amount
    return amount > 0 ? stackPart(index, left, width, round(y(from)), round(y(below / total)), size) : null
  })
  return total > 0 ? html`<g>${parts}</g>` : html``
}

function stackPart(index: number, left: number, width: number, floor: number, top: number, size: Size): Html {
  const box = html`x="${left}" y="${top}" width="${width}" height="${round(Math.max(0, floor - top - 0.7))}"`
  return index === notFoundBand
    ? html`<rect class="band-${index}" ${box}/><rect fill="url(#hatch-bands-${size.name})" ${box}/>`
    : html`<rect class="band-${index}" ${box}/>`
}
