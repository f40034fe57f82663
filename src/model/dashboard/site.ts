/** Figures and links of a site and its competitors: measured days, latest values, and backlinks found. */

import { type Kysely, sql } from 'kysely'
import { dayNumber, weekOf } from '../../lib/time/days.ts'
import { type FigureName, siteFigureNames } from '../../resources/seo-report.ts'
import { inSlices } from '../../store/in-slices.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { ReaderCaller } from '../core/caller.ts'
import { pieces } from '../core/subject-pieces.ts'
import type { ShownSite } from '../people/visible-sites.ts'
import type { DaySpan, Period } from './positions.ts'
import { readRankedSubjects } from './search.ts'

export type Measured = { readonly day: string } & Readonly<Record<FigureName, number | null>>

type SubjectRow = Measured & { readonly authority_known: 0 | 1; readonly subject_id: number }

const daysPerRead = 500
const linksPerRead = 1_000

/** The latest value of each figure, possibly of different days; null if it was never measured. */
export type Known = Readonly<Record<FigureName, number | null>> & {
  readonly measuredOn: string | null
  /** The authority was measured, and the site has none. */
  readonly hasNoAuthority: boolean
}

export interface NewBacklink {
  readonly id: number
  readonly found_on: string
  readonly domain: string
  readonly link_strength: number
  readonly source_url: string
  readonly domain_authority: number
  readonly anchor_text: string
}

/** The backlinks found in a period. */
export interface NewBacklinks {
  /** Newest first. */
  readonly list: readonly NewBacklink[]
  /** How many were found in each week, by the number of its first day. */
  readonly byWeek: ReadonlyMap<number, number>
  /** How many have a strength of 0 to 9, of 10 to 19 and so on; the last class is 90 and more. */
  readonly byStrength: readonly number[]
}

const strengthClasses = 10

export interface SiteFigures {
  /** One row per measured day of the period. */
  readonly days: readonly Measured[]
  readonly now: Known
  readonly before: Known
  readonly rivals: ReadonlyMap<number, Known>
  readonly backlinks: NewBacklinks
  readonly backlinksBefore: number
  /** The last day on which a link was found up to the end of the period; null if links were never measured. */
  readonly lastBacklinkOn: string | null
}

export async function siteFigures(person: ReaderCaller, site: ShownSite, period: Period): Promise<SiteFigures> {
  const db = inSlices(person.app.store.db)
  const { own, rivals } = await readRankedSubjects(db, site)
  const subjectIds = [own ?? -1, ...rivals.map((rival) => rival.id)]
  const latest = new Map(subjectIds.map((id) => [id, new Latest()]))
  const [before, days]: [Latest, Measured[]] = [new Latest(), []]
  for await (const rows of measuredPieces(db, site, subjectIds, period.to))
    for (const row of rows) {
      latest.get(row.subject_id)?.add(row)
      if (row.subject_id !== own) continue
      if (row.day >= period.from) days.push(row)
      if (period.before && row.day <= period.before.to) before.add(row)
    }
  const known = (id: number) => (latest.get(id) ?? new Latest()).known()
  return {
    days: days.reverse(),
    now: known(own ?? -1),
    before: before.known(),
    rivals: new Map(rivals.map(({ id }) => [id, known(id)])),
    backlinks: await readBacklinks(db, site, own, period),
    backlinksBefore: period.before ? await countBacklinks(db, site, own, period.before) : 0,
    lastBacklinkOn: await lastBacklink(db, site, own, period.to),
  }
}

/** Newest first for each subject. */
function measuredPieces(db: Kysely<Tables>, site: ShownSite, subjectIds: readonly number[], to: string) {
  const all = db
    .selectFrom('snapshots')
    .select(['subject_id', 'day', 'authority_known', ...siteFigureNames])
    .where('account_id', '=', site.account_id)
    .where('day', '<=', to)
    .orderBy('subject_id')
    .orderBy('day', 'desc')
    .limit(daysPerRead)
  const read = (ids: readonly number[], last?: SubjectRow): Promise<SubjectRow[]> => {
    const some = all.where('subject_id', 'in', ids)
    return (last === undefined ? some : some.where('day', '<', last.day)).execute()
  }
  return pieces<SubjectRow>(subjectIds, read, daysPerRead)
}

/** The latest value of each figure, from rows that come newest first. */
class Latest {
  readonly #figures = new Map<FigureName, number>()
  #measuredOn: string | null = null
  #authority: SubjectRow | undefined

  add(row: SubjectRow): void {
    this.#measuredOn ??= row.day
    if (row.authority_known === 1) this.#authority ??= row
    for (const name of siteFigureNames) {
      const value = row[name]
      if (value !== null && !this.#figures.has(name)) this.#figures.set(name, value)
    }
  }

  known(): Known {
    const figures = Object.fromEntries(siteFigureNames.map((name) => [name, this.#figures.get(name) ?? null]))
    return {
      ...(figures as Record<FigureName, number | null>),
      domain_authority: this.#authority?.domain_authority ?? null,
      measuredOn: this.#measuredOn,
      hasNoAuthority: this.#authority !== undefined && this.#authority.domain_authority === null,
    }
  }
}

function backlinksWithin(db: Kysely<Tables>, site: ShownSite, own: number | null, { from, to }: DaySpan) {
  const backlinks = db
    .selectFrom('backlinks')
    .where('account_id', '=', site.account_id)
    .where('subject_id', '=', own ?? -1)
  return backlinks.where('found_on', '>=', from).where('found_on', '<=', to)
}

/** Counted as they are read: to go through a long list at once would hold the event loop. */
async function readBacklinks(db: Kysely<Tables>, site: ShownSite, own: number | null, period: Period): Promise<NewBacklinks> {
  const list: NewBacklink[] = []
  const byWeek = new Map<number, number>()
  const byStrength = new Array<number>(strengthClasses).fill(0)
  for await (const some of backlinkPieces(db, site, own, period))
    for (const link of some) {
      list.push(link)
      const week = weekOf(dayNumber(link.found_on))
      byWeek.set(week, (byWeek.get(week) ?? 0) + 1)
      const at = Math.max(0, Math.min(strengthClasses - 1, Math.floor(link.link_strength / 10)))
      byStrength[at] = (byStrength[at] as number) + 1
    }
  return { list, byWeek, byStrength }
}

/** All backlinks found in the period, newest first, in pieces. */
export async function* eachBacklink(reader: ReaderCaller, site: ShownSite, period: DaySpan): AsyncGenerator<readonly NewBacklink[]> {
  const db = inSlices(reader.app.store.db)
  const { own } = await readRankedSubjects(db, site)
  yield* backlinkPieces(db, site, own, period)
}

async function* backlinkPieces(
  db: Kysely<Tables>,
  site: ShownSite,
  own: number | null,
  period: DaySpan,
): AsyncGenerator<readonly NewBacklink[]> {
  const all = backlinksWithin(db, site, own, period)
    .select(['id', 'found_on', 'domain', 'link_strength', 'source_url', 'domain_authority', 'anchor_text'])
    .orderBy('found_on', 'desc')
    .orderBy('id', 'desc')
    .limit(linksPerRead)
  for (let some = await all.execute(); some.length > 0; ) {
    yield some
    const last = some.at(-1)
    const isMore = last !== undefined && some.length === linksPerRead
    some = isMore ? await all.where(sql<boolean>`(found_on, id) < (${last.found_on}, ${last.id})`).execute() : []
  }
}

async function countBacklinks(
  db: Kysely<Tables>,
  site: ShownSite,
  own: number | null,
  span: { from: string; to: string },
): Promise<number> {
  const counted = backlinksWithin(db, site, own, span).select((eb) => eb.fn.countAll<number>().as('amount'))
  return Number((await counted.executeTakeFirstOrThrow()).amount)
}

async function lastBacklink(db: Kysely<Tables>, site: ShownSite, own: number | null, to: string): Promise<string | null> {
  const last = backlinksWithin(db, site, own, { from: '0000-00-00', to }).select((eb) => eb.fn.max('found_on').as('day'))
  return (await last.executeTakeFirst())?.day ?? null
}
