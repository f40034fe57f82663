/** Everything that can be wrong with an imported line: each code with its sentence. */

import type { Incoming, ValueError } from '../../fields/incoming.ts'
import { observationKinds, observations } from '../observation.ts'

// biome-ignore format: a table reads by its columns
export const importErrors = {
  blank:             'must be given',
  null:              'may not be null: leave out what was not measured',
  not_text:          'must be text',
  not_an_integer:    'must be an integer',
  not_a_number:      'must be a number',
  not_a_date:        'must be a real date between 1970-01-01 and 2105-12-31, written YYYY-MM-DD',
  not_a_time:        'must be a real time between 1970 and 2105, written YYYY-MM-DD HH:MM:SS',
  not_a_url:         'must be an address starting with http:// or https://',
  not_a_domain:      'must be a domain name such as example.com',
  before_start:      'must not be before start_date',
  out_of_range:      'must be between {min} and {max}',
  too_long:          'is too long (at most {max} characters)',
  control_character: 'has a forbidden control character at position {position}',
  not_one_line:      'must be on one line',
  not_a_word:        'must be a single word, without blank, comma and parenthesis',
  not_one_of:        'must be one of {detail}',
  unheld:            'has the character {detail}, which the database cannot hold',
  unknown_field:     'is not a field of this kind of record',
  unknown_type:      `must name a kind of record: ${observationKinds.slice(0, -1).join(', ')} or ${observationKinds.at(-1)}`,
  unknown:           'does not exist within reach of this import',
  ambiguous:         'matches more than one within reach of this import: name the account',
  too_many:          'is one too many: there can be {max}',
  not_read:          'was not read, nor any after it: more than {max} records, and more than half of them, had been refused; nothing was stored',
  none_good:         'was not read, nor any after it: each of the first {max} lines or more had a fault; nothing was stored',
  too_many_faults:   'was not read, nor any after it: {max} lines or more had a fault; nothing was stored',
  not_json:          'is not a JSON object on one line',
  not_json_array:    'is not a JSON array of records',
  not_utf8:          'is not UTF-8 text: say --encoding windows-1252 where an older program wrote it',
  already_utf8:      'is UTF-8 text: leave out --encoding',
  not_utf16:         'is not UTF-16 text, although it begins as such: it is cut off or damaged',
  binary:            'is no text, because it holds NUL bytes: save the data as CSV (UTF-8), and import that',
  line_too_long:     'is longer than {max} bytes',
  not_csv:           'is not a CSV line: {detail}',
  cells:             'has another number of cells than the header: {detail}',
  columns:           'the header names no kind of record: {detail}; see `marquee import --template`',
  doubled_key:       'has the key of another line and other figures: say --last-wins if the later one is meant',
  not_a_country:     'is no country: write US, usa or United States',
  several_countries: 'is told for all rows, and the file names several countries: leave out --set locale',
  empty:             'holds no record: say --allow-empty where that is meant',
  archive:           'is a zip archive that is damaged, or of a kind that is not read here: unpack it, and import the files that are in it',
  archive_within:    'is a zip archive within a zip archive: unpack the outer one, and import the files that are in it',
  packed_files:      'is a zip archive of more than 2,000 files: import them in several archives',
  locked:            'is protected with a password: unpack it, and import the files that are in it',
  unsafe_name:       'is a zip archive with a file outside of its own folder, and is not read for that',
  broken_workbook:   'is a workbook that cannot be read: {detail}',
  sheets:            'has several sheets: {detail}',
  packed:            'is compressed in a way that is not read here: unpack it, or compress it with gzip',
  workbook:          'is a workbook of an older or other kind: save it as .xlsx, or the sheet as CSV (UTF-8), and import that',
  pdf:               'is a PDF document: export the data as CSV instead',
  web_page:          'is a web page, perhaps a login form: download the data again as CSV',
  truncated:         'ends too early: the compressed data is cut off or damaged',
  unfolds_too_much:  'unfolds to more than is taken: send the data in several files',
  saved_report:      'is a saved report: import it by itself, with `marquee import` or as an upload',
  never_fall:        'never fall, as running totals do not: say whether they are totals or daily',
  conflict:          'cannot be stored: {detail}',
  not_a_report:      'is not a report: {detail}',
  not_an_export:     'cannot be taken: {detail}',
  known_review:      'is here already under an id of its own, which reports do not have, and would come twice: say --skip-refused to leave such reviews out',
  key_revoked:       'was sent with a key that was revoked before the file had its turn, so nothing of it was stored: send it with another key',
  unmapped_rival:    'has no counterpart here, and would come twice, because the site has competitors by their domains: name it in --map',
  unmapped:          'has no counterpart here: name it in --map, or create it with --create-missing',
} as const

export type ImportErrorCode = keyof typeof importErrors

const wholeFile: ReadonlySet<ImportErrorCode> = new Set([
  'columns',
  'not_csv',
  'empty',
  'archive',
  'archive_within',
  'packed_files',
  'locked',
  'unsafe_name',
  'broken_workbook',
  'sheets',
  'packed',
  'workbook',
  'pdf',
  'web_page',
  'truncated',
  'unfolds_too_much',
  'saved_report',
  'not_a_report',
  'not_an_export',
  'not_json_array',
  'not_utf16',
  'already_utf8',
  'binary',
])

/** Whether a fault says that a file cannot be read, or not to its end, so that no line of it is to be trusted. */
export function endsFile(code: ImportErrorCode): boolean {
  return wholeFile.has(code)
}

export const importErrorCodes = Object.keys(importErrors) as ImportErrorCode[]

/** One error of one line; `field` is empty if the error concerns the whole line. */
export interface ImportError extends Omit<ValueError, 'code'> {
  /** The name of the file, if there are several. */
  readonly file?: string
  readonly line: number
  /** The index of the record, counted from 0; blank lines do not count. */
  readonly index: number
  readonly field: string
  readonly code: ImportErrorCode
  readonly detail?: string
  /** The refused value, if the error concerns a single value. */
  readonly value?: string
  /** The number that a cell was read as, where it was written in another way. */
  readonly readAs?: number
  /** What a name that nobody knows may have meant. */
  readonly near?: string
}

/** A fault, before its line is known. */
export type LineError = Omit<ImportError, 'line' | 'file' | 'index'>

type Fault = Pick<ImportError, 'field' | 'code' | 'value' | 'readAs'>

/** Adds the refused value, by which people find the cell; only the beginning of a long text. `found` is what stood in the file for it. */
export function withValue<F extends Fault>(fault: F, value: unknown, found?: string): F {
  if (value === undefined) return fault
  const isAsFound = found === undefined || String(value) === found
  if (isAsFound) return { ...fault, value: (typeof value === 'number' ? String(value) : JSON.stringify(value)).slice(0, 60) }
  return { ...fault, value: JSON.stringify(found).slice(0, 60), ...(typeof value === 'number' && { readAs: value }) }
}

/** `rankings.csv line 7: rank must be an integer` */
export function importErrorWithPlace(fault: ImportError): string {
  const place = fault.file === undefined ? `Line ${fault.line}` : `${fault.file} line ${fault.line}`
  return `${place}: ${importErrorMessage(fault)}`
}

/** Who reads a sentence: someone who typed the command, or who sent a request, which has parameters instead of options. */
type Reader = 'command' | 'request'

/** The sentence with the refused value, and with a hint at the option by which a cell of a CSV file could be read. */
export function importErrorMessage(fault: ImportError, reader: Reader = 'command'): string {
  const value = fault.readAs === undefined ? (fault.value ?? '') : String(fault.readAs)
  const hint = hints.find(({ codes, isFor, like }) => codes.includes(fault.code) && isFor(fault.field) && like.test(value))
  const says = hint === undefined ? '' : `; ${reader === 'command' ? hint.says : withParameters(hint.says)}`
  const near = fault.near === undefined ? '' : `; did you mean ${fault.near}?`
  return `${importErrorWithValue(fault, reader)}${near}${says}`
}

export function importErrorWithValue(fault: ImportError, reader: Reader = 'command'): string {
  const readAs = fault.readAs === undefined ? '' : `, read as ${fault.readAs}`
  return `${importErrorSentence(fault, reader)}${fault.value === undefined ? '' : ` (here: ${fault.value}${readAs})`}`
}

interface Hint {
  readonly codes: readonly ImportErrorCode[]
  readonly isFor: (field: string) => boolean
  /** Matches the refused value, as it was read. */
  readonly like: RegExp
  readonly says: string
}

/** Options of the command with which such a value could be read. */
const hints: readonly Hint[] = [
  { codes: ['not_an_integer'], isFor: isAveraged, like: /^\d+\.\d+$/, says: '--round rounds averages' },
  {
    codes: ['not_an_integer', 'not_a_number'],
    isFor: () => true,
    like: /^"-?\d[\d.,]*[.,]\d+"$/,
    says: '--decimal says which mark stands before the fraction',
  },
  {
    codes: ['not_an_integer'],
    isFor: (field) => field === 'rank',
    like: /^"[^\d]|^">/,
    says: '--not-found names what stands for "not found"',
  },
  {
    codes: ['not_a_date', 'not_a_time'],
    isFor: () => true,
    like: /^"\d{1,4}[./ -](\d{1,2}|[a-z]{3,9})[./ -]\d{1,4}\b/i,
    says: '--date-format says how days are written',
  },
]

/** Only what can be an average is rounded: 7.4 clicks are a number that was read wrongly. */
function isAveraged(field: string): boolean {
  return Object.values(observations).some(
    ({ fields }: { fields: Readonly<Record<string, Incoming>> }) => fields[field]?.isAveraged === true,
  )
}

export function importErrorSentence(fault: Omit<ImportError, 'line' | 'index'>, reader: Reader = 'command'): string {
  const template = reader === 'command' ? importErrors[fault.code] : (requestErrors[fault.code] ?? importErrors[fault.code])
  const sentence = template.replace(/\{(\w+)\}/g, (_, name: 'min' | 'max' | 'position' | 'detail') =>
    name === 'detail' && reader === 'request' ? withParameters(fault.detail ?? '') : String(fault[name] ?? ''),
  )
  return fault.field === '' ? sentence : `${fault.field} ${sentence}`
}

/** Sentences that differ in a request, because they name an option that has no parameter or another one. */
const requestErrors: Partial<Record<ImportErrorCode, string>> = {
  not_utf8: 'is not UTF-8 text: convert it, or upload the file to /api/intakes with `encoding=windows-1252`',
  already_utf8: 'is UTF-8 text: leave out `encoding`',
  columns: 'the header names no kind of record: {detail}',
  doubled_key: 'has the key of another line and other figures: say `last_wins=1` if the later one is meant',
  several_countries: 'is told for all rows, and the file names several countries: leave `locale` out of `set`',
  empty: 'holds no record',
  known_review:
    'is here already under an id of its own, which reports do not have, and would come twice: say `skip_refused=1` to leave such reviews out',
  unmapped_rival: 'has no counterpart here, and would come twice, because the site has competitors by their domains: name it in `map`',
  unmapped: 'has no counterpart here: name it in `map`, or create it with `create_missing=1`',
  never_fall: 'never fall, as running totals do not: say `counts=totals` or `counts=daily`',
}

/** `--date-format` is the parameter `date_format` of a request. */
export function withParameters(text: string): string {
  return text.replace(
    /--(columns|set|kind|preset|date-format|date|decimal|not-found|words|strip|skip-lines|sheet|unpivot|round|devices|language)\b/g,
    (_, option: string) => {
      return `\`${option.replace('-', '_')}${option === 'round' || option === 'devices' ? '=1' : ''}\``
    },
  )
}
