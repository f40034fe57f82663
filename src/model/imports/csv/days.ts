/** Reads days and times of day as other tools write them, by a format such as `dd.mm.yyyy`. */

import { memo } from '../../../lib/memo.ts'
import { secondsOfDay, secondsOfMoment } from '../../../lib/time/moments.ts'

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** The forms that are read where no format is told: the year comes first, or the month is a word, so that nothing has to be guessed. */
const plainFormats = ['yyyy-mm-dd', 'yyyy/mm/dd', 'mmm d, yyyy', 'mmm d yyyy', 'd mmm yyyy', 'd. mmm yyyy', 'd-mmm-yyyy']

/** Parses a day, or returns undefined: `14.11.2026` by `dd.mm.yyyy`, with or without a time after it. */
export function readDay(text: string, format?: string): string | undefined {
  if (format !== undefined) return dayBy(format, text.trim())
  // Nearly every cell is in the first form, and the others are tried only where a digit is where one of them has it.
  const [first = '', ...others] = plainFormats
  return dayBy(first, text.trim()) ?? firstOf(others, (each) => dayBy(each, text.trim()))
}

/** A day within a longer text, such as the name of a column, and the rest of that text: `Rank (2026-11-14)`, `..._20261114`, `Nov 14, 2026`. */
export function dayWithin(text: string, format?: string): { day: string; rest: string } | undefined {
  const whole = readDay(text, format)
  if (whole !== undefined) return { day: whole, rest: '' }
  const formats = format === undefined ? [...plainFormats, 'yyyymmdd', 'yyyy_mm_dd', 'yyyy.mm.dd'] : [format]
  return firstOf(formats, (each) => {
    const found = withinOf(each).exec(text)
    const day = found === null ? undefined : dayBy(each, found[0])
    return found === null || day === undefined ? undefined : { day, rest: text.replace(found[0], ' ') }
  })
}

/** Whether the format names a year, a month and a day once each. */
export function isDateFormat(format: string): boolean {
  const letters = [...format.toLowerCase().matchAll(/y+|m+|d+/g)].map(([token]) => token[0]).sort()
  return letters.join('') === 'dmy'
}

/** A text that is not a real day is left unchanged, so that the error shows what is in the file. */
export function dayOf(text: string, format: string | undefined): string {
  const day = readDay(text, format)
  return day === undefined || secondsOfDay(day) === undefined ? text : day
}

/** A day without a time means its start. */
export function momentOf(text: string, format: string | undefined): string {
  const day = readDay(text, format)
  const moment = day === undefined ? text : `${day} ${clockOf(text)}`
  return secondsOfMoment(moment) === undefined ? text : moment
}

function clockOf(text: string): string {
  const found = /[T ,](\d{1,2})(:\d\d)(:\d\d)?(?:\.\d+)?\s?([ap]\.?m\b\.?)?\s?(.*)$/i.exec(text.trim())
  const [, hours = '00', minutes = ':00', seconds = ':00', half = '', rest = ''] = found ?? []
  return `${half === '' ? hours.padStart(2, '0') : hoursOfDay(hours, half)}${minutes}${seconds}${rest}`
}

/** `12:30 AM` is half an hour after midnight; 13 PM is no time. */
function hoursOfDay(hours: string, half: string): string {
  const [hour, isAfternoon] = [Number(hours), /^p/i.test(half)]
  return hour < 1 || hour > 12 ? '99' : String((hour % 12) + (isAfternoon ? 12 : 0)).padStart(2, '0')
}

function dayBy(format: string, text: string): string | undefined {
  const { pattern, order } = patternOf(format)
  const found = pattern.exec(text)
  if (found === null) return undefined
  const part = (letter: string) => found[order.indexOf(letter) + 1] ?? ''
  const month = /^\d+$/.test(part('m')) ? part('m') : String(monthNumber(part('m')))
  const year = part('y').length === 2 ? `20${part('y')}` : part('y')
  return month === '0' ? undefined : `${year}-${month.padStart(2, '0')}-${part('d').padStart(2, '0')}`
}

/** The number of a month such as `Nov`, `Sept` or `November`; 0 for other words such as `Market`. */
function monthNumber(name: string): number {
  return monthNames.findIndex((month) => month.startsWith(name.toLowerCase())) + 1
}

function firstOf<T, U>(items: readonly T[], find: (item: T) => U | undefined): U | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

const minutes = ':[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?'
const half = '\\s?[ap]\\.?m\\.?'
const clock = `(?:(?:[T ]|, )(?:(?:[01]\\d|2[0-3])${minutes}|\\d{1,2}${minutes}(?=${half}))(?:\\s?[a-z.]{1,4}){0,2}(?:\\s?[+-]\\d\\d:?\\d\\d)?)?`

const patternOf = memo({ most: 100, longest: 100 }, (format): { pattern: RegExp; order: readonly string[] } => {
  const escaped = format.toLowerCase().replace(/[^\w]/g, '\\$&')
  const body = escaped.replace(/y+|m+|d+/g, (token) => (token === 'yyyy' ? '(\\d{4})' : token.length > 2 ? '([a-z]{3,9})' : '(\\d{1,2})'))
  // In the ISO format, days are as strict as everywhere else; without marks between them, parts have their full length.
  const strict = format === 'yyyy-mm-dd' ? '(\\d{4})-(\\d\\d)-(\\d\\d)' : format === 'yyyymmdd' ? '(20\\d\\d)(\\d\\d)(\\d\\d)' : body
  const order = [...format.toLowerCase().matchAll(/y+|m+|d+/g)].map(([token]) => token.charAt(0))
  return { pattern: new RegExp(`^${strict}${clock}$`, 'i'), order }
})

const withinOf = memo({ most: 100, longest: 100 }, (format): RegExp => {
  const bare = patternOf(format).pattern.source.slice(1, -1 - clock.length)
  return new RegExp(`(?<![\\da-z])${bare}(?![\\da-z])`, 'i')
})
