/** Converts the cells of foreign files (dates, numbers, hosts and markers as other tools write them) to field values. */

import type { Incoming } from '../../../fields/incoming.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { type TableCell, textOf } from './cells.ts'
import { dayOf, momentOf } from './days.ts'

/** Converts a cell; text that cannot be converted is left for the field to refuse. Undefined for an empty cell, unless that was said to mean something. */
export function cellValue(name: string, field: Incoming, cell: TableCell, mapping: CsvMapping): unknown {
  if (cell instanceof Date) return field.type === 'time (UTC)' ? momentOf(textOf(cell), undefined) : textOf(cell)
  if (typeof cell === 'string') return textValue(name, field, cell, mapping)
  const isNumber = field.schema.type === 'integer' || field.schema.type === 'number'
  return isNumber && !(field.nullable && isMarker(name, String(cell), mapping))
    ? rounded(field, cell, mapping)
    : textValue(name, field, String(cell), mapping)
}

function textValue(name: string, field: Incoming, cell: string, mapping: CsvMapping): unknown {
  const isFree = field.schema.type === 'string' && field.type !== 'date' && field.type !== 'time (UTC)' && field.type !== 'domain'
  const text = isFree && !mapping.kind ? cell : cell.trim()
  const worded = wordOf(mapping.words?.[name], text)
  if (worded === '' && name === 'rank' && isMarker(name, '', mapping)) return null
  if (cell === '' && worded === '') return undefined
  if (field.nullable && (worded === 'null' || isMarker(name, worded.toLowerCase(), mapping))) return null
  return converted(field, name === 'rating' ? starsOf(worded) : worded, mapping)
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

/** `★★★★☆`, `4 stars`, `4/5` and `4 out of 5` are 4. */
function starsOf(text: string): string {
  if (/^[★⭐]{1,5}☆{0,4}$/u.test(text)) return String([...text].filter((each) => each !== '☆').length)
  return text.replace(/^(\d(?:[.,]\d+)?)(?: stars?| ?\/ ?5| out of 5(?: stars)?)$/i, '$1')
}

function converted(field: Incoming, text: string, mapping: CsvMapping): unknown {
  if (field.type === 'date') return isPlain(text, 10, mapping) ? text : dayOf(text, mapping.dateFormat)
  if (field.type === 'time (UTC)') return isPlain(text, 19, mapping) ? text : momentOf(text, mapping.dateFormat)
  if (field.type === 'domain') return stripped(hostOf(text), mapping)
  if (field.schema.type === 'integer' || field.schema.type === 'number') return numberOf(field, text, mapping)
  return field.cell(text)
}

/** A text with the length of the ISO form is left to the field, because most files have it. */
function isPlain(text: string, length: number, { dateFormat }: CsvMapping): boolean {
  return dateFormat === undefined && text.length === length && text.charCodeAt(4) === 45
}

/** Accepts `https://www.example.com/` and `sc-domain:example.com` as a domain. */
function hostOf(text: string): string {
  const bare = text.replace(/^sc-domain:/i, '')
  return /^https?:/i.test(bare) && URL.canParse(bare) ? new URL(bare).hostname : bare
}

function numberOf(field: Incoming, cell: string, mapping: CsvMapping): unknown {
  const text = stripped(cell, mapping)
  const isWhole = field.schema.type === 'integer'
  const plain = plainNumber(isWhole ? text.replace(/^#\s?(?=\d)/, '') : text, mapping.decimal, isWhole)
  const value = plain === undefined ? text : field.cell(plain)
  return typeof value === 'number' ? rounded(field, value, mapping) : value
}

function rounded(field: Incoming, value: number, { round }: CsvMapping): number {
  return round === true && field.isAveraged === true ? Math.round(value) : value
}

function stripped(text: string, { strip = [] }: CsvMapping): string {
  const begin = strip.find((each) => each !== '' && text.toLowerCase().startsWith(each))
  return begin === undefined ? text : text.slice(begin.length).trim()
}

/** Undefined for what could be read in two ways: 1.280 may be a thousand or one. */
function plainNumber(text: string, decimal: CsvMapping['decimal'], isWhole: boolean): string | undefined {
  if (decimal !== undefined) return numberWith(decimal, text)
  return isWhole && /^-?[1-9]\d{0,2}(?:\.\d{3})+$/.test(text) ? undefined : text
}

/** Undefined if the other separator does not group thousands: 0.350 is not 350, and 0.35 contradicts a decimal comma. */
function numberWith(decimal: '.' | ',', text: string): string | undefined {
  const groups = decimal === ',' ? /^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/ : /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/
  const other = decimal === ',' ? '.' : ','
  const bare = groups.test(text) ? text.replaceAll(other, '') : text
  if (bare.includes(other)) return undefined
  return decimal === ',' ? bare.replace(/^(-?\d+),(\d+)(e[+-]?\d+)?$/i, '$1.$2$3') : bare
}
