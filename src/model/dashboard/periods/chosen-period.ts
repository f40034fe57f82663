/** Periods that people and programs ask for: the last days, whole months, quarters and years, or two days, each with what it is compared with. */

import { dayNumber, daysLater, isDay } from '../../../lib/time/days.ts'
import type { DaySpan, Period } from '../positions.ts'

export interface ChosenPeriod extends Period {
  readonly days: number
  /** A number of days or a calendar period; null for a custom period. */
  readonly preset: string | null
  readonly compare: Comparison
  /** The time zone in which days are counted. */
  readonly zone: string
  /** Whether it ended before today, so that there may be later measurements. */
  readonly isOver: boolean
  /** Why the requested period could not be used. */
  readonly complaint: string | null
}

export const dayPresets = [7, 30, 90, 180, 365] as const
export const calendarPresets = {
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-quarter': 'This quarter',
  'last-quarter': 'Last quarter',
  'this-year': 'This year',
  'last-year': 'Last year',
} as const
export const comparisons = { before: 'The period before', year: 'The year before', none: 'Nothing' } as const

export type Comparison = keyof typeof comparisons

const fallback = 90
const mostDays = 1_100
export interface AskedPeriod {
  readonly days?: string | null
  readonly period?: string | null
  readonly from?: string | null
  readonly to?: string | null
  readonly compare?: string | null
}

export function choosePeriod(asked: AskedPeriod, zone: string, today: string): ChosenPeriod {
  const compare: Comparison = asked.compare === 'year' || asked.compare === 'none' ? asked.compare : 'before'
  const finish = (span: DaySpan, earlier: DaySpan, preset: string | null, complaint: string | null = null): ChosenPeriod => ({
    ...span,
    before: compare === 'none' ? null : compare === 'year' ? yearBefore(span) : earlier,
    days: lengthOf(span),
    preset,
    compare,
    zone,
    isOver: span.to < today,
    complaint,
  })
  const days = dayPresets.find((preset) => String(preset) === asked.days) ?? fallback
  const [from, to, name] = [asked.from ?? '', asked.to ?? '', asked.period ?? '']
  if (from === '' && to === '') {
    const months = monthsOf(name)
    const span = months ? calendarSpan(today, months) : lastDays(today, days)
    return finish(span, months ? calendarBefore(span, months) : spanBefore(span), months ? name : String(days))
  }
  const complaint = complaintOf(from, to)
  const span = complaint === null ? { from, to } : lastDays(today, fallback)
  return finish(span, before(span), complaint === null ? null : String(fallback), complaint)
}

function lengthOf({ from, to }: DaySpan): number {
  return dayNumber(to) - dayNumber(from) + 1
}

function lastDays(today: string, days: number): DaySpan {
  return { from: daysLater(today, 1 - days), to: today }
}

/** Whole months, quarters and years are compared with whole ones, also where they come as two days: of a mail, or typed. */
function before(span: DaySpan): DaySpan {
  const length = wholeMonths(span)
  return length === 1 || length === 3 || length === 12 ? calendarBefore(span, { length, isLast: true }) : spanBefore(span)
}

/** How many whole calendar months a span is; 0 if it begins or ends within one. */
function wholeMonths({ from, to }: DaySpan): number {
  if (!from.endsWith('-01') || !daysLater(to, 1).endsWith('-01')) return 0
  const [year, month] = [Number(to.slice(0, 4)) - Number(from.slice(0, 4)), Number(to.slice(5, 7)) - Number(from.slice(5, 7))]
  return 12 * year + month + 1
}

/** The same number of days right before the span. */
function spanBefore(span: DaySpan): DaySpan {
  return { from: daysLater(span.from, -lengthOf(span)), to: daysLater(span.from, -1) }
}

function yearBefore(span: DaySpan): DaySpan {
  const { from, to } = span
  const isWhole = wholeMonths(span) > 0
  return { from: monthsLater(from, -12), to: isWhole ? daysLater(monthsLater(daysLater(to, 1), -12), -1) : monthsLater(to, -12) }
}

interface Months {
  readonly length: number
  readonly isLast: boolean
}

function monthsOf(name: string): Months | null {
  const [when, unit] = name.split('-')
  const length = { month: 1, quarter: 3, year: 12 }[unit ?? '']
  return length !== undefined && Object.hasOwn(calendarPresets, name) ? { length, isLast: when === 'last' } : null
}

/** A whole month, quarter or year, or the current one up to today. */
function calendarSpan(today: string, { length, isLast }: Months): DaySpan {
  const month = Number(today.slice(5, 7)) - 1
  const first = monthsLater(`${today.slice(0, 7)}-01`, -(month % length))
  return isLast ? { from: monthsLater(first, -length), to: daysLater(first, -1) } : { from: first, to: today }
}

/** The previous month, quarter or year: whole for a whole one, otherwise up to the same day in it. */
function calendarBefore({ from, to }: DaySpan, { length, isLast }: Months): DaySpan {
  const first = monthsLater(from, -length)
  return { from: first, to: isLast ? daysLater(from, -1) : monthsLater(to, -length) }
}

/** The same day in another month, or its last day if that month is shorter. */
function monthsLater(day: string, count: number): string {
  const [year = 0, month = 0, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Why two days are no period; null if they are. */
export function complaintOf(from: string, to: string): string | null {
  if (!isDay(from) || !isDay(to)) return 'Both days of a custom period are needed; the last 90 days are shown.'
  if (from > to) return 'The first day came after the last; the last 90 days are shown.'
  return dayNumber(to) - dayNumber(from) >= mostDays || from < '1990-01-01'
    ? 'A period can span three years; the last 90 days are shown.'
    : null
}
