/** Interprets the header of a CSV file: the kind of record, the field of each column, or a helpful sentence if it cannot be read. */

import type { Incoming } from '../../../fields/incoming.ts'
import { nearest } from '../../../lib/nearest-name.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import { type ObservationKind, observationKinds, observations, plural } from '../../../resources/observation.ts'
import { isSeriesRecord, seriesOf } from '../../../store/series.ts'
import type { PlainWish } from '../import-line.ts'
import { folded } from './folded.ts'
import { likelyKind } from './likely-kind.ts'
import { type CountriesSeen, localeColumns, localeFields } from './locales.ts'
import { type Spread, spreadsOf } from './wide-columns.ts'

export interface CsvPlan {
  readonly kind: ObservationKind
  /** The field of each column, or undefined if the column is skipped. */
  readonly fields: readonly (string | undefined)[]
  /** Whether the columns were read by their order, whatever their names. */
  readonly isInOrder: boolean
  /** Columns that are records of their own, by day, engine or device. */
  readonly spreads: readonly Spread[]
  /** Values that apply to every row. */
  readonly constants: Readonly<Record<string, string>>
  /** All fields that a column may hold: those of the kind and of its companions. */
  readonly table: Readonly<Record<string, Incoming>>
  /** How the device and location of ranks are stored, where columns hold them. */
  readonly plain: PlainWish | undefined
  readonly countries: CountriesSeen
  /** Kinds of records that rows contain besides the plan's own. */
  readonly companions: readonly Companion[]
  readonly leftOut: readonly string[]
}

/** A second record in the same row: tools write what they know of a keyword into the line of its rank. */
export interface Companion {
  readonly kind: ObservationKind
  readonly fields: readonly string[]
}

const ofKeyword: readonly Companion[] = [
  { kind: 'keyword', fields: ['search_volume', 'tags'] },
  { kind: 'click_count', fields: ['clicks', 'impressions'] },
]

const companionsOf: Partial<Record<ObservationKind, readonly Companion[]>> = {
  ranking: ofKeyword,
  average_position: ofKeyword,
}

const timeOfRows: Partial<Record<ObservationKind, string>> = { snapshot: 'day', review: 'date', backlink: 'found_on' }

/** The field that holds the time of measurement, if records of the kind have one. */
function timeOf(kind: ObservationKind): string | undefined {
  return isSeriesRecord(kind) ? seriesOf(kind)[0].time : timeOfRows[kind]
}

const scopeFields = ['account', 'site', 'competitor']

/** What is wrong with a header, and how many of its columns are known all the same. */
export interface Unplanned {
  readonly sentence: string
  readonly known: number
}

/** Returns the plan, or what is wrong with the header. */
export function planCsv(header: readonly string[], mapping: CsvMapping): CsvPlan | Unplanned {
  const trials = kindsOf(mapping).map((kind) => planOf(kind, header, header.map(folded), mapping))
  const plan = bestOf(trials, header, mapping)
  return typeof plan === 'string'
    ? { sentence: plan, known: Math.max(...trials.map(({ plan: { fields } }) => fields.filter((field) => field !== undefined).length)) }
    : plan
}

function bestOf(plans: readonly Trial[], header: readonly string[], mapping: CsvMapping): CsvPlan | string {
  const names = header.map(folded)
  const unknown = Object.keys(mapping.columns ?? {}).filter((name) => !names.includes(folded(name)))
  const absent = unknown.length === 0 ? undefined : noColumn(unknown, names)
  if (mapping.kind === undefined && absent !== undefined) return absent
  const strange = strangeOption(mapping)
  if (strange !== undefined) return strange
  const whole = plans.filter(({ missing, known }) => missing.length === 0 && known > 0)
  const best = whole.toSorted((a, b) => b.known - a.known)
  const [first, second] = best
  if (first === undefined) return [...(absent === undefined || mapping.isClosed ? [] : [absent]), helpWith(plans, header, names)].join('; ')
  if (second !== undefined && second.known === first.known)
    return `the columns fit ${plural(first.plan.kind)} and ${plural(second.plan.kind)}: say --kind`
  const foreign = strangeTo(first.plan.kind, Object.keys(mapping.set ?? {}))
  if (foreign !== undefined) return foreign
  const twice =
    repeated(first.plan.fields) ??
    repeated(
      first.plan.spreads.map(({ values }) =>
        Object.values(values)
          .join(', ')
          .replace(/ 00:00:00$/, ''),
      ),
    )
  if (twice !== undefined) return `two columns hold ${twice}`
  const meant = mapping.kind === undefined ? kindsMeant(first, names) : []
  const nearer = plans.filter(({ plan }) => meant.includes(plan.kind))
  return nearer.length === 0 ? first.plan : helpWith(nearer, header, names)
}

function noColumn(unknown: readonly string[], names: readonly string[]): string {
  const likely = unknown.flatMap((name) => nearest(folded(name), names) ?? [])
  return `there is no column ${unknown.join(', ')}${likely.length > 0 ? `, perhaps ${likely.join(', ')}` : ''}: the file has ${names.join(', ')}`
}

function repeated(names: readonly (string | undefined)[]): string | undefined {
  return names.find((name, i) => name !== undefined && names.indexOf(name) !== i)
}

/** Returns an error if the options name a field that the kind of record does not have. */
function strangeOption({ kind, columns = {}, unpivot }: CsvMapping): string | undefined {
  if (kind === undefined) return undefined
  return strangeTo(kind, [...Object.values(columns), unpivot ?? ''])
}

function strangeTo(kind: ObservationKind, named: readonly string[]): string | undefined {
  const known = Object.keys(tableOf(kind))
  const strange = named.find((field) => field !== '' && !known.includes(field))
  const like = strange && nearest(strange, known)
  return strange && `${plural(kind)} have no field ${strange}; ${like ? `did you mean ${like}?` : `they have ${known.join(', ')}`}`
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
    const field = told[name] ?? (mapping.isClosed && !scopeFields.includes(name) ? '' : name)
    return Object.hasOwn(table, field) ? field : undefined
  }
  const named = names.map(fieldOf)
  const ordered = inOrder(names, mapping)
  const fields = ordered ?? named
  const time = timeOf(kind)
  const spreads = spreadsOf({ header, fields, time, table, mapping })
  const constants = {
    ...(mapping.date !== undefined && time !== undefined && !fields.includes(time) && { [time]: mapping.date }),
    ...(kind === 'period' && mapping.period),
    ...mapping.set,
  }
  const covered = new Set([
    ...fields,
    ...Object.keys(constants),
    ...(mapping.setWhere ?? []).map(({ field }) => field),
    ...spreads.flatMap(({ values, cells }) => [...Object.keys(values), ...cells.map(({ field }) => field)]),
  ])
  if (localeColumns.some((name) => covered.has(name))) covered.add('locale')
  const missing = Object.keys(own).filter((name) => own[name]?.required && name !== 'site' && !covered.has(name))
  const companions = (companionsOf[kind] ?? []).filter((one) => one.fields.some((name) => covered.has(name)))
  const leftOut = header.filter((_, i) => fields[i] === undefined && !spreads.some(({ cells }) => cells.some(({ at }) => at === i)))
  return {
    plan: {
      kind,
      fields,
      isInOrder: ordered !== undefined,
      spreads,
      constants,
      table,
      plain: plainIn(fields, spreads, mapping),
      countries: {},
      companions,
      leftOut,
    },
    missing,
    known: fields.filter((field) => field !== undefined).length + spreads.length,
  }
}

/** The fields of a tool that translates the names of its columns, but not their order; only the rate is called the same everywhere. */
function inOrder(names: readonly string[], { byPosition }: CsvMapping): readonly (string | undefined)[] | undefined {
  const isMeant = byPosition?.length === names.length && names[byPosition.indexOf('')] === 'ctr' && !names.includes('clicks')
  return isMeant ? byPosition?.map((field) => (field === '' ? undefined : field)) : undefined
}

/** Undefined where no column holds a device or location, or where whoever wrote the command has named them. */
function plainIn(fields: CsvPlan['fields'], spreads: readonly Spread[], mapping: CsvMapping): PlainWish | undefined {
  const { namesDevices, plainDevice, plainLocation, spread = [] } = mapping
  const isTold = spread.some(({ values }) => 'device' in values || 'location' in values)
  const hasColumn = (name: string) => fields.includes(name) || (!isTold && spreads.some(({ values }) => name in values))
  if (!hasColumn('device') && !hasColumn('location')) return undefined
  if (namesDevices) return { isNamed: true }
  return { ...(plainDevice !== undefined && { device: plainDevice }), ...(plainLocation !== undefined && { location: plainLocation }) }
}

function tableOf(kind: ObservationKind): CsvPlan['table'] {
  const others = (companionsOf[kind] ?? []).flatMap((one) => {
    const fields: CsvPlan['table'] = observations[one.kind].fields
    return one.fields.map((name) => [name, fields[name] as Incoming])
  })
  const fields = { ...Object.fromEntries(others), ...observations[kind].fields }
  return Object.hasOwn(fields, 'locale') ? { ...localeFields, ...fields } : fields
}

/** Kinds of records that require a column which the plan skips, so that the file may be meant for one of them. */
function kindsMeant({ plan }: Trial, names: readonly string[]): readonly ObservationKind[] {
  const strays = names.filter((name) => !Object.hasOwn(plan.table, name))
  return observationKinds.filter((each) => {
    const fields: Readonly<Record<string, Incoming>> = observations[each].fields
    return strays.some((name) => Object.hasOwn(fields, name) && fields[name]?.required && !fields[name].isCommon)
  })
}

/** Describes what is missing for the kind that is likely, or for the nearest ones, and which column may be misspelt. */
function helpWith(trials: readonly Trial[], header: readonly string[], names: readonly string[]): string {
  const likely = trials.length > 1 ? likelyKind(names) : undefined
  const lacking = trials.filter(({ plan, missing }) => missing.length > 0 && (likely === undefined || plan.kind === likely.kind))
  if (trials.length > 1 && likely === undefined && trials.every(({ known }) => known === 0)) return noField(header)
  const near = lacking.toSorted((a, b) => a.missing.length - a.known - (b.missing.length - b.known)).slice(0, 2)
  const told = near.map(({ plan, missing }) => `for ${plural(plan.kind)} it lacks ${missing.join(', ')}`)
  const lacks = told.length > 0 ? told : trials.map(({ plan }) => `no column is a field of ${plural(plan.kind)}`)
  const wanted = near.flatMap(({ missing }) => missing)
  const hints = header.flatMap((name, i) => {
    const folded = names[i] as string
    const like = likely?.meant.get(folded) ?? nearest(folded, wanted)
    const isKnown = near.some(({ plan }) => plan.fields.includes(folded))
    return like === undefined || !wanted.includes(like) || isKnown ? [] : [`is ${shortened(name)} meant to be ${like}?`]
  })
  const isDateless = near.some(({ plan, missing }) => plan.kind === 'average_position' && missing.join() === 'date')
  const period = isDateless ? ['totals of several days need those days (--period 2026-10-15..2026-11-11), those of one day --date'] : []
  const looks = likely === undefined ? [] : [`this looks like ${plural(likely.kind)}`]
  return [...looks, `${lacks.join(', ')} (name columns with --columns, values of all rows with --set)`, ...period, ...hints].join('; ')
}

const mostNamesTold = 12

function noField(header: readonly string[]): string {
  const told = header.slice(0, mostNamesTold).map(shortened).join(', ')
  const more = header.length > mostNamesTold ? ` and ${header.length - mostNamesTold} more` : ''
  return `no column is a field of any of them: the file has ${told}${more} (say --kind, name columns with --columns, values of all rows with --set)`
}

function shortened(name: string): string {
  return name.trim().slice(0, 40)
}
