/** The periods of scheduled reports: a week from Monday to Sunday, or a calendar month, once it is over. */

import { dayNumber, daysLater, dayText, isDay, weekOf } from '../../lib/time/days.ts'
import type { ReportScheduleRow } from '../../store/rows/mail.ts'

export type Rhythm = ReportScheduleRow['rhythm']

export interface MailedPeriod {
  readonly from: string
  readonly to: string
}

export function lastPeriod(rhythm: Rhythm, today: string): MailedPeriod {
  return rhythm === 'weekly' ? lastWeek(today) : lastMonth(today)
}

function lastWeek(today: string): MailedPeriod {
  const monday = weekOf(dayNumber(today))
  return { from: dayText(monday - 7), to: dayText(monday - 1) }
}

function lastMonth(today: string): MailedPeriod {
  const to = dayText(dayNumber(`${today.slice(0, 7)}-01`) - 1)
  return { from: `${to.slice(0, 7)}-01`, to }
}

/** The day on which the period after that ends with `last` is over, and its mail goes. */
export function nextMailOn(rhythm: Rhythm, last: string): string {
  if (rhythm === 'weekly') return daysLater(last, 8)
  return `${daysLater(last, 32).slice(0, 7)}-01`
}

export interface NamedPeriod extends MailedPeriod {
  readonly rhythm: Rhythm
}

/** The period that ends next. */
export function runningPeriod(rhythm: Rhythm, today: string): NamedPeriod {
  const from = daysLater(lastPeriod(rhythm, today).to, 1)
  return { rhythm, from, to: daysLater(nextMailOn(rhythm, daysLater(from, -1)), -1) }
}

/** A month is called `2026-11`, a week by its Monday; undefined for any other text. */
export function periodNamed(name: string): NamedPeriod | undefined {
  const rhythm = /^\d{4}-\d\d$/.test(name) ? 'monthly' : 'weekly'
  const from = rhythm === 'monthly' ? `${name}-01` : name
  if (!isDay(from) || (rhythm === 'weekly' && weekOf(dayNumber(from)) !== dayNumber(from))) return undefined
  return runningPeriod(rhythm, from)
}

export function nameOfPeriod({ rhythm, from }: NamedPeriod): string {
  return rhythm === 'monthly' ? from.slice(0, 7) : from
}
