/** Interprets the header of a CSV file: the kind of record, the field of each column, or a helpful sentence if it cannot be read. */

import type { Incoming } from '../../../fields/incoming.ts'
import { nearest } from '../../../lib/nearest-name.ts'
import type { CsvMapping } from '../../../resources/import-preset.ts'
import { type ObservationKind, observationKinds, observations, plural } from '../../../resources/observation.ts'
import { isSeriesRecord, seriesOf } from '../../../store/series.ts'
import { readDay } from './days.ts'

export interface CsvPlan {
  readonly kind: ObservationKind
  /** The field of each column, or undefined if the column is skipped. */
  readonly fields: readonly (string | undefined)[]
  /** Columns named by dates: their position, and the value of the time field. */
  readonly days: readonly { readonly at: number; readonly day: string }[]
  /** Values that apply to every row. */
  readonly constants: Readonly<Record<string, string>>
  /** All fields that a column may hold: those of the kind and of its companions. */
  readonly table: Readonly<Record<string, Incoming>>
  /** Kinds of records that rows contain besides the plan's own. */
  readonly companions: readonly Companion[]
  readonly leftOut: readonly string[]
}

/** A second record in the same row: tools write what they know of a keyword into the line of its rank. */
export interface Companion {
  readonly kind: ObservationKind
  readonly fields: readonly string[]
}

const companionsOf: Partial<Record<ObservationKind, readonly Companion[]>> = {
  ranking: [
    { kind: 'keyword', fields: ['search_volume', 'tags'] },
    { kind: 'click_count', fields: ['clicks', 'impressions'] },
  ],
}

const timeOfRows: Partial<Record<ObservationKind, string>> = { snapshot: 'day', review: 'date', backlink: 'found_on' }

/** The field that holds the time of measurement, if records of the kind have one. */
export function timeOf(kind: ObservationKind): string | undefined {
  return isSeriesRecord(kind) ? seriesOf(kind)[0].time : timeOfRows[kind]
}

const scopeFields = ['account', 'site', 'competitor']

/** Returns the plan, or a sentence that says what is wrong with the header. */
export function planCsv(header: readonly string[], mapping: CsvMapping): CsvPlan | string {
  const names = header.map(folded)
  const unknown = Object.keys(mapping.columns ?? {}).filter((name) => !names.includes(folded(name)))
  if (mapping.kind === undefined && unknown.length > 0) return `there is no column ${unknown.join(', ')}: the file has ${names.join(', ')}`
  const strange = strangeOption(mapping)
  if (strange !== undefined) return strange
  const plans = kindsOf(mapping).map((kind) => planOf(kind, header, names, mapping))
  const whole = plans.filter(({ missing, known }) => missing.length === 0 && known > 0)
  const best = whole.toSorted((a, b) => b.known - a.known)
  const [first, second] = best
  if (first === undefined) return helpWith(plans, header, names)
  if (second !== undefined && second.known === first.known)
    return `the columns fit ${plural(first.plan.kind)} and ${plural(second.plan.kind)}: say --kind`
  const twice = repeated(first.plan.fields) ?? repeated(first.plan.days.map(({ day }) => day))
  if (twice !== undefined) return `two columns hold ${twice}`
  const meant = mapping.kind === undefined ? kindsMeant(first, names) : []
  const nearer = plans.filter(({ plan }) => meant.includes(plan.kind))
  return nearer.length === 0 ? first.plan : helpWith(nearer, header, names)
}

function repeated(names: readonly (string | undefined)[]): string | undefined {
  return names.find((name, i) => name !== undefined && names.indexOf(name) !== i)
}

/** Returns an error if the options name a field that the kind of record does not have. */
function strangeOption({ kind, columns = {}, unpivot }: CsvMapping): string | undefined {
  if (kind === undefined) return undefined
  const named = [...Object.values(columns), unpivot ?? ''].filter((field) => field !== '')
  const strange = named.find((field) => !Object.hasOwn(tableOf(kind), field))
  return strange && `${plural(kind)} have no field ${strange}`
}

/** Normalizes a column name: `Search Engine`, `search-engine` and `SEARCH_ENGINE` are the same; text in brackets is part of the name. */
export function folded(name: string): string {
  return name
    .replace(/^\ufeff/, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
}

interface Trial {
  readonly plan: CsvPlan
  readonly missing: readonly string[]
  readonly known: number
}

function kindsOf({ kind }: CsvMapping): readonly ObservationKind[] {
  return kind === undefined ? observationKinds : [kind]
}

function planOf(kind: ObservationKind, header: readonly string[], names: readonly string[], mapping: CsvMapping): Trial {
  const [own, table]: [CsvPlan['table'], CsvPlan['table']] = [observations[kind].fields, tableOf(kind)]
  const told = Object.fromEntries(Object.entries(mapping.columns ?? {}).map(([name, field]) => [folded(name), field]))
  const fieldOf = (name: string) => {
    const field = told[name] ?? (mapping.kind === undefined || !hasColumns(mapping) || scopeFields.includes(name) ? name : '')
    return Object.hasOwn(table, field) ? field : undefined
  }
  const fields = names.map(fieldOf)
  const days = Object.hasOwn(table, mapping.unpivot ?? '') ? daysIn(header, fields, mapping) : []
  const time = timeOf(kind)
  const constants = {
    ...(mapping.date !== undefined && time !== undefined && !fields.includes(time) && { [time]: mapping.date }),
    ...mapping.set,
  }
  const covered = new Set([...fields, ...Object.keys(constants), ...(days.length > 0 ? [time, mapping.unpivot] : [])])
  const missing = Object.keys(own).filter((name) => own[name]?.required && name !== 'site' && !covered.has(name))
  const companions = (companionsOf[kind] ?? []).filter((one) => one.fields.some((name) => covered.has(name)))
  const leftOut = header.filter((_, i) => fields[i] === undefined && !days.some(({ at }) => at === i))
  return {
    plan: { kind, fields, days, constants, table, companions, leftOut },
    missing,
    known: fields.filter((field) => field !== undefined).length,
  }
}

function tableOf(kind: ObservationKind): CsvPlan['table'] {
  const others = (companionsOf[kind] ?? []).flatMap((one) => {
    const fields: CsvPlan['table'] = observations[one.kind].fields
    return one.fields.map((name) => [name, fields[name] as Incoming])
  })
  return { ...Object.fromEntries(others), ...observations[kind].fields }
}

function hasColumns({ columns = {} }: CsvMapping): boolean {
  return Object.keys(columns).length > 0
}

function daysIn(header: readonly string[], fields: readonly (string | undefined)[], { unpivot, dateFormat }: CsvMapping): CsvPlan['days'] {
  if (unpivot === undefined) return []
  return header.flatMap((name, at) => {
    const day = fields[at] === undefined ? readDay(name, dateFormat) : undefined
    return day === undefined ? [] : [{ at, day }]
  })
}

/** Kinds of records that require a column which the plan skips, so that the file may be meant for one of them. */
function kindsMeant({ plan }: Trial, names: readonly string[]): readonly ObservationKind[] {
  const strays = names.filter((name) => !Object.hasOwn(plan.table, name))
  return observationKinds.filter((each) => {
    const fields: Readonly<Record<string, Incoming>> = observations[each].fields
    return strays.some((name) => Object.hasOwn(fields, name) && fields[name]?.required)
  })
}

/** Describes what is missing for the nearest kinds, and which column may be misspelt. */
function helpWith(trials: readonly Trial[], header: readonly string[], names: readonly string[]): string {
  const lacking = trials.filter(({ missing }) => missing.length > 0)
  const near = lacking.toSorted((a, b) => a.missing.length - a.known - (b.missing.length - b.known)).slice(0, 2)
  const told = near.map(({ plan, missing }) => `for ${plural(plan.kind)} it lacks ${missing.join(', ')}`)
  const lacks = told.length > 0 ? told : trials.map(({ plan }) => `no column is a field of ${plural(plan.kind)}`)
  const wanted = near.flatMap(({ missing }) => missing)
  const hints = header.flatMap((name, i) => {
    const like = wanted.includes(names[i] as string) ? undefined : nearest(names[i] as string, wanted)
    return like === undefined ? [] : [`is ${name.trim().slice(0, 40)} meant to be ${like}?`]
  })
  return [`${lacks.join(', ')} (name columns with --columns, values of all rows with --set)`, ...hints].join('; ')
}
