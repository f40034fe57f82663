/** The locale of a row whose table names the country, and perhaps the language: `de-ch`. */

import { type Incoming, label } from '../../../fields/incoming.ts'
import type { LineError } from '../../../resources/imports/import-fault.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { countryOf } from './countries.ts'

/** The columns of which a locale is made; they are no fields of a record. */
export const localeFields: Readonly<Record<string, Incoming>> = { country: label(100)('', null), language: label(50)('', null) }
export const localeColumns = Object.keys(localeFields)

/** What is known of the rows read so far. */
export interface CountriesSeen {
  first?: string
  /** Whether a saved mapping goes on with its own locale although there are several countries. */
  isKept?: boolean
}

/** Makes the locale of the row, or says what is wrong with it. A locale that is told beats the country, unless there are several. */
export function localise(row: Record<string, unknown>, mapping: CsvMapping, seen: CountriesSeen): LineError | undefined {
  const [country, language] = localeColumns.map((name) => textOf(row, name))
  if (country === undefined && language === undefined) return undefined
  const code = country === undefined ? undefined : countryOf(country)
  if (country !== undefined && code === undefined)
    return { field: 'country', code: 'not_a_country', value: JSON.stringify(country).slice(0, 60) }
  if (mapping.set?.['locale'] !== undefined) return code === undefined ? undefined : refusedAmong(code, mapping, seen)
  row['locale'] ??= [language ?? mapping.language ?? 'en', ...(code === undefined ? [] : [code])].join('-').toLowerCase()
  return undefined
}

export const keptLocaleNotice =
  'The saved mapping keeps its locale, although the file names several countries: save it again without locale to take them.'

function textOf(row: Record<string, unknown>, name: string): string | undefined {
  const value = row[name]
  delete row[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function refusedAmong(code: string, { keepsLocale }: CsvMapping, seen: CountriesSeen): LineError | undefined {
  seen.first ??= code
  if (seen.first === code) return undefined
  seen.isKept = keepsLocale === true
  return keepsLocale ? undefined : { field: 'locale', code: 'several_countries' }
}
