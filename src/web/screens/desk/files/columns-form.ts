/** The form that says how a file is read. */

import { type Html, html } from '../../../../lib/html.ts'
import type { MappingWords } from '../../../../model/imports/csv/mappings.ts'
import { toolNames } from '../../../../model/imports/csv/recognise.ts'
import type { FilePreview } from '../../../../model/intakes/deliveries/preview-file.ts'
import { importPresets } from '../../../../resources/imports/import-presets.ts'
import { observationKinds } from '../../../../resources/observation.ts'
import { type FormField, fieldHtml } from '../../../components/fields.ts'
import { tokenField } from '../../../components/layout.ts'
import type { PersonPageRequest } from '../../../page-request.ts'
import { constantFields, constantsIn, fieldLabel, fieldOptions, formLabels } from './columns-words.ts'
import { kindNames } from './data-words.ts'

interface Shown {
  readonly version: number
  readonly words: MappingWords
  readonly preview: FilePreview | null
  /** The names of saved mappings. */
  readonly mappings: readonly string[]
  /** Whether it is said whose the file is. */
  readonly isWhose: boolean
}

const dayFormats = ['dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy', 'm/d/yyyy', 'd mmm yyyy', 'yyyymmdd']

export function columnsForm(request: PersonPageRequest, { version, words, preview, mappings, isWhose }: Shown): Html {
  const kind = words.kind ?? (words.preset === undefined ? (preview?.kind ?? '') : '')
  const field = (one: FormField, given: string | undefined) => fieldHtml({ ...request, form: noForm }, one, given ?? '')
  const constants = constantsIn(words)
  return html`
    <form method="post" action="${request.path}" class="card w12 fields">
      ${tokenField(request)}
      <input type="hidden" name="version" value="${version}">
      <input type="hidden" name="was-preset" value="${words.preset ?? ''}">
      <input type="hidden" name="was-kind" value="${kind}">
      <h2>How it is read</h2>
      ${mappings.length === 0 ? null : savedHtml(field, mappings)}
      <div class="columns">
        ${field({ name: 'preset', label: formLabels.preset, options: toolOptions }, words.preset)}
        ${field({ name: 'kind', label: formLabels.kind, options: kindOptions }, kind)}
        ${field({ name: 'date_format', label: formLabels.date_format, options: withOther(dayOptions, words.date_format) }, words.date_format)}
        ${field({ name: 'decimal', label: formLabels.decimal, options: decimalOptions }, words.decimal)}
        ${field({ name: 'not_found', label: formLabels.not_found, hint: 'Several with commas: -, n/a' }, words.not_found)}
        ${field({ name: 'skip_lines', label: formLabels.skip_lines }, words.skip_lines)}
        ${field({ name: 'encoding', label: formLabels.encoding, options: encodingOptions }, words.encoding)}
        ${field({ name: 'sheet', label: formLabels.sheet, hint: 'Of a workbook with several.' }, words.sheet)}
        ${field({ name: 'date', label: formLabels.date, hint: 'Such as 2026-11-14, where no column has one.' }, words.date)}
      </div>
      ${preview === null || preview.columns.length === 0 ? null : columnsHtml(preview, field)}
      <details${Object.keys(constants).length > 0 ? html` open` : null}>
        <summary>${formLabels.set}</summary>
        <div class="columns">${constantFields.map((name) => field({ name: `all-${name}`, label: fieldLabel(name) }, constants[name]))}</div>
      </details>
      <p class="bar-row">
        <button class="button soft" name="do" value="look">Look at it like this</button>
        ${isWhose ? html`<button class="button soft" name="do" value="try">Try it out</button> <button class="button" name="do" value="store">Store it</button>` : html`<span class="quiet">Say among the files whose it is, and it can be tried out and stored.</span>`}
      </p>
      <div class="row-form">
        ${field({ name: 'name', label: 'Save this for the next file, called' }, '')}
        <button class="button soft" name="do" value="remember">Save</button>
      </div>
    </form>
  `
}

/** What is shown is what the file was read by, not what was typed. */
const noForm = new URLSearchParams()

type Options = NonNullable<FormField['options']>
type Field = (one: FormField, given: string | undefined) => Html

const toolOptions: Options = [
  ['', 'another, or I do not know'],
  ...Object.keys(importPresets).map((name) => [name, toolNames(name)] as const),
]
const kindOptions: Options = [['', 'not said'], ...observationKinds.map((kind) => [kind, kindNames[kind]] as const)]
const dayOptions: Options = [['', '2026-11-14, or with the month as a word'], ...dayFormats.map((one) => [one, one] as const)]
const decimalOptions: Options = [
  ['', 'as it looks'],
  ['.', '1.5'],
  [',', '1,5'],
]
const encodingOptions: Options = [
  ['', 'UTF-8'],
  ['windows-1252', 'Windows-1252, of older programs'],
]

function withOther(options: Options, given: string | undefined) {
  return given === undefined || options.some(([value]) => value === given) ? options : [...options, [given, given] as const]
}

function savedHtml(field: Field, mappings: readonly string[]): Html {
  return html`
    <div class="row-form">
      ${field({ name: 'saved', label: 'As saved before', options: mappings.map((name) => [name, name] as const) }, '')}
      <button class="button soft" name="do" value="saved">Take that</button>
    </div>
  `
}

function columnsHtml({ kind, columns }: FilePreview, field: Field): Html {
  const options = fieldOptions(
    kind,
    columns.map((column) => column.field),
  )
  return html`
    <fieldset class="fields">
      <legend>${formLabels.columns}</legend>
      <div class="columns">
        ${columns.map(({ name, example, field: meant }, at) => {
          const hint = example === '' ? 'The first row has nothing here.' : `Such as ${example.slice(0, 60)}`
          return field({ name: `column-${at}`, label: name.trim() || `Column ${at + 1}`, options, hint }, meant ?? '')
        })}
      </div>
    </fieldset>
  `
}
