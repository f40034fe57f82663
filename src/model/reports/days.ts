/** The days a report is asked for: both ends included, in UTC, either end open. */

import { dayNumber } from '../../lib/days.ts'

export interface ReportDays {
  /** Text that sorts before and after every day where an end is open. */
  readonly first: string
  readonly last: string
  /** The same in seconds since 1970, from the first second to the last. */
  readonly from: number
  readonly to: number
}

const secondsPerDay = 86_400
const lastSecond = 2 ** 32 - 1

export function daysOf({ startDate, endDate }: { readonly startDate: string | null; readonly endDate: string | null }): ReportDays {
  return {
    first: startDate ?? '',
    last: endDate ?? '9999-12-31',
    from: startDate === null ? 0 : within(dayNumber(startDate) * secondsPerDay),
    to: endDate === null ? lastSecond : within((dayNumber(endDate) + 1) * secondsPerDay - 1),
  }
}

/** Packed months know no other seconds; -1 is a range that ends before the first of them. */
function within(seconds: number): number {
  return Math.max(-1, Math.min(seconds, lastSecond))
}
