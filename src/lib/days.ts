/** Days as `YYYY-MM-DD` and as whole numbers since 1970-01-01, so that arithmetic on them is plain addition. */

import { memo, memoByNumber } from './memo.ts'

const millisecondsPerDay = 86_400_000
/** A page names the same few hundred days thousands of times. */
const mostKept = 10_000

// Date.UTC would take the year 1 for 1901.
export const dayNumber = memo({ most: mostKept, longest: 10 }, (day) => Date.parse(`${day}T00:00:00Z`) / millisecondsPerDay)

export const dayText = memoByNumber(mostKept, (number) => new Date(number * millisecondsPerDay).toISOString().slice(0, 10))

export function daysLater(day: string, count: number): string {
  return dayText(dayNumber(day) + count)
}

/** The Monday of the week a day lies in (1970-01-01 was a Thursday). */
export function weekOf(number: number): number {
  return number - ((((number + 3) % 7) + 7) % 7)
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(`${text}T00:00:00Z`)) && dayText(dayNumber(text)) === text
}
