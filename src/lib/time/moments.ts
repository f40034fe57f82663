/**
 * Parses times into whole seconds since 1970, and writes them in several forms. In the database and the code a time is ISO text in UTC with whole seconds:
 * `2026-11-14T23:52:01Z`.
 */

import { memo } from '../memo.ts'
import { dayNumber, isDay } from './days.ts'

const secondsPerDay = 86_400

/** Packed months store a time in 32 bits, which end on 2106-02-07. */
const lastDayNumber = dayNumber('2105-12-31')

/**
 * The Unix time at the start of the day in UTC, or undefined when there is no such day between 1970 and 2105. Memoized, because consecutive lines of a file
 * mostly repeat a day.
 */
export const secondsOfDay = memo({ most: 10_000, longest: 10 }, (day): number | undefined => {
  const number = isDay(day) ? dayNumber(day) : -1
  return number < 0 || number > lastDayNumber ? undefined : number * secondsPerDay
})

/** `2026-11-14 23:52:01`, with `T` or a blank, in UTC unless an offset says otherwise; a fraction of a second is dropped. */
export function secondsOfMoment(text: string): number | undefined {
  const day = secondsOfDay(text.slice(0, 10))
  const time = text.length === 19 ? secondsOfClock(text) : undefined
  return day === undefined || time === undefined ? secondsWithOffset(text) : day + time
}

export function momentText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}

/** The seconds of the time of day `23:52:01`, which follows the day and one character. */
function secondsOfClock(text: string): number | undefined {
  const hours = twoDigits(text, 11)
  const minutes = twoDigits(text, 14)
  const seconds = twoDigits(text, 17)
  const between = text.charCodeAt(10)
  const isClock = (between === 32 || between === 84) && text.charCodeAt(13) === 58 && text.charCodeAt(16) === 58
  return isClock && hours < 24 && minutes < 60 && seconds < 60 ? hours * 3600 + minutes * 60 + seconds : undefined
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 99
}

const withOffset = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z| UTC|([+-])(\d\d):?([0-5]\d))?$/

function secondsWithOffset(text: string): number | undefined {
  const [, local, sign, hours = '0', minutes = '0'] = withOffset.exec(text) ?? []
  const day = local && secondsOfDay(local.slice(0, 10))
  const time = local && secondsOfClock(local)
  if (typeof day !== 'number' || typeof time !== 'number' || Number(hours) > 14) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * 60
  const seconds = day + time + (sign === '-' ? offset : -offset)
  return seconds < 0 || seconds >= (lastDayNumber + 1) * secondsPerDay ? undefined : seconds
}

let zone = 'UTC'
let zoneParts: Intl.DateTimeFormat | null = null

/** The zone in which users' and businesses' times are written; set once, at start. */
export function writeTimesIn(timeZone: string): void {
  zone = timeZone
  zoneParts =
    zone === 'UTC' ? null : new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hourCycle: 'h23', ...partNames })
}

/** `2026-11-14T23:52:01+00:00`: the offset is always numeric. */
export function offsetTime(moment: string): string {
  return zoneParts === null ? `${moment.slice(0, 19)}+00:00` : inZone(zoneParts, moment)
}

/** `2026-11-14 23:52:01 UTC` */
export function utcTimestamp(moment: string): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`
}

const partNames = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

function inZone(format: Intl.DateTimeFormat, moment: string): string {
  const parts = new Map(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ''
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`
}
