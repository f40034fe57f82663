/** Bars from zero: amounts per week, and amounts in classes. */

import { type Html, html } from '../../lib/html.ts'
import { dayNumber } from '../../lib/time/days.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import type { Words } from '../components/number-format.ts'
import { amountScale, round, rulers, timeAxis, timeScale } from './axes.ts'
import type { Size } from './frame.ts'

export interface WeekAmount {
  /** The Monday of the week. */
  readonly week: string
  readonly amount: number
}

export interface ClassAmount {
  readonly label: string
  readonly amount: number
}

export function drawWeeks(words: Words, span: DaySpan, weeks: readonly WeekAmount[], size: Size): Html {
  const { scale, ticks } = amountScale(Math.max(0, ...weeks.map((week) => week.amount)), size)
  return html`
    ${rulers(scale, ticks.filter(Number.isInteger), size, words.whole)}
    ${timeAxis(words, span.from, span.to, size)}
    ${weekBars(span, weeks, scale, size, 'bar own')}
  `
}

export function weekBars(span: DaySpan, weeks: readonly WeekAmount[], y: (amount: number) => number, size: Size, mark: string): Html {
  return html`<g class="${mark}">${weeks.filter((week) => week.amount > 0).map((week) => weekBar(span, week, y(week.amount), size))}</g>`
}

function weekBar(span: DaySpan, week: WeekAmount, top: number, size: Size): Html {
  const { left, width } = weekBox(span, week.week, size)
  return html`<rect x="${left}" y="${round(top)}" width="${width}" height="${round(size.height - size.bottom - top)}"/>`
}

/** The position of a week on the time axis, clipped to the period. */
export function weekBox(span: DaySpan, week: string, size: Size): { left: number; width: number } {
  const x = timeScale(span.from, span.to, size)
  const first = Math.max(dayNumber(week), dayNumber(span.from))
  const last = Math.min(dayNumber(week) + 7, dayNumber(span.to))
  const left = round(x(first) + 1.5)
  return { left, width: Math.max(1.5, round(x(last) - 1.5 - left)) }
}

export function drawClasses(words: Words, classes: readonly ClassAmount[], size: Size): Html {
  const { scale, ticks } = amountScale(Math.max(0, ...classes.map((one) => one.amount)), size)
  const step = (size.width - size.left - size.right) / classes.length
  const leftOf = (index: number) => size.left + (index + 0.1) * step
  const bars = classes.map((one, index) => classBar(round(leftOf(index)), round(step * 0.8), round(scale(one.amount)), size))
  const labels = classes.map(({ label }, index) => classLabel(label, round(leftOf(index) + step * 0.4), size))
  return html`
    ${rulers(scale, ticks.filter(Number.isInteger), size, words.whole)}
    <g class="axis">${labels}</g>
    <g class="bar own">${bars}</g>
  `
}

function classBar(left: number, width: number, top: number, size: Size): Html {
  return html`<rect x="${left}" y="${top}" width="${width}" height="${round(size.height - size.bottom - top)}"/>`
}

function classLabel(label: string, middle: number, size: Size): Html {
  return html`<text x="${middle}" y="${size.height - 6}" text-anchor="middle">${label}</text>`
}
