/** The periods of scheduled reports: a week from Monday to Sunday, or a calendar month, once it is over. */

import { dayNumber, daysLater, dayText, weekOf } from '../../lib/time/days.ts'
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
