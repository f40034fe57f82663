/** Line charts over time: broken where nothing was measured, with a hatched strip at the bottom where something was not found. */

import { type Html, html } from '../../lib/html.ts'
import { memoByObject } from '../../lib/memo.ts'
import { dayNumber } from '../../lib/time/days.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import { usualInterval } from '../../model/dashboard/slots.ts'
import type { Words } from '../components/number-format.ts'
import {
  amountScale,
  rankScale,
  ratingScale,
  round,
  rulers,
  type Scale,
  type Size,
  timeAxis,
  timeScale,
  weekAxis,
  weekScale,
} from './axes.ts'
import { hatching } from './frame.ts'

export interface Point {
  readonly day: string
  /** Null if it was looked for and not found. A day without a measurement has no point. */
  readonly value: number | null
}

export interface ChartSeries {
  readonly label: string
  /** `own`, `rival-1`, `rival-2` or `rival-3`; the stylesheet decides how each is drawn. */
  readonly mark: string
  readonly points: readonly Point[]
}

/** A day on which a share of the keywords was not found. */
export interface Missing {
  readonly day: string
  readonly share: number
}

const stripHeight = 18

export function drawRanks(
  words: Words,
  span: DaySpan,
  series: readonly ChartSeries[],
  missing: readonly Missing[],
  size: Size,
  id = 'ranks',
): Html {
  const values = series.flatMap((one) => one.points.flatMap(({ value }) => value ?? []))
  const room = missing.length > 0 ? { ...size, bottom: size.bottom + stripHeight + 12 } : size
  const { scale, ticks } = rankScale(least(values), most(values), room)
  return html`
    ${values.length > 0 ? rulers(scale, ticks, size, words.whole) : null}
    ${timeAxis(words, span.from, span.to, size)}
    ${missing.length > 0 ? missingStrip(span, missing, size, id) : null}
    ${linesOf(span, series, scale, size)}
  `
}

/** A loop, because many thousand values are too many arguments for a call. */
function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 1)
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
}

/** At the bottom of the chart: the higher the hatching, the larger the share that was not found that day. */
function missingStrip(span: DaySpan, missing: readonly Missing[], size: Size, id: string): Html {
  const x = timeScale(span.from, span.to, size)
  const floor = size.height - size.bottom
  const days = missing.map(({ day }) => dayNumber(day))
  const step = usualInterval(days)
  const boxes = missing.map(({ share }, index) => {
    const day = days[index] as number
    const [from, to] = [x(day - step / 2), x(day + step / 2)].map((at) => Math.max(size.left, Math.min(size.width - size.right, at))) as [
      number,
      number,
    ]
    const tall = round(Math.max(3, share * stripHeight))
    return `M${round(from)} ${floor}v-${tall}h${round(Math.max(1.5, to - from))}v${tall}z`
  })
  return html`
    ${hatching(id, size)}
    <path class="ruler" d="M${size.left} ${floor}H${size.width - size.right}"/>
    <text x="${size.left - 6}" y="${floor - stripHeight / 2}" dy="0.33em" text-anchor="end">none</text>
    <path class="missing" d="${boxes.join('')}"/>
    <path fill="url(#hatch-${id}-${size.name})" d="${boxes.join('')}"/>
  `
}

export function drawAmounts(words: Words, span: DaySpan, series: readonly ChartSeries[], size: Size, say: (tick: number) => string): Html {
  const { scale, ticks } = amountScale(most([0, ...series.flatMap((one) => one.points.flatMap(({ value }) => value ?? []))]), size)
  return html`
    ${rulers(scale, say === words.whole ? ticks.filter(Number.isInteger) : ticks, size, say)}
    ${timeAxis(words, span.from, span.to, size)}
    ${linesOf(span, series, scale, size)}
  `
}

/** An average of all reviews so far holds between two weeks too, so its line has no gaps. */
export function drawRatings(words: Words, span: DaySpan, series: readonly ChartSeries[], size: Size, below: Html): Html {
  const { scale, ticks } = ratingScale(size)
  const x = weekScale(span, size)
  return html`
    ${rulers(scale, ticks, size, words.whole)}
    ${weekAxis(words, span, size)}
    ${below}
    ${series.toReversed().map((one) =>
      lineOf(
        one.mark,
        [foundIn(one.points)].filter((run) => run.length > 0),
        x,
        scale,
      ),
    )}
  `
}

function foundIn(points: readonly Point[]): FoundPoint[] {
  return points.flatMap(({ day, value }) => (value === null ? [] : [{ at: dayNumber(day), value }]))
}

/** Competitors first, so that the own line is on top. */
function linesOf(span: DaySpan, series: readonly ChartSeries[], y: Scale, size: Size): Html {
  const x = timeScale(span.from, span.to, size)
  return html`${series.toReversed().map((one) => lineOf(one.mark, runsOf(one.points), x, y))}`
}

/** A found point with the number of its day. */
export interface FoundPoint {
  readonly at: number
  readonly value: number
}

export function lineOf(mark: string, runs: readonly (readonly FoundPoint[])[], x: Scale, y: Scale): Html {
  let path = ''
  for (const run of runs) if (run.length > 1) path += pathOf(run, x, y)
  const dots = runs.filter((run) => run.length === 1).map((run) => run[0] as FoundPoint)
  const last = runs.at(-1)?.at(-1)
  return html`
    <path class="line ${mark}" d="${path}"/>
    ${dots.map((dot) => markAt(mark, round(x(dot.at)), round(y(dot.value)), runs.length === 1 ? 4 : 2.5))}
    ${last && (runs.at(-1)?.length ?? 0) > 1 ? markAt(mark, round(x(last.at)), round(y(last.value)), 3.5) : null}
  `
}

/** Relative moves in tenths, which are shorter to send than absolute coordinates, with consistent rounding. */
export function pathOf(run: readonly FoundPoint[], x: Scale, y: Scale): string {
  let [lastX, lastY] = [0, 0]
  let path = ''
  for (const { at, value } of run) {
    const nextX = Math.round(x(at) * 10)
    const nextY = Math.round(y(value) * 10)
    path += `${path === '' ? 'M' : 'l'}${(nextX - lastX) / 10} ${(nextY - lastY) / 10}`
    lastX = nextX
    lastY = nextY
  }
  return path
}

/** Each series ends in a shape of its own, for readers who do not see its colour. */
function markAt(mark: string, x: number, y: number, r: number): Html {
  if (mark === 'rival-1') return html`<path class="dot ${mark}" d="M${round(x - r)} ${round(y - r)}h${2 * r}v${2 * r}h-${2 * r}z"/>`
  if (mark === 'rival-2') return html`<path class="dot ${mark}" d="M${x} ${round(y - 1.3 * r)}l${1.3 * r} ${2.3 * r}h-${2.6 * r}z"/>`
  if (mark === 'rival-3')
    return html`<path class="dot ${mark}" d="M${x} ${round(y - 1.4 * r)}l${1.4 * r} ${1.4 * r}l-${1.4 * r} ${1.4 * r}l-${1.4 * r} -${1.4 * r}z"/>`
  return html`<circle class="dot ${mark}" cx="${x}" cy="${y}" r="${r}"/>`
}

/** Runs of consecutive found points: no further apart than 1.5 times the usual interval, with no "not found" between them. Memoized, because a chart is drawn in two sizes. */
export const runsOf = memoByObject((points: readonly Point[]): readonly (readonly FoundPoint[])[] => {
  const days = points.map(({ day }) => dayNumber(day))
  const reach = usualInterval(days) * 1.5
  const runs: FoundPoint[][] = []
  let [before, wasFound] = [Number.NEGATIVE_INFINITY, false]
  for (const [index, { value }] of points.entries()) {
    const at = days[index] as number
    const isNear = wasFound && at - before <= reach
    before = at
    wasFound = value !== null
    if (value === null) continue
    if (isNear) runs.at(-1)?.push({ at, value })
    else runs.push([{ at, value }])
  }
  return runs
})

/** The gaps between measurements, each with its first and last day. */
export function gapsOf(points: readonly Point[]): { from: number; to: number }[] {
  const days = points.map(({ day }) => dayNumber(day))
  const reach = usualInterval(days) * 1.5
  return days.slice(1).flatMap((day, index) => {
    const before = days[index] as number
    return day - before > reach ? [{ from: before + 1, to: day - 1 }] : []
  })
}
