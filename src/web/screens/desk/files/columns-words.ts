/** How a file is read, as it stands in the form of its columns. */

import { folded } from '../../../../model/imports/csv/folded.ts'
import type { MappingWords } from '../../../../model/imports/csv/mappings.ts'
import type { FilePreview } from '../../../../model/intakes/deliveries/preview-file.ts'
import { type ObservationKind, observationKinds, observations } from '../../../../resources/observation.ts'

/** Fields that hold for all rows where no column has them. */
export const constantFields = ['search_engine', 'locale', 'source', 'page_url', 'device', 'location'] as const

/** What the form calls each choice. */
export const formLabels = {
  preset: 'Tool that wrote it',
  kind: 'What a row is',
  date_format: 'Days are written as',
  decimal: 'Decimal sign',
  not_found: '“Not found” is written as',
  skip_lines: 'Lines above the table',
  encoding: 'Letters are written as',
  sheet: 'Sheet',
  date: 'Day of all rows',
  columns: 'What the columns are',
  set: 'What holds for all rows',
} as const

const labels: Readonly<Record<string, string>> = {
  phrase: 'Keyword',
  rank: 'Position',
  ranked_at: 'Measured on',
  url: 'Address',
  ref: 'Number of the review',
  user: 'Author',
  detail: 'Text of the review',
  header: 'Title of the review',
  day: 'Day',
  found_on: 'Found on',
  site: 'Site',
}

export function fieldLabel(field: string): string {
  const plain = field.replaceAll('_', ' ')
  return labels[field] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** What a column of such a file may be. */
export function fieldOptions(
  kind: ObservationKind | null,
  also: readonly (string | null)[],
): readonly (readonly [value: string, label: string])[] {
  const own = kind === null ? [] : Object.keys(observations[kind].fields).filter((field) => field !== 'account')
  const all = new Set([...own, ...also.flatMap((field) => field ?? [])])
  return [['', 'is not read'], ...[...all].map((field) => [field, fieldLabel(field)] as const)]
}

/** What was chosen of the columns counts while the tool and the kind stay the same: those say what columns mean. */
export function wordsIn(form: URLSearchParams, columns: FilePreview['columns']): MappingWords {
  const [preset, kind] = [said(form, 'preset'), said(form, 'kind')]
  const isOther =
    preset !== undefined ? form.get('was-preset') !== preset : form.get('was-kind') !== (kind ?? '') || form.get('was-preset') !== ''
  const told = columns.flatMap(({ name }, at) => (folded(name) === '' ? [] : [`${folded(name)}=${fieldIn(form.get(`column-${at}`))}`]))
  const constants = constantFields.flatMap((field) => said(form, `all-${field}`)?.replaceAll('\n', ' ').replace(/^/, `${field}=`) ?? [])
  const words: MappingWords = {
    preset,
    kind: preset === undefined && observationKinds.some((one) => one === kind) ? kind : undefined,
    columns: isOther || kind === undefined || preset !== undefined || told.length === 0 ? undefined : told.join(),
    set: constants.length === 0 ? undefined : constants.join('\n'),
    date: said(form, 'date'),
    date_format: said(form, 'date_format'),
    decimal: said(form, 'decimal'),
    not_found: said(form, 'not_found'),
    skip_lines: said(form, 'skip_lines'),
    sheet: said(form, 'sheet'),
    encoding: form.get('encoding') === 'windows-1252' ? 'windows-1252' : undefined,
  }
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined))
}

function said(form: URLSearchParams, name: string): string | undefined {
  const text = (form.get(name) ?? '').trim()
  return text === '' ? undefined : text
}

function fieldIn(text: string | null): string {
  return /^[a-z_]{1,40}$/.test(text ?? '') ? (text ?? '') : ''
}

/** What holds for all rows, by field. */
export function constantsIn({ set = '' }: MappingWords): Readonly<Record<string, string>> {
  return Object.fromEntries(
    set.split('\n').flatMap((line) => (line.includes('=') ? [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]] : [])),
  )
}
