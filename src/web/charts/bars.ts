/** Bars from zero: amounts per week, and amounts in classes. */

import { type Html, html } from '../../lib/html.ts'
import { dayNumber, weekOf } from '../../lib/time/days.ts'
import type { DaySpan } from '../../model/dashboard/positions.ts'
import type { Words } from '../components/number-format.ts'
import { amountScale, round, rulers, type Size, weekAxis, weekScale } from './axes.ts'

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
    ${weekAxis(words, span, size)}
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

/** A few weeks are bars too, not walls. */
const widestBar = 72

/** The position of a week on the axis. The space between bars shrinks with them, so that many thin ones keep their colour. */
export function weekBox(span: DaySpan, week: string, size: Size): { left: number; width: number } {
  const x = weekScale(span, size)
  const [from, to] = [x(dayNumber(week) - 0.5), x(dayNumber(week) + 6.5)]
  const width = Math.min(widestBar, to - from - Math.min(3, (to - from) / 5))
  return { left: round((from + to - width) / 2), width: round(width) }
}

/** Says how many days the first and the last week have, if the period cuts them. */
export function partWeeks(words: Words, { from, to }: DaySpan): string[] {
  const [first, last] = [7 - (dayNumber(from) - weekOf(dayNumber(from))), dayNumber(to) - weekOf(dayNumber(to)) + 1]
  if (weekOf(dayNumber(from)) === weekOf(dayNumber(to))) return []
  if (first === 7) return last === 7 ? [] : [`The last week of the period has ${words.count(last, 'day')}.`]
  return [`The first week of the period has ${words.count(first, 'day')}${last === 7 ? '' : `, the last ${words.count(last, 'day')}`}.`]
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
