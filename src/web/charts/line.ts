/** Lines over time with honest gaps: where nothing was measured nothing is drawn, and the gap is named. */

import { line } from 'd3-shape'
import { dayNumber } from '../../lib/days.ts'
import { type Html, html } from '../../lib/html.ts'
import type { Words } from '../components/number-format.ts'
import { amountScale, rankScale, ratingScale, round, rulers, timeAxis, timeScale } from './axes.ts'
import type { Size } from './frame.ts'

export interface Point {
  readonly day: string
  readonly value: number
}

export interface ChartSeries {
  readonly label: string
  /** `own`, `rival-1`, `rival-2`, `rival-3`: how it is drawn is the stylesheet's. */
  readonly mark: string
  readonly points: readonly Point[]
}

export interface DaySpan {
  readonly from: string
  readonly to: string
}

export function drawRanks(words: Words, span: DaySpan, series: readonly ChartSeries[], size: Size): Html {
  const worst = Math.max(1, ...series.flatMap((one) => one.points.map((point) => point.value)))
  const { scale, ticks } = rankScale(worst, size)
  return html`${rulers(scale, ticks, size, words.whole)}${timeAxis(words, span.from, span.to, size)}${linesOf(span, series, scale, size)}`
}

export function drawAmounts(words: Words, span: DaySpan, series: readonly ChartSeries[], size: Size, say: (tick: number) => string): Html {
  const most = Math.max(0, ...series.flatMap((one) => one.points.map((point) => point.value)))
  const { scale, ticks } = amountScale(most, size)
  return html`${rulers(scale, ticks, size, say)}${timeAxis(words, span.from, span.to, size)}${linesOf(span, series, scale, size)}`
}

export function drawRatings(words: Words, span: DaySpan, series: readonly ChartSeries[], size: Size, below: Html): Html {
  const { scale, ticks } = ratingScale(size)
  return html`
    ${rulers(scale, ticks, size, words.whole)}
    ${timeAxis(words, span.from, span.to, size)}
    ${below}
    ${linesOf(span, series, scale, size)}
  `
}

/** Rivals first, so that the own line lies on top. */
export function linesOf(span: DaySpan, series: readonly ChartSeries[], y: (value: number) => number, size: Size): Html {
  const x = timeScale(span.from, span.to, size)
  return html`
    ${series.toReversed().map((one) =>
      lineOf(
        one,
        (point) => x(dayNumber(point.day)),
        (point) => y(point.value),
      ),
    )}
  `
}

function lineOf(series: ChartSeries, x: (point: Point) => number, y: (point: Point) => number): Html {
  const write = line<Point>(x, y).digits(1)
  const runs = runsOf(series.points)
  const path = runs
    .filter((run) => run.length > 1)
    .map((run) => write(run))
    .join('')
  const dots = runs.filter((run) => run.length === 1).map((run) => run[0] as Point)
  return html`
    <path class="line ${series.mark}" d="${path}"/>
    ${dots.map((dot) => html`<circle class="dot ${series.mark}" cx="${round(x(dot))}" cy="${round(y(dot))}" r="2.5"/>`)}
  `
}

/** Unbroken stretches: points no further apart than the series' own usual step, and half as much again. */
export function runsOf(points: readonly Point[]): Point[][] {
  const reach = usualStep(points) * 1.5
  const runs: Point[][] = []
  for (const point of points) {
    const run = runs.at(-1)
    if (run && dayNumber(point.day) - dayNumber(lastOf(run).day) <= reach) run.push(point)
    else runs.push([point])
  }
  return runs
}

/** The days between measurements, as a sentence would name them; the first and last day of each gap. */
export function gapsOf(points: readonly Point[]): { from: number; to: number }[] {
  const runs = runsOf(points)
  return runs
    .slice(1)
    .map((run, index) => ({ from: dayNumber(lastOf(runs[index] as Point[]).day) + 1, to: dayNumber((run[0] as Point).day) - 1 }))
}

function usualStep(points: readonly Point[]): number {
  const steps = points.slice(1).map((point, index) => dayNumber(point.day) - dayNumber((points[index] as Point).day))
  return steps.toSorted((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 1
}

function lastOf(points: readonly Point[]): Point {
  return points.at(-1) as Point
}
