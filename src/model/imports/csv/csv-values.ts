/** Cells of foreign CSV files as the values that fields take: dates, numbers, hosts and markers as other tools write them. */

import type { Incoming } from '../../../fields/incoming.ts'
import { memo } from '../../../lib/memo.ts'
import type { CsvMapping } from '../../../resources/import-preset.ts'

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The value of a cell; what cannot be converted stays text, for the field to refuse. */
export function cellValue(name: string, field: Incoming, cell: string, mapping: CsvMapping): unknown {
  const isFree = field.schema.type === 'string' && field.type !== 'date' && field.type !== 'time (UTC)' && field.type !== 'domain'
  const text = isFree && !mapping.kind ? cell : cell.trim()
  const worded = mapping.words?.[name]?.[text.toLowerCase()] ?? text
  if (field.nullable && (worded === 'null' || isMarker(name, worded.toLowerCase(), mapping))) return null
  return converted(field, worded, mapping)
}

/** Where 0 says that a phrase was not found, 0 searches are still none. */
function isMarker(name: string, text: string, { notFound = [] }: CsvMapping): boolean {
  return notFound.includes(text) && (name !== 'search_volume' || !/^\d/.test(text))
}

/** The day that a text means, or undefined: `14.11.2026` by `dd.mm.yyyy`, with a time after it or without. */
export function readDay(text: string, format = 'yyyy-mm-dd'): string | undefined {
  const order = [...format.toLowerCase().matchAll(/y+|m+|d+/g)].map(([token]) => token)
  const found = patternOf(format).exec(text.trim())
  if (found === null) return undefined
  const part = (letter: string) => found[order.findIndex((token) => token.startsWith(letter)) + 1] ?? ''
  const month = /^\d+$/.test(part('m')) ? part('m') : String(monthNames.indexOf(part('m').slice(0, 3).toLowerCase()) + 1)
  const year = part('y').length === 2 ? `20${part('y')}` : part('y')
  return `${year}-${month.padStart(2, '0')}-${part('d').padStart(2, '0')}`
}

/** Whether the format names a year, a month and a day once each. */
export function isDateFormat(format: string): boolean {
  const letters = [...format.toLowerCase().matchAll(/y+|m+|d+/g)].map(([token]) => token[0]).sort()
  return letters.join('') === 'dmy'
}

function converted(field: Incoming, text: string, mapping: CsvMapping): unknown {
  if (field.type === 'date') return isPlain(text, 10, mapping) ? text : (readDay(text, mapping.dateFormat) ?? text)
  if (field.type === 'time (UTC)') return isPlain(text, 19, mapping) ? text : momentOf(text, mapping.dateFormat)
  if (field.type === 'domain') return mapping.kind ? hostOf(text) : text
  if (field.schema.type === 'integer' || field.schema.type === 'number') return numberOf(field, text, mapping)
  return field.cell(text)
}

/** What has the length of the plain form is left to the field: most files have it. */
function isPlain(text: string, length: number, { dateFormat }: CsvMapping): boolean {
  return dateFormat === undefined && text.length === length
}

/** A day alone is its first moment. */
function momentOf(text: string, format: string | undefined): string {
  const day = readDay(text, format)
  if (day === undefined) return text
  const [, clock = '00:00', seconds = ':00', rest = ''] = /[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?\s?(.*)$/.exec(text.trim()) ?? []
  return `${day} ${clock}${seconds}${rest}`
}

/** `https://www.example.com/` and `sc-domain:example.com` name a domain, too. */
function hostOf(text: string): string {
  const bare = text.replace(/^sc-domain:/i, '')
  return URL.canParse(bare) && /^https?:/i.test(bare) ? new URL(bare).hostname : bare
}

function numberOf(field: Incoming, text: string, { decimal, round }: CsvMapping): unknown {
  const value = field.cell(decimal === undefined ? text : plainNumber(text, decimal))
  const isAverage = round === true && typeof value === 'number' && field.schema.type === 'integer' && !Number.isInteger(value)
  return isAverage ? Math.round(value as number) : value
}

function plainNumber(text: string, decimal: '.' | ','): string {
  const groups = decimal === ',' ? /^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/ : /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
  const bare = groups.test(text) ? text.replaceAll(decimal === ',' ? '.' : ',', '') : text
  return decimal === ',' ? bare.replace(/^(-?\d+),(\d+)$/, '$1.$2') : bare
}

const patternOf = memo({ most: 100, longest: 100 }, (format): RegExp => {
  const escaped = format.toLowerCase().replace(/[^\w]/g, '\\$&')
  const body = escaped.replace(/y+|m+|d+/g, (token) => (token === 'yyyy' ? '(\\d{4})' : token.length > 2 ? '([a-z]{3,9})' : '(\\d{1,2})'))
  // In the plain format days are as strict as everywhere else.
  const strict = format === 'yyyy-mm-dd' ? '(\\d{4})-(\\d\\d)-(\\d\\d)' : body
  const pattern = new RegExp(`^${strict}(?:[T ]\\d\\d:.*)?$`, 'i')
  return pattern
})
