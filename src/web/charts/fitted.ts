/** A line whose axis fits its values, over the same line of the days that are compared: for the figure that leads a page. */

import { type Html, html } from '../../lib/html.ts'
import { dayNumber } from '../../lib/time/days.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import type { Words } from '../components/number-format.ts'
import { fittedScale, round, rulers, type Size, timeAxis, timeScale } from './axes.ts'
import { type FoundPoint, lineOf, type Point, pathOf, runsOf } from './line.ts'

interface Fitted {
  readonly id: string
  readonly points: readonly Point[]
  /** The values of the days that are compared, on the days of the period. */
  readonly before: readonly Point[]
  /** The axis spans at least so much, so that a small change does not look like a large one. */
  readonly leastSpan: number
  /** Writes the value at the end of the line. */
  readonly say: (value: number) => string
}

/** About as wide as the number at the end of the line. */
const labelWidth = 48

export function drawFitted(words: Words, span: DaySpan, { id, points, before, leastSpan, say }: Fitted, size: Size): Html {
  const values = [...points, ...before].flatMap(({ value }) => value ?? [])
  if (values.length === 0) return html`${timeAxis(words, span.from, span.to, size)}`
  const { scale, ticks } = fittedScale(values.reduce(min), values.reduce(max), leastSpan, size)
  const x = timeScale(span.from, span.to, size)
  const runs = runsOf(points)
  const last = runs.at(-1)?.at(-1)
  const floor = size.height - size.bottom
  // Above the part of the line that the number would cover.
  const near = points.filter(({ day }) => x(dayNumber(day)) > size.width - size.right - labelWidth).flatMap(({ value }) => value ?? [])
  const labelY = round(Math.max(size.top, scale(near.reduce(max, 0)) - 10))
  const name = `fade-${id}-${size.name}`
  return html`
    ${rulers(scale, ticks, size, words.whole)}
    ${timeAxis(words, span.from, span.to, size)}
    <defs><linearGradient id="${name}" x1="0" y1="0" x2="0" y2="1"><stop class="fade" offset="0"/><stop class="faded" offset="1"/></linearGradient></defs>
    <path fill="url(#${name})" d="${runs.map((run) => areaOf(run, x, scale, floor)).join('')}"/>
    ${lineOf('before', runsOf(before), x, scale)}
    ${lineOf('own', runs, x, scale)}
    ${last ? html`<text class="strong end" x="${size.width - size.right}" y="${labelY}" text-anchor="end">${say(last.value)}</text>` : null}
  `
}

function min(a: number, b: number): number {
  return Math.min(a, b)
}

function max(a: number, b: number): number {
  return Math.max(a, b)
}

/** Down to the axis below each run, so that nothing is filled across a gap. */
function areaOf(run: readonly FoundPoint[], x: (day: number) => number, y: (value: number) => number, floor: number): string {
  const [first, last] = [run[0], run.at(-1)]
  if (run.length < 2 || !first || !last) return ''
  return `${pathOf(run, x, y)}V${floor}H${round(x(first.at))}z`
}
