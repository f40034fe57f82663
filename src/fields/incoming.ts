/** The kinds of values in measured records: how each is read from JSON or a CSV cell, described, and refused. */

import { readDomain } from '../lib/domains.ts'
import { momentText, secondsOfDay, secondsOfMoment } from '../lib/time/moments.ts'
import { hasForbiddenCharacters } from '../lib/xml/xml.ts'

export type ValueErrorCode =
  | 'blank'
  | 'null'
  | 'not_text'
  | 'not_an_integer'
  | 'not_a_number'
  | 'not_a_date'
  | 'not_a_time'
  | 'not_a_url'
  | 'not_a_domain'
  | 'out_of_range'
  | 'too_long'
  | 'control_character'
  | 'not_one_line'
  | 'not_a_word'
  | 'not_one_of'

export interface ValueError {
  readonly code: ValueErrorCode
  readonly min?: number
  readonly max?: number
  /** The position of a forbidden character, counted from 1. */
  readonly position?: number
  /** The words that are allowed. */
  readonly detail?: string
}

export type Value = string | number | null

export interface IncomingOptions {
  readonly required?: true
  /** Whether null is allowed; it means that the value was looked for and there is none. */
  readonly nullable?: true
  /** The meaning of an absent field in a new record. */
  readonly initially?: string
  /** Whether tools give averages of it, which may be rounded. */
  readonly isAveraged?: true
  /** Files of any kind have a column of this name, so it does not tell that a file is meant for this one. */
  readonly isCommon?: true
}

export interface Incoming extends IncomingOptions {
  readonly type: string
  readonly note: string
  readonly example: Value
  readonly schema: Readonly<Record<string, unknown>>
  read(value: unknown): Value | ValueError
  /** Converts a CSV cell to a value; text that cannot be converted is left for `read` to refuse. */
  cell(text: string): unknown
}

type Maker = (note: string, example: Value, options?: IncomingOptions) => Incoming

const maxUrl = 2048
const maxInteger = 2_147_483_647

export function text(max: number): Maker {
  return make(`text, at most ${max} characters`, { type: 'string', maxLength: max }, (value) => readText(value, max), String)
}

/** A name that may not be blank: an engine, a source, a locale. */
export function label(max: number): Maker {
  const schema = { type: 'string', minLength: 1, maxLength: max }
  return make(`text, 1 to ${max} characters`, schema, (value) => filled(readText(value, max)), String)
}

/** A label without the white space around it. */
export function trimmed(max: number): Maker {
  const schema = { type: 'string', minLength: 1, maxLength: max }
  return make(`text, 1 to ${max} characters`, schema, (value) => filled(readText(trim(value), max)), String)
}

/** A text on one line, without the white space around it. */
export function line(min: 0 | 1, max: number): Maker {
  const read = (value: unknown) => (min === 0 ? readLine(trim(value), max) : filled(readLine(trim(value), max)))
  return make(`one line, ${min} to ${max} characters`, { type: 'string', minLength: min, maxLength: max }, read, String)
}

/** A word that may be absent. Of the known words, the spelling in lower case is kept. */
export function word(max: number, ...known: readonly string[]): Maker {
  const schema = { type: 'string', maxLength: max, pattern: '^[^\\s,()]*$' }
  const type = `a word of at most ${max} characters, without comma and parenthesis`
  return make(type, schema, (value) => readWord(trim(value), max, known), String)
}

export function oneOf(...words: readonly string[]): Maker {
  const detail = words.join(', ')
  const read = (value: unknown) => words.find((word) => word === value) ?? ({ code: 'not_one_of', detail } as const)
  return make(`one of ${detail}`, { type: 'string', enum: words }, read, String)
}

/** Short labels separated by commas; they are sorted and duplicates removed. */
export function labels(max: number, maxEach: number): Maker {
  const schema = { type: 'string', maxLength: max }
  return make(`labels separated by commas, each at most ${maxEach} characters`, schema, (value) => readLabels(value, max, maxEach), String)
}

export function wholeNumber(min = 0, max = maxInteger): Maker {
  const schema = { type: 'integer', minimum: min, maximum: max }
  return make(`integer, ${min} to ${max}`, schema, (value) => readWhole(value, min, max), numberCell)
}

export function decimal(min: number, max: number): Maker {
  const schema = { type: 'number', minimum: min, maximum: max }
  return make(`number, ${min} to ${max}`, schema, (value) => readDecimal(value, min, max), numberCell)
}

export const day = make('date', { type: 'string', format: 'date' }, readDay, String)
export const incomingMoment = make('time (UTC)', { type: 'string' }, readMoment, String)
export const time = make('time (UTC)', { type: 'string' }, readTime, String)
/** A URL that may be empty, because erasing a person leaves an empty address. */
export const urlOrEmpty = make(
  'URL, or empty',
  { type: 'string', format: 'uri-reference', maxLength: maxUrl },
  (value) => (value === '' ? '' : readUrl(value)),
  String,
)
export const url = make('URL', { type: 'string', format: 'uri', maxLength: maxUrl }, readUrl, String)
export const domain = make('domain', { type: 'string', format: 'hostname' }, readHost, String)

export function isValueError(value: Value | ValueError): value is ValueError {
  return typeof value === 'object' && value !== null
}

function make(type: string, schema: Incoming['schema'], read: Incoming['read'], cell: Incoming['cell']): Maker {
  return (note, example, options) => ({ type, note, example, schema, read, cell, ...options })
}

function readText(value: unknown, max: number): string | ValueError {
  if (typeof value !== 'string') return { code: 'not_text' }
  if (hasForbiddenCharacters(value)) return { code: 'control_character', position: forbiddenPosition(value) }
  return value.length > max && [...value].length > max ? { code: 'too_long', max } : value
}

function readLine(value: unknown, max: number): string | ValueError {
  const given = readText(value, max)
  return typeof given === 'string' && /[\n\r\t\u0085\u2028\u2029]/.test(given) ? { code: 'not_one_line' } : given
}

function readWord(value: unknown, max: number, known: readonly string[]): string | ValueError {
  const given = readText(value, max)
  if (typeof given !== 'string') return given
  return /[\s,()]/.test(given) ? { code: 'not_a_word' } : (known.find((one) => one === given.toLowerCase()) ?? given)
}

function readLabels(value: unknown, max: number, maxEach: number): Value | ValueError {
  const given = readText(value, max)
  if (typeof given !== 'string') return given
  const each = given.split(',').map((one) => one.trim().replace(/\s+/g, ' '))
  if (each.some((one) => [...one].length > maxEach)) return { code: 'too_long', max: maxEach }
  return (
    [...new Set(each)]
      .filter((one) => one !== '')
      .sort()
      .join(',') || null
  )
}

function forbiddenPosition(value: string): number {
  return [...value].findIndex(hasForbiddenCharacters) + 1
}

function filled(value: string | ValueError): string | ValueError {
  return typeof value === 'string' && value.trim() === '' ? { code: 'blank' } : value
}

function trim(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}

function readWhole(value: unknown, min: number, max: number): number | ValueError {
  if (!Number.isInteger(value)) return { code: 'not_an_integer' }
  const number = (value as number) + 0
  return number < min || number > max ? { code: 'out_of_range', min, max } : number
}

function readDecimal(value: unknown, min: number, max: number): number | ValueError {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { code: 'not_a_number' }
  return value < min || value > max ? { code: 'out_of_range', min, max } : value
}

function readDay(value: unknown): string | ValueError {
  return typeof value === 'string' && secondsOfDay(value) !== undefined ? value : { code: 'not_a_date' }
}

/** Reads a time as seconds since 1970, as packed months store it. */
function readMoment(value: unknown): number | ValueError {
  const seconds = typeof value === 'string' ? secondsOfMoment(value) : undefined
  return seconds ?? { code: 'not_a_time' }
}

function readTime(value: unknown): string | ValueError {
  const seconds = readMoment(value)
  return typeof seconds === 'number' ? momentText(seconds) : seconds
}

function readUrl(value: unknown): string | ValueError {
  const given = readText(value, maxUrl)
  if (typeof given !== 'string') return given
  return /^https?:\/\/[^\s/]/i.test(given) && !/\s/.test(given) && URL.canParse(given) ? given : { code: 'not_a_url' }
}

function readHost(value: unknown): string | ValueError {
  return (typeof value === 'string' ? readDomain(value) : undefined) ?? { code: 'not_a_domain' }
}

function numberCell(cell: string): unknown {
  const number = /^-?\d{1,40}(\.\d+)?(e[+-]?\d{1,3})?$/i.test(cell.trim()) ? Number(cell) : Number.NaN
  // 1E-400 would become 0, and 1E400 would become infinite; both are left as text to be refused.
  const isLost = !Number.isFinite(number) || (number === 0 && /^[^e]*[1-9]/i.test(cell))
  return isLost ? cell : number
}
