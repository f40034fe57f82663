/** Turns the units of a report into import records. Except for the authority, a figure of 0 is skipped, because reports write 0 for what was never measured. */

import type { Incoming } from '../../../fields/incoming.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import { engineIn } from '../../../resources/tracked.ts'
import type { Fields, Unit } from './units.ts'

type Line = Readonly<Record<string, unknown>>

/** `place` names the site and the competitor as this service knows them. */
export function recordsOf(unit: Unit, place: Line, asOf: string): Line[] {
  if (unit.is === 'keyword') {
    const keyword = { ...place, phrase: unit.phrase }
    return [record('keyword', keyword, {}), ...unit.rankings.map((ranking) => record('ranking', keyword, withOwnEngine(ranking)))]
  }
  return recordsOfFields(unit.is, unit.fields, place, asOf)
}

function recordsOfFields(is: Exclude<Unit['is'], 'keyword'>, fields: Fields, place: Line, asOf: string): Line[] {
  if (is === 'page') return pageRecords(fields, place)
  if (is === 'figures') return figureRecords(fields, place, asOf)
  return [record(is === 'rival' ? 'competitor' : is, place, is === 'site' ? {} : fields)]
}

function figureRecords(fields: Fields, place: Line, asOf: string): Line[] {
  const measured = Object.entries(fields).filter(([name, value]) => isMeasured(name, value))
  const snapshot = record('snapshot', place, { ...Object.fromEntries(measured), day: asOf })
  return Object.keys(snapshot).length > Object.keys(place).length + 2 ? [snapshot] : []
}

/** Reports write null for an unknown authority, so an authority of 0 was measured. */
function isMeasured(name: string, value: unknown): boolean {
  return typeof value !== 'object' && (name === 'domain_authority' || Number(value) !== 0)
}

function pageRecords(fields: Fields, place: Line): Line[] {
  const onPage = { ...place, page_url: fields['page_url'], page_source: fields['source'] }
  const reviews = (fields['reviews'] ?? []) as Fields[]
  const counts = (fields['review_counts'] ?? []) as Fields[]
  return [
    record('page', place, fields),
    // Two reviews may have the same text, so their former id distinguishes them.
    ...reviews.map((review) => record('review', onPage, { ...review, ref: String(review['id']) })),
    ...counts.map((count) => record('review_count', onPage, count)),
  ]
}

export const oneSeriesNotice =
  'The report holds one series of rankings for each keyword, engine and locale; one that is saved with `series=all` holds every device and location.'

/** With `series=all`, the name of the engine also tells the device and the location. */
export function withOwnEngine(ranking: Fields): Fields {
  const { device = '', location = '', search_engine: name } = ranking
  const isTracked = typeof name === 'string' && typeof device === 'string' && typeof location === 'string'
  return isTracked ? { ...ranking, search_engine: engineIn(name, device, location) ?? name } : ranking
}

/** Keeps the fields that the kind of record has; numbers may come as text. */
function record(kind: ObservationKind, place: Line, fields: Fields): Line {
  const line: Record<string, unknown> = { type: kind, ...place }
  for (const [name, field] of Object.entries<Incoming>(observations[kind].fields)) {
    const value = fields[name]
    if (value !== undefined && line[name] === undefined) line[name] = typeof value === 'string' ? field.cell(value) : value
  }
  return line
}
