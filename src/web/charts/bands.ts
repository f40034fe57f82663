/** Where the keywords stand, week by week: stacked bars from position 1 upwards to "not found", which is hatched. */

import { scaleLinear } from 'd3-scale'
import { type Html, html } from '../../lib/html.ts'
import type { Words } from '../components/number-format.ts'
import { round, rulers, timeAxis } from './axes.ts'
import { weekBox } from './bars.ts'
import type { LegendItem, Size } from './frame.ts'
import type { DaySpan } from './line.ts'

export const bands = [
  { name: '1', label: 'Position 1', from: 1, to: 1 },
  { name: '2-3', label: '2–3', from: 2, to: 3 },
  { name: '4-10', label: '4–10', from: 4, to: 10 },
  { name: '11-20', label: '11–20', from: 11, to: 20 },
  { name: '21-50', label: '21–50', from: 21, to: 50 },
  { name: '51-100', label: '51–100', from: 51, to: Number.POSITIVE_INFINITY },
  { name: 'none', label: 'Not found', from: 0, to: 0 },
] as const

export interface WeekBands {
  readonly week: string
  /** One amount per band, in the order of `bands`. */
  readonly amounts: readonly number[]
}

export function bandKeys(hrefOf: (name: string) => string): LegendItem[] {
  return bands.map((band, index) => ({ label: band.label, mark: `band-${index}`, shape: 'area', href: hrefOf(band.name) }))
}

/** 0 means looked for and not found. */
export function bandOf(rank: number): number {
  return rank === 0 ? 6 : bands.findIndex((band) => rank >= band.from && rank <= band.to)
}

export function drawBands(words: Words, span: DaySpan, weeks: readonly WeekBands[], size: Size): Html {
  const y = scaleLinear([0, 1], [size.height - size.bottom, size.top])
  return html`
    ${hatching(size)}
    ${rulers(y, [0, 0.5, 1], size, words.percent)}
    ${timeAxis(words, span.from, span.to, size)}
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
  return index === 6
    ? html`<rect class="band-6" ${box}/><rect fill="url(#hatch-${size.name})" ${box}/>`
    : html`<rect class="band-${index}" ${box}/>`
}

function hatching(size: Size): Html {
  return html`
    <defs>
      <pattern id="hatch-${size.name}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="hatch" d="M0 0V5"/>
      </pattern>
    </defs>
  `
}
