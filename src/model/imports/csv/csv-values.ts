/** Converts the cells of foreign CSV files (dates, numbers, hosts and markers as other tools write them) to field values. */

import type { Incoming } from '../../../fields/incoming.ts'
import { memo } from '../../../lib/memo.ts'
import { secondsOfDay, secondsOfMoment } from '../../../lib/time/moments.ts'
import type { CsvMapping } from '../../../resources/import-preset.ts'

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

/** Converts a cell; text that cannot be converted is left for the field to refuse. */
export function cellValue(name: string, field: Incoming, cell: string, mapping: CsvMapping): unknown {
  const isFree = field.schema.type === 'string' && field.type !== 'date' && field.type !== 'time (UTC)' && field.type !== 'domain'
  const text = isFree && !mapping.kind ? cell : cell.trim()
  const worded = wordOf(mapping.words?.[name], text)
  if (field.nullable && (worded === 'null' || isMarker(name, worded.toLowerCase(), mapping))) return null
  return converted(field, worded, mapping)
}

/** The meaning of a word of the tool; `hasOwn` keeps `constructor` from being found. */
function wordOf(words: Readonly<Record<string, string>> | undefined, text: string): string {
  const word = text.toLowerCase()
  return words !== undefined && Object.hasOwn(words, word) ? (words[word] as string) : text
}

/** Whether the text means "not found". In search_volume a 0 is a number even if 0 means "not found" elsewhere. */
function isMarker(name: string, text: string, { notFound = [] }: CsvMapping): boolean {
  return notFound.includes(text) && (name !== 'search_volume' || !/^\d/.test(text))
}

/** Parses a day, or returns undefined: `14.11.2026` by `dd.mm.yyyy`, with or without a time after it. */
export function readDay(text: string, format = 'yyyy-mm-dd'): string | undefined {
  const order = [...format.toLowerCase().matchAll(/y+|m+|d+/g)].map(([token]) => token)
  const found = patternOf(format).exec(text.trim())
  if (found === null) return undefined
  const part = (letter: string) => found[order.findIndex((token) => token.startsWith(letter)) + 1] ?? ''
  const month = /^\d+$/.test(part('m')) ? part('m') : String(monthNumber(part('m')))
  const year = part('y').length === 2 ? `20${part('y')}` : part('y')
  return `${year}-${month.padStart(2, '0')}-${part('d').padStart(2, '0')}`
}

/** The number of a month such as `Nov`, `Sept` or `November`; 0 for other words such as `Market`. */
function monthNumber(name: string): number {
  return monthNames.findIndex((month) => month.startsWith(name.toLowerCase())) + 1
}

/** Whether the format names a year, a month and a day once each. */
export function isDateFormat(format: string): boolean {
  const letters = [...format.toLowerCase().matchAll(/y+|m+|d+/g)].map(([token]) => token[0]).sort()
  return letters.join('') === 'dmy'
}

function converted(field: Incoming, text: string, mapping: CsvMapping): unknown {
  if (field.type === 'date') return isPlain(text, 10, mapping) ? text : dayOf(text, mapping.dateFormat)
  if (field.type === 'time (UTC)') return isPlain(text, 19, mapping) ? text : momentOf(text, mapping.dateFormat)
  if (field.type === 'domain') return mapping.kind ? hostOf(text) : text
  if (field.schema.type === 'integer' || field.schema.type === 'number') return numberOf(field, text, mapping)
  return field.cell(text)
}

/** A text with the length of the ISO form is left to the field, because most files have it. */
function isPlain(text: string, length: number, { dateFormat }: CsvMapping): boolean {
  return dateFormat === undefined && text.length === length
}

/** A text that is not a real day is left unchanged, so that the error shows what is in the file. */
function dayOf(text: string, format: string | undefined): string {
  const day = readDay(text, format)
  return day === undefined || secondsOfDay(day) === undefined ? text : day
}

/** A day without a time means its start. */
function momentOf(text: string, format: string | undefined): string {
  const day = readDay(text, format)
  const moment = day === undefined ? text : `${day} ${clockOf(text)}`
  return secondsOfMoment(moment) === undefined ? text : moment
}

function clockOf(text: string): string {
  const [, clock = '00:00', seconds = ':00', rest = ''] = /[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?\s?(.*)$/.exec(text.trim()) ?? []
  return `${clock}${seconds}${rest}`
}

/** Accepts `https://www.example.com/` and `sc-domain:example.com` as a domain. */
function hostOf(text: string): string {
  const bare = text.replace(/^sc-domain:/i, '')
  return URL.canParse(bare) && /^https?:/i.test(bare) ? new URL(bare).hostname : bare
}

function numberOf(field: Incoming, text: string, { decimal, round }: CsvMapping): unknown {
  const plain = decimal === undefined ? text : plainNumber(text, decimal)
  const value = plain === undefined ? text : field.cell(plain)
  const isAverage = round === true && typeof value === 'number' && field.schema.type === 'integer' && !Number.isInteger(value)
  return isAverage ? Math.round(value as number) : value
}

/** Undefined if the other separator does not group thousands: 0.350 is not 350, and 0.35 contradicts a decimal comma. */
function plainNumber(text: string, decimal: '.' | ','): string | undefined {
  const groups = decimal === ',' ? /^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/ : /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/
  const other = decimal === ',' ? '.' : ','
  const bare = groups.test(text) ? text.replaceAll(other, '') : text
  if (bare.includes(other)) return undefined
  return decimal === ',' ? bare.replace(/^(-?\d+),(\d+)(e[+-]?\d+)?$/i, '$1.$2$3') : bare
}

const clock = '(?:[T ](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:\\s?[a-z]{1,4}){0,2}(?:\\s?[+-]\\d\\d:?\\d\\d)?)?'

const patternOf = memo({ most: 100, longest: 100 }, (format): RegExp => {
  const escaped = format.toLowerCase().replace(/[^\w]/g, '\\$&')
  const body = escaped.replace(/y+|m+|d+/g, (token) => (token === 'yyyy' ? '(\\d{4})' : token.length > 2 ? '([a-z]{3,9})' : '(\\d{1,2})'))
  // In the ISO format, days are as strict as everywhere else.
  const strict = format === 'yyyy-mm-dd' ? '(\\d{4})-(\\d\\d)-(\\d\\d)' : body
  return new RegExp(`^${strict}${clock}$`, 'i')
})
