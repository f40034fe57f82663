/**
 * Kinds of values that arrive as text (in a path, a query, a command or a setting): how each is parsed and described. The door that parses a value words the
 * refusal itself.
 */

import { isDay } from './time/days.ts'
import { hasForbiddenCharacters } from './xml/xml.ts'

export interface TextKind<T> {
  /** The words after "must be": `an id`. */
  readonly says: string
  readonly schema: Readonly<Record<string, unknown>>
  /** Whether its values say nothing of a person: ids, dates and flags. */
  readonly isPlain?: true
  /** The value, or undefined when the text is not of this kind. */
  read(text: string): T | undefined
}

const yes = ['', '1', 'true', 'yes', 'on']
const no = ['0', 'false', 'no', 'off']

const text: TextKind<string> = { says: 'text', schema: { type: 'string' }, read: (given) => given }

/** A text without the white space around it, and without characters that XML cannot represent. */
function shortText(most: number): TextKind<string> {
  return {
    says: `text of 1 to ${most} characters`,
    schema: { type: 'string', minLength: 1, maxLength: most },
    read(given) {
      const trimmed = given.trim()
      const isGood = trimmed !== '' && [...trimmed].length <= most && !hasForbiddenCharacters(trimmed)
      return isGood ? trimmed : undefined
    },
  }
}

/** One line without control characters; what would end the line, also where Unicode says so, is refused. */
function line(most: number): TextKind<string> {
  return {
    says: `one line of at most ${most} characters, without control characters`,
    schema: { type: 'string', maxLength: most },
    read: (given) => ([...given].length <= most && !/[\p{Cc}\u2028\u2029]/u.test(given) ? given : undefined),
  }
}

/** Ids are positive integers below 2^53. */
const id: TextKind<number> = {
  says: 'an id: a whole number from 1',
  isPlain: true,
  schema: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  read: (given) => (/^[1-9]\d{0,15}$/.test(given) && Number.isSafeInteger(Number(given)) ? Number(given) : undefined),
}

const day: TextKind<string> = {
  says: 'a date such as 2026-11-14',
  isPlain: true,
  schema: { type: 'string', format: 'date' },
  read: (given) => (isDay(given) ? given : undefined),
}

/** A flag is set when it is empty or a word for yes. */
const flag: TextKind<boolean> = {
  says: 'one of 1, true, yes, on, 0, false, no, off, or empty',
  isPlain: true,
  schema: { type: 'string', enum: [...yes, ...no] },
  read: (given) => (yes.includes(given.toLowerCase()) ? true : no.includes(given.toLowerCase()) ? false : undefined),
}

/** Removes duplicates and keeps the order; the limit is checked before duplicates are removed. */
function idList(most: number): TextKind<readonly number[]> {
  return {
    says: `an id, or ids separated by commas and not more than ${most}`,
    isPlain: true,
    schema: { type: 'string', pattern: '^[1-9][0-9]*(,[1-9][0-9]*)*$' },
    read(given) {
      const ids = given.split(',', most + 1).map((part) => id.read(part.trim()))
      const isGood = ids.length <= most && ids.every((one) => one !== undefined)
      return isGood ? [...new Set(ids)].sort((a, b) => a - b) : undefined
    },
  }
}

function wholeNumber(least: number, most: number, says = `a whole number from ${least} to ${most}`): TextKind<number> {
  return {
    says,
    schema: { type: 'integer', minimum: least, maximum: most },
    read(given) {
      const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
  }
}

function oneOf<W extends string>(...words: readonly W[]): TextKind<W> {
  return {
    says: `one of ${words.join(', ')}`,
    schema: { type: 'string', enum: words },
    read: (given) => words.find((word) => word === given),
  }
}

export const textKinds = { text, shortText, line, id, day, flag, idList, wholeNumber, oneOf }

/** The id in a path or form. Any other text becomes 0, which no record has, so that it is not found when its turn comes. */
export function idIn(text: string | undefined): number {
  return id.read(text ?? '') ?? 0
}
