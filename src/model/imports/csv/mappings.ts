/** Column mappings as options of a command or a query: parsed, or refused with a sentence. */

import { readDomain } from '../../../lib/domains.ts'
import { refuse } from '../../../lib/failures.ts'
import { nearest } from '../../../lib/nearest-name.ts'
import { isDay } from '../../../lib/time/days.ts'
import type { CsvMapping, DaysTogether, ImportPreset } from '../../../resources/imports/import-preset.ts'
import { importPresets } from '../../../resources/imports/import-presets.ts'
import { observationKind, observationKinds, observations, plural } from '../../../resources/observation.ts'
import { isDateFormat } from './days.ts'
import { localeColumns } from './locales.ts'

/** The options as given; several values of `set` are separated by line breaks. */
export interface MappingWords {
  readonly preset?: string | undefined
  readonly kind?: string | undefined
  readonly columns?: string | undefined
  readonly set?: string | undefined
  readonly date?: string | undefined
  readonly date_format?: string | undefined
  readonly decimal?: string | undefined
  readonly not_found?: string | undefined
  readonly strip?: string | undefined
  readonly words?: string | undefined
  readonly skip_lines?: string | undefined
  readonly sheet?: string | undefined
  readonly unpivot?: string | undefined
  readonly round?: boolean | undefined
  readonly as_rank?: boolean | undefined
  readonly period?: string | undefined
  readonly devices?: boolean | undefined
  readonly plain_device?: string | undefined
  readonly plain_location?: string | undefined
  readonly language?: string | undefined
  readonly keeps_locale?: boolean | undefined
  /** No part of the mapping of columns, but saved with it, because the same tool writes the next file. */
  readonly encoding?: 'windows-1252' | undefined
}

const fieldNames = [...new Set([...observationKinds.flatMap((kind) => Object.keys(observations[kind].fields)), ...localeColumns])]

/** Explicit options override the preset. */
export function readMapping(words: MappingWords): CsvMapping {
  const { says: _, needs: __, marks: ___, ...preset } = presetOf(words.preset)
  const options = {
    kind: words.kind === undefined ? undefined : kindOf(words.kind),
    date: words.date === undefined || isDay(words.date) ? words.date : refuse('bad_request', 'date must be a date such as 2026-11-14'),
    dateFormat: words.date_format === undefined ? undefined : dateFormatOf(words.date_format),
    decimal: words.decimal === undefined ? undefined : decimalOf(words.decimal),
    notFound: words.not_found?.split(',').map((marker) => marker.trim().toLowerCase()),
    strip: words.strip?.split(',').map((each) => each.trim().toLowerCase()),
    skipLines: words.skip_lines === undefined ? undefined : skipLinesOf(words.skip_lines),
    sheet: words.sheet,
    unpivot: words.unpivot === undefined ? undefined : fieldOf(words.unpivot),
    round: words.round,
    ranksAverages: words.as_rank,
    period: words.period === undefined ? undefined : periodOf(words.period),
    namesDevices: words.devices,
    keepsLocale: words.keeps_locale,
    plainDevice: words.plain_device?.trim(),
    plainLocation: words.plain_location?.trim(),
    language: words.language === undefined ? undefined : languageOf(words.language),
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as CsvMapping
  const told = words.columns?.split(',') ?? []
  const set = words.set?.split('\n') ?? []
  return {
    ...preset,
    ...given,
    ...(words.preset !== undefined && { isClosed: true }),
    columns: { ...preset.columns, ...pairs(told.filter((text) => !spreadForm.test(text))) },
    ...(told.some((text) => spreadForm.test(text)) && { spread: told.filter((text) => spreadForm.test(text)).map(spreadOf) }),
    set: { ...preset.set, ...constantsOf(set.filter((text) => !setWhereForm.test(text))) },
    ...(set.some((text) => setWhereForm.test(text)) && { setWhere: set.filter((text) => setWhereForm.test(text)).map(setWhereOf) }),
    words: { ...preset.words, ...meaningsOf(words.words?.split(',') ?? [], preset.words) },
  }
}

function presetOf(name: string | undefined): Partial<ImportPreset> {
  if (name === undefined) return {}
  const known = Object.keys(importPresets)
  const like = nearest(name, known)
  return Object.hasOwn(importPresets, name)
    ? (importPresets[name] as ImportPreset)
    : refuse('bad_request', `There is no preset ${name}${like ? `; did you mean ${like}?` : '.'} There are ${known.join(', ')}`)
}

function kindOf(word: string) {
  const kinds = observationKinds.map(plural)
  const like = nearest(word, kinds)
  return observationKind(word) ?? refuse('bad_request', `${like ? `Did you mean ${like}? ` : ''}A kind is one of ${kinds.join(', ')}`)
}

function dateFormatOf(format: string): string {
  return isDateFormat(format)
    ? format
    : refuse('bad_request', 'A date format names year, month and day once each: dd.mm.yyyy, m/d/yyyy, d mmm yyyy')
}

function decimalOf(mark: string): '.' | ',' {
  return mark === '.' || mark === ',' ? mark : refuse('bad_request', 'The decimal mark is . or ,')
}

function periodOf(text: string): DaysTogether {
  const [start_date = '', end_date = '', ...more] = text.split('..').map((day) => day.trim())
  const isPeriod = more.length === 0 && isDay(start_date) && isDay(end_date) && start_date <= end_date
  return isPeriod ? { start_date, end_date } : refuse('bad_request', 'A period is two days in order: 2026-10-15..2026-11-11')
}

function fieldOf(name: string): string {
  const like = nearest(name, fieldNames)
  const known = like ? `did you mean ${like}?` : `the fields are ${fieldNames.join(', ')}`
  return fieldNames.includes(name) ? name : refuse('bad_request', `There is no field ${name}; ${known}`)
}

function languageOf(text: string): string {
  return /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(text) ? text.toLowerCase() : refuse('bad_request', 'A language is a tag such as en or de')
}

function skipLinesOf(text: string): number {
  return /^\d{1,4}$/.test(text) ? Number(text) : refuse('bad_request', 'The lines to skip are a number of at most four digits')
}

const spreadForm = /^(.+)=\s*(\w+)\[(\w+)=([^\]]*)\]\s*$/

/** Parses `Bing=rank[search_engine=Bing]`: the column holds the field for this engine. */
function spreadOf(text: string) {
  const [, column = '', field = '', name = '', value = ''] = spreadForm.exec(text) ?? []
  return { column: column.trim(), field: fieldOf(field), values: { [fieldOf(name)]: value.trim() } }
}

const setWhereForm = /^\s*(\w+)\[(\w+)=([^\]]*)\]=(.*)$/

/** Parses `page_url[source=yelp]=https://yelp.example/biz/bob`: the value of the rows of this source. */
function setWhereOf(text: string) {
  const [, field = '', name = '', value = '', told = ''] = setWhereForm.exec(text) ?? []
  return { field: fieldOf(field), value: told.trim(), where: { field: fieldOf(name), value: value.trim() } }
}

/** Parses `Keyword=phrase`; splits at the last equals sign, because column names may contain one. */
function pairs(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf('=')
      if (at < 1) refuse('bad_request', `A column is told as "Name of the column=field", not as ${text}`)
      const field = text.slice(at + 1).trim()
      return [text.slice(0, at).trim(), field === '' ? '' : fieldOf(field)]
    }),
  )
}

/** Parses `rating:Recommended=5`, and adds it to what the preset says of the field. */
function meaningsOf(texts: readonly string[], known: CsvMapping['words'] = {}): NonNullable<CsvMapping['words']> {
  const told = texts.map((text) => {
    const [, name = '', word = '', value = ''] =
      /^([^:]+):(.*)=([^=]*)$/.exec(text) ?? refuse('bad_request', `A word is told as field:word=value, not as ${text}`)
    return { field: fieldOf(name.trim()), word: word.trim().toLowerCase(), value: value.trim() }
  })
  const byField = [...Map.groupBy(told, ({ field }) => field)]
  return Object.fromEntries(
    byField.map(([field, each]) => [field, { ...known[field], ...Object.fromEntries(each.map(({ word, value }) => [word, value])) }]),
  )
}

/** Parses `locale=en-us`; splits at the first equals sign, because addresses contain some. */
function constantsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) refuse('bad_request', `A value of all rows is told as field=value, not as ${text}`)
      const [field, value] = [fieldOf(text.slice(0, at).trim()), text.slice(at + 1).trim()]
      if (field === 'site' && readDomain(value) === undefined) refuse('bad_request', 'site must be a domain name such as example.com')
      return [field, value]
    }),
  )
}
