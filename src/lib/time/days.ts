/** Converts days between `YYYY-MM-DD` and whole numbers since 1970-01-01, so that arithmetic on them is addition; also days in a time zone. */

import { memo, memoUntilFull } from '../memo.ts'

const millisecondsPerDay = 86_400_000
/** A page names the same few hundred days thousands of times, so the conversions are cached. */
const mostKept = 10_000

// Date.UTC would read the year 1 as 1901.
export const dayNumber = memoUntilFull(mostKept, (day: string) => Date.parse(`${day}T00:00:00Z`) / millisecondsPerDay)

export const dayText = memoUntilFull(mostKept, (number: number) => new Date(number * millisecondsPerDay).toISOString().slice(0, 10))

export function daysLater(day: string, count: number): string {
  return dayText(dayNumber(day) + count)
}

/** The Monday of the week that contains the day (1970-01-01 was a Thursday). */
export function weekOf(number: number): number {
  return number - ((((number + 3) % 7) + 7) % 7)
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(`${text}T00:00:00Z`)) && dayText(dayNumber(text)) === text
}

const secondsPerDay = 86_400

export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 are not zones: they do not follow daylight saving time.
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** The Unix time in seconds at which a day (counted from 1970-01-01) begins in a zone. */
export function startOfDay(day: number, zone: string): number {
  if (zone === 'UTC') return day * secondsPerDay
  return foundStart(`${day} ${zone}`)
}

const foundStart = memo({ most: 2 * mostKept, longest: 60 }, (key) => {
  const [day = '', zone = ''] = key.split(' ')
  return searchStart(Number(day), zone)
})

/** The day on which a time (ISO text in UTC) falls in a zone. */
export function dayIn(zone: string, moment: string): string {
  if (zone === 'UTC') return moment.slice(0, 10)
  const seconds = Math.floor(Date.parse(moment) / 1000)
  return new Date((seconds + offsetAt(seconds, zone)) * 1000).toISOString().slice(0, 10)
}

/**
 * The first time that is not before the day, by the offset of the day before or by that of the day after. Where clocks are put forward at midnight, as in
 * Santiago and Havana, the day begins at one; where they are put back to midnight, it begins with the first of the two.
 */
function searchStart(day: number, zone: string): number {
  const local = day * secondsPerDay
  const offsets = [offsetAt(local - secondsPerDay, zone), offsetAt(local + secondsPerDay, zone)]
  const times = offsets.map((offset) => local - offset).sort((a, b) => a - b)
  return times.find((time) => time + offsetAt(time, zone) >= local) ?? local
}

/** The seconds by which the zone is ahead of UTC at a time. */
function offsetAt(seconds: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(seconds * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const [year = 0, month = 1, day = 1] = [parts['year'], parts['month'], parts['day']]
  return Date.UTC(year, month - 1, day, parts['hour'], parts['minute'], parts['second']) / 1000 - seconds
}

const formatOf = memo({ most: 1_000, longest: 50 }, (zone) => {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  return new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...numeric })
})
