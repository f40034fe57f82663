/** Axes: time along the bottom; ranks on a logarithmic scale with the best at the top; ratings from 1 to 5; amounts from 0. */

import { type Html, html } from '../../lib/html.ts'
import { dayNumber, dayText, weekOf } from '../../lib/time/days.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import type { Words } from '../components/number-format.ts'

/** A chart is drawn in two sizes, or in three if it may be as wide as the page, so that its labels have the same size everywhere; the stylesheet shows one. */
export interface Size {
  readonly name: 'broad' | 'wide' | 'narrow'
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  /** How many labels fit on the time axis. */
  readonly labels: number
}

/** Maps a value to its coordinate. Plain arithmetic, because a page draws thousands of points. */
export type Scale = (value: number) => number

const rankTicks = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]
/** Used where few of them are enough, so that a line among them fills the chart. */
const fineRankTicks = [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 500]

const mostFineTicks = 5
const mostRankTicks = 9

function isPowerOfTen(tick: number): boolean {
  return Number.isInteger(Math.log10(tick))
}

/** From the tick above the best value to the tick below the worst, so that the line fills the chart. */
export function rankScale(best: number, worst: number, size: Size): { scale: Scale; ticks: number[] } {
  const fine = ticksAround(fineRankTicks, best, worst)
  const all = fine.length > 0 && fine.length <= mostFineTicks ? fine : ticksAround(rankTicks, best, worst)
  // If the labels would overlap, only the ends and the powers of ten are kept.
  const ticks =
    all.length <= mostRankTicks ? all : all.filter((tick, index) => index === 0 || index === all.length - 1 || isPowerOfTen(tick))
  return { scale: logarithmic([ticks[0] as number, ticks.at(-1) as number], [size.top, size.height - size.bottom]), ticks }
}

/** None if the ticks do not reach as far. */
function ticksAround(ticks: readonly number[], best: number, worst: number): number[] {
  const bottom = ticks.findIndex((tick) => tick >= worst)
  const top = ticks.findLastIndex((tick) => tick <= best)
  // At least three ticks, so that a small change does not look like a large one.
  const first = Math.max(0, Math.min(top, bottom - 2))
  return bottom < 0 ? [] : ticks.slice(first, Math.max(bottom, first + 2) + 1)
}

export function ratingScale(size: Size): { scale: Scale; ticks: number[] } {
  return { scale: linear([1, 5], [size.height - size.bottom, size.top]), ticks: [1, 2, 3, 4, 5] }
}

export function amountScale(most: number, size: Size): { scale: Scale; ticks: number[] } {
  const ticks = niceTicks(Math.max(1, most))
  return { scale: linear([0, ticks.at(-1) as number], [size.height - size.bottom, size.top]), ticks }
}

/** From a round number below the lowest value to one above the highest, and at least so far apart. */
export function fittedScale(lowest: number, highest: number, leastSpan: number, size: Size): { scale: Scale; ticks: number[] } {
  const missing = Math.max(0, leastSpan - (highest - lowest)) / 2
  // What is never negative has no axis below 0.
  const [low, high] = [lowest < 0 ? lowest - missing : Math.max(0, lowest - missing), highest + missing]
  const step = niceTicks(Math.max(leastSpan, high - low))[1] as number
  const first = Math.floor(low / step)
  const ticks = Array.from({ length: Math.max(2, Math.ceil(high / step) - first + 1) }, (_, index) => (first + index) * step)
  return { scale: linear([ticks[0] as number, ticks.at(-1) as number], [size.height - size.bottom, size.top]), ticks }
}

export function timeScale(from: string, to: string, size: Size): Scale {
  return linear([dayNumber(from), dayNumber(to)], [size.left, size.width - size.right])
}

/** Whole weeks of equal width, so that a week that has just begun is as visible as the others. A day is placed at its noon. */
export function weekScale(span: DaySpan, size: Size): Scale {
  const { first, end } = weeksIn(span)
  return linear([first - 0.5, end - 0.5], [size.left, size.width - size.right])
}

/** The middle of a week between the ends of the axis, from 0 to 1, for the script's hover. */
export function weekMiddle(span: DaySpan, week: string): number {
  const { first, end } = weeksIn(span)
  return (dayNumber(week) + 3.5 - first) / (end - first)
}

/** The number of the first Monday, and of the Monday after the last week. */
function weeksIn({ from, to }: DaySpan): { first: number; end: number } {
  return { first: weekOf(dayNumber(from)), end: weekOf(dayNumber(to)) + 7 }
}

/** Three to six round numbers from 0 to at least the largest: steps of 1, 2 or 5 times a power of ten. */
function niceTicks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most / 4))
  const step = ([1, 2, 5].find((times) => most / (times * power) <= 5) ?? 10) * power
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

/** A single value is placed in the middle. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  const step = (end - start) / (to - from)
  return to === from ? () => (start + end) / 2 : (value) => start + (value - from) * step
}

function logarithmic([from, to]: readonly [number, number], ends: readonly [number, number]): Scale {
  const place = linear([Math.log(from), Math.log(to)], ends)
  return (value) => place(Math.log(value))
}

/** Horizontal grid lines with labels on the left. */
export function rulers(scale: Scale, ticks: readonly number[], size: Size, say: (tick: number) => string): Html {
  return html`<g class="axis">${ticks.map((tick) => ruler(round(scale(tick)), say(tick), size))}</g>`
}

function ruler(y: number, label: string, size: Size): Html {
  return html`
    <path class="ruler" d="M${size.left} ${y}H${size.width - size.right}"/>
    <text x="${size.left - 6}" y="${y}" dy="0.33em" text-anchor="end">${label}</text>
  `
}

export function timeAxis(words: Words, from: string, to: string, size: Size): Html {
  const x = timeScale(from, to, size)
  const days = tickDays(from, to, namesMonths(from, to) ? size.labels - 1 : size.labels)
  return html`<g class="axis">${days.map((day) => timeLabel(round(x(dayNumber(day))), labelOf(words, from, to, day), size))}</g>`
}

/** Names the months, or below each bar the Monday of its week if there are few months. */
export function weekAxis(words: Words, span: DaySpan, size: Size): Html {
  const { from, to } = span
  const x = weekScale(span, size)
  const months = monthsBetween(from, to)
  const most = namesMonths(from, to) ? size.labels - 1 : size.labels
  if (months.length >= 3)
    return html`<g class="axis">${thinned(months, most).map((day) => timeLabel(round(x(dayNumber(day) - 0.5)), labelOf(words, from, to, day), size))}</g>`
  const { first, end } = weeksIn(span)
  const mondays = Array.from({ length: (end - first) / 7 }, (_, week) => first + 7 * week)
  return html`<g class="axis">${thinned(mondays, most).map((day) => timeLabel(round(x(day + 3)), words.shortDay(dayText(day)), size))}</g>`
}

function thinned<T>(ticks: readonly T[], most: number): T[] {
  const step = Math.ceil(ticks.length / most)
  return ticks.filter((_, index) => index % step === 0)
}

function timeLabel(x: number, label: string, size: Size): Html {
  const anchor = x > size.width - size.right - 24 ? 'end' : 'middle'
  return html`<text x="${x}" y="${size.height - 6}" text-anchor="${anchor}">${label}</text>`
}

function labelOf(words: Words, from: string, to: string, day: string): string {
  return namesMonths(from, to) ? words.month(day) : words.shortDay(day)
}

/** For long periods, labels name a month and its year, which needs more room than a day. */
function namesMonths(from: string, to: string): boolean {
  return dayNumber(to) - dayNumber(from) > 270
}

/** Months if there are enough, otherwise Mondays, otherwise days; thinned until they fit. */
function tickDays(from: string, to: string, most: number): string[] {
  const [months, mondays] = [monthsBetween(from, to), mondaysBetween(from, to)]
  const days = months.length >= 3 ? months : mondays.length >= 3 ? mondays : daysBetween(from, to)
  return thinned(days, most)
}

function monthsBetween(from: string, to: string): string[] {
  const days: string[] = []
  let [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))]
  for (let day = firstOf(year, month); day <= to; day = firstOf(year, month)) {
    if (day >= from) days.push(day)
    year += month === 12 ? 1 : 0
    month = (month % 12) + 1
  }
  return days
}

function firstOf(year: number, month: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`
}

function mondaysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = weekOf(dayNumber(from) + 6); day <= dayNumber(to); day += 7) days.push(dayText(day))
  return days
}

function daysBetween(from: string, to: string): string[] {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  return Array.from({ length: last - first + 1 }, (_, index) => dayText(first + index))
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** The position of a day between the ends, from 0 to 1, for the script's hover. */
export function placeBetween(from: string, to: string, day: string): number {
  return (dayNumber(day) - dayNumber(from)) / Math.max(1, dayNumber(to) - dayNumber(from))
}
