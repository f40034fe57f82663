/** Formats numbers, days and changes in words, for the locale of the reader. */

import { memo, memoUntilFull } from '../../lib/memo.ts'
import { dayNumber } from '../../lib/time/days.ts'
import type { LoggedIn } from '../../model/people/sessions.ts'

export interface Words {
  readonly locale: string
  whole(value: number): string
  decimal(value: number): string
  /** With a tenth where it is no whole number. */
  value(value: number): string
  /** For values where a tenth is too coarse, such as a rating that falls a little. */
  hundredths(value: number): string
  seconds(value: number): string
  percent(share: number): string
  day(day: string): string
  shortDay(day: string): string
  month(day: string): string
  span(from: string, to: string): string
  moment(at: string): string
  /** Text such as `1 review`, `4 reviews`. */
  count(value: number, one: string, many?: string): string
}

/** A change: the arrow is the direction of the number, and upwards where places were gained; the tone says whether that is good, and the words say both. */
export interface Change {
  readonly arrow: 'up' | 'down' | 'same'
  readonly tone: 'better' | 'worse' | 'same'
  /** The size beside the arrow: `4`. */
  readonly short: string
  /** The change as a phrase: `up 4 places`. */
  readonly words: string
}

/** The pages are in English; digits, separators and dates follow the region that the person has chosen, or that of the browser. */
export function wordsFor(acceptLanguage: string | undefined, timeZone: string, chosen: LoggedIn['written'] | undefined = undefined): Words {
  const locale = chosen?.region ? `en-${chosen.region}` : englishOf(acceptLanguage)
  return wordsIn(`${locale} ${chosen?.timeZone ?? timeZone}`)
}

const wordsIn = memo({ most: 200, longest: 100 }, (name): Words => {
  const [locale = '', timeZone = ''] = name.split(' ')
  return makeWords(locale, timeZone)
})

/** For positions, less is better. */
export function positionChange(words: Words, now: number | null, before: number | null): Change | null {
  return upIsBetter(changeOf(now, before, 'less is better', words.decimal, (size, isMore) => `${size} places ${isMore ? 'down' : 'up'}`))
}

export function placesChange(words: Words, now: number | null, before: number | null): Change | null {
  const say = (size: string, isMore: boolean) => `${isMore ? 'down' : 'up'} ${size} ${size === '1' ? 'place' : 'places'}`
  return upIsBetter(changeOf(now, before, 'less is better', words.whole, say))
}

/** Places are gained upwards, although their numbers fall. */
function upIsBetter(change: Change | null): Change | null {
  if (change === null || change.tone === 'same') return change
  return { ...change, arrow: change.tone === 'better' ? 'up' : 'down' }
}

export function amountChange(words: Words, now: number | null, before: number | null, more: 'better' | 'worse' = 'better'): Change | null {
  const meaning = more === 'better' ? 'more is better' : 'less is better'
  return changeOf(now, before, meaning, words.whole, (size, isMore) => `${size} ${isMore ? 'more' : 'fewer'}`)
}

/** For a number of any kind, with a tenth where it is no whole one. */
export function valueChange(words: Words, now: number | null, before: number | null, more: 'better' | 'worse'): Change | null {
  const meaning = more === 'better' ? 'more is better' : 'less is better'
  return changeOf(now, before, meaning, words.value, (size, isMore) => `${size} ${isMore ? 'more' : 'less'}`)
}

export function ratingChange(words: Words, now: number | null, before: number | null): Change | null {
  return changeOf(now, before, 'more is better', words.decimal, (size, isMore) => `${isMore ? 'up' : 'down'} ${size}`)
}

/** For a score from 0 to 100. */
export function pointsChange(words: Words, now: number | null, before: number | null): Change | null {
  const say = (size: string, isMore: boolean) => `${isMore ? 'up' : 'down'} ${size} points`
  return changeOf(now, before, 'more is better', words.decimal, say)
}

/** For a share of something bad. */
export function shareChange(words: Words, now: number | null, before: number | null): Change | null {
  const say = (size: string, isMore: boolean) => `${size} ${size === '1' ? 'point' : 'points'} ${isMore ? 'more' : 'less'}`
  return changeOf(now, before, 'less is better', (share) => words.whole(Math.round(share * 100)), say)
}

/** Computes the difference from the exact figures and rounds afterwards. */
function changeOf(
  now: number | null,
  before: number | null,
  meaning: 'more is better' | 'less is better',
  round: (size: number) => string,
  say: (size: string, isMore: boolean) => string,
): Change | null {
  if (now === null || before === null) return null
  const [short, isMore] = [round(Math.abs(now - before)), now > before]
  if (short === round(0)) return { arrow: 'same', tone: 'same', short: '=', words: 'unchanged' }
  const isBetter = isMore === (meaning === 'more is better')
  return { arrow: isMore ? 'up' : 'down', tone: isBetter ? 'better' : 'worse', short, words: say(short, isMore) }
}

const fallbackLocale = 'en-GB'

function englishOf(acceptLanguage: string | undefined): string {
  const first = acceptLanguage?.split(',')[0]?.split(';')[0]?.trim() ?? ''
  const region = regionOf(first) ?? regionWithin(first)
  return region ? `en-${region}` : fallbackLocale
}

function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().region
  } catch {
    // Browsers also send invalid tags: `ja-JP-JP`, `no-NO-NY`, `zh-CN-Hans`.
    return undefined
  }
}

/** The region of a tag whose parts are not in the standard order, such as `zh-CN-Hans`. */
function regionWithin(tag: string): string | undefined {
  const [, language = '', region = ''] = /^([A-Za-z]{2,3})-([A-Za-z]{2})(?:-|$)/.exec(tag) ?? []
  return language === '' ? undefined : regionOf(`${language}-${region}`)
}

function makeWords(locale: string, timeZone: string): Words {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const tenths = decimalFormat(locale, 1)
  const hundredths = decimalFormat(locale, 2)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const day = dayFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
  const shortDay = dayFormat(locale, { day: 'numeric', month: 'short' })
  const month = dayFormat(locale, { month: 'short', year: 'numeric' })
  const range = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  // Cached, because a page names its period several times, and formatting a range takes longer than all its figures.
  const span = memoUntilFull(1_000, (ends: string) => range.formatRange(Date.parse(ends.slice(0, 10)), Date.parse(ends.slice(11))))
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return {
    locale,
    whole: (value) => (Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : whole.format(value)),
    decimal: tenths,
    value: (value) => (Number.isInteger(value) ? whole.format(value) : tenths(value)),
    hundredths,
    seconds: (value) => `${hundredths(value)} s`,
    percent: (value) => percent.format(value),
    day,
    shortDay,
    month,
    span: (from, to) => span(`${from} ${to}`),
    moment: (at) => moment.format(Date.parse(at)),
    count: (value, one, many = `${one}s`) => `${whole.format(value)} ${value === 1 ? one : many}`,
  }
}

/** Caches formatted numbers, because a chart's table prints thousands that round to few texts; values on the edge between two are left to the formatter. */
function decimalFormat(locale: string, digits: number): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const scale = 10 ** digits
  const said = memoUntilFull(10_000, (rounded: number) => format.format(rounded / scale))
  return (value) => {
    const rounded = Math.round(value * scale)
    return value >= 0 && Math.abs(value * scale - rounded) < 0.499 ? said(rounded) : format.format(value)
  }
}

/** Cached, because a page prints the same few hundred days many times. */
function dayFormat(locale: string, options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  return memoUntilFull(5_000, (day: string) => format.format(dayNumber(day) * 86_400_000))
}
