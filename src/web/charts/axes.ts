/** Axes: time along the bottom, ranks with the best at the top and compressed, ratings from 1 to 5, amounts from 0. */

import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale'
import { type Html, html } from '../../lib/html.ts'
import { dayNumber, dayText, weekOf } from '../../lib/time/days.ts'
import type { Words } from '../components/number-format.ts'
import type { Size } from './frame.ts'

type Scale = ScaleContinuousNumeric<number, number>

const rankTicks = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]

/** From the tick above the best value to the tick below the worst, so that the line fills its room whatever the ranks are. */
export function rankScale(best: number, worst: number, size: Size): { scale: Scale; ticks: number[] } {
  const bottom = rankTicks.findIndex((tick) => tick >= worst)
  const top = rankTicks.findLastIndex((tick) => tick <= best)
  // At least three ticks: a small change must not look like a great one.
  const first = Math.max(0, Math.min(top, bottom - 2))
  const ticks = rankTicks.slice(first, Math.max(bottom, first + 2) + 1)
  return { scale: scaleLog([ticks[0] as number, ticks.at(-1) as number], [size.top, size.height - size.bottom]), ticks }
}

export function ratingScale(size: Size): { scale: Scale; ticks: number[] } {
  return { scale: scaleLinear([1, 5], [size.height - size.bottom, size.top]), ticks: [1, 2, 3, 4, 5] }
}

export function amountScale(most: number, size: Size): { scale: Scale; ticks: number[] } {
  const scale = scaleLinear([0, Math.max(1, most)], [size.height - size.bottom, size.top]).nice(4)
  return { scale, ticks: scale.ticks(4) }
}

export function timeScale(from: string, to: string, size: Size): Scale {
  return scaleLinear([dayNumber(from), dayNumber(to)], [size.left, size.width - size.right])
}

/** Rulers across and their figures at the left. */
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
  const days = tickDays(from, to, size.labels)
  return html`<g class="axis">${days.map((day) => timeLabel(round(x(dayNumber(day))), labelOf(words, from, to, day), size))}</g>`
}

function timeLabel(x: number, label: string, size: Size): Html {
  const anchor = x > size.width - size.right - 24 ? 'end' : x < size.left + 16 ? 'start' : 'middle'
  return html`<text x="${x}" y="${size.height - 6}" text-anchor="${anchor}">${label}</text>`
}

function labelOf(words: Words, from: string, to: string, day: string): string {
  return dayNumber(to) - dayNumber(from) > 270 ? words.month(day) : words.shortDay(day)
}

/** Months where they are enough, otherwise Mondays, otherwise days; thinned until they fit. */
function tickDays(from: string, to: string, most: number): string[] {
  const [months, mondays] = [monthsBetween(from, to), mondaysBetween(from, to)]
  const days = months.length >= 3 ? months : mondays.length >= 3 ? mondays : daysBetween(from, to)
  const step = Math.ceil(days.length / most)
  return days.filter((_, index) => index % step === 0)
}

function monthsBetween(from: string, to: string): string[] {
  const days: string[] = []
  const month = new Date(`${from.slice(0, 7)}-01T00:00:00Z`)
  for (; month.toISOString().slice(0, 10) <= to; month.setUTCMonth(month.getUTCMonth() + 1)) {
    const day = month.toISOString().slice(0, 10)
    if (day >= from) days.push(day)
  }
  return days
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

/** A day's place between the ends, from 0 to 1, for the script's hover. */
export function placeBetween(from: string, to: string, day: string): number {
  return (dayNumber(day) - dayNumber(from)) / Math.max(1, dayNumber(to) - dayNumber(from))
}
