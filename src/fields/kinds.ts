/** The kinds of values a field can have: the XML type of each, how it is written as text, and how it is described. */

import { offsetTime, utcTimestamp } from '../lib/time/moments.ts'

export type KindName = 'integer' | 'float' | 'boolean' | 'string' | 'date' | 'datetime' | 'timestamp' | 'moment'

interface KindRules {
  /** The XML `type` attribute; strings and times written as strings have none. */
  readonly xmlType: string | null
  /** Whether the text can hold characters that need escaping. */
  readonly isFreeText: boolean
  /** Whether JSON writes it without quotes. */
  readonly isBareInJson: boolean
  readonly write: (value: never) => string
  readonly schema: Readonly<Record<string, unknown>>
}

// biome-ignore format: a table reads by its columns
export const kinds = {
  integer:   { xmlType: 'integer',  isFreeText: false, isBareInJson: true,  write: String,       schema: { type: 'integer' } },
  float:     { xmlType: 'float',    isFreeText: false, isBareInJson: true,  write: writeFloat,   schema: { type: 'number' } },
  boolean:   { xmlType: 'boolean',  isFreeText: false, isBareInJson: true,  write: writeBoolean, schema: { type: 'boolean' } },
  string:    { xmlType: null,       isFreeText: true,  isBareInJson: false, write: String,       schema: { type: 'string' } },
  date:      { xmlType: 'date',     isFreeText: false, isBareInJson: false, write: String,       schema: { type: 'string', format: 'date' } },
  datetime:  { xmlType: 'datetime', isFreeText: false, isBareInJson: false, write: offsetTime,   schema: { type: 'string', format: 'date-time' } },
  timestamp: { xmlType: null,       isFreeText: false, isBareInJson: false, write: utcTimestamp, schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2} UTC$' } },
  moment:    { xmlType: null,       isFreeText: false, isBareInJson: false, write: String,       schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' } },
} as const satisfies Record<KindName, KindRules>

/** The type of each kind in our code. Booleans are stored as 0 and 1, so both forms are accepted. */
export interface ValueOf {
  integer: number
  float: number
  boolean: boolean | 0 | 1
  string: string
  date: string
  datetime: string
  timestamp: string
  moment: string
}

/** The shortest decimal that reads back the same, always with a fraction; exponents are written as in Ruby, because old clients compare text. */
function writeFloat(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('a float must be finite')
  const size = Math.abs(value)
  return size !== 0 && (size < 1e-4 || size >= 1e15) ? exponent(value) : plain(value)
}

function plain(value: number): string {
  return Number.isInteger(value) ? `${value === 0 ? 0 : value}.0` : String(value)
}

function exponent(value: number): string {
  const [digits = '0', power = '+0'] = value.toExponential().split('e')
  const sign = power.startsWith('-') ? '-' : '+'
  return `${digits.includes('.') ? digits : `${digits}.0`}e${sign}${power.slice(1).padStart(2, '0')}`
}

function writeBoolean(value: boolean | 0 | 1): string {
  return value ? 'true' : 'false'
}
