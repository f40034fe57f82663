/** Figures of a site and its competitors: measured days, latest values, and how many backlinks were found. */

import type { Kysely } from 'kysely'
import { type FigureName, siteFigureNames } from '../../resources/seo-report.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { pieces } from '../core/subject-pieces.ts'
import type { OpenedSite, SiteReader } from '../people/visible-sites.ts'
import { countBacklinks, lastBacklink, type NewBacklinks, readNewBacklinks } from './backlinks.ts'
import type { Period } from './positions.ts'
import { readRankedSubjects } from './search.ts'

export type Measured = { readonly day: string } & Readonly<Record<FigureName, number | null>>

type SubjectRow = Measured & { readonly authority_known: 0 | 1; readonly subject_id: number }

const daysPerRead = 500

/** The latest value of each figure, possibly of different days; null if it was never measured. */
export type Known = Readonly<Record<FigureName, number | null>> & {
  readonly measuredOn: string | null
  /** The authority was measured, and the site has none. */
  readonly hasNoAuthority: boolean
}

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

export async function siteFigures(person: SiteReader, site: OpenedSite, period: Period): Promise<SiteFigures> {
  const db = person.app.store.db
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
    backlinks: await readNewBacklinks(db, site, own, period),
    backlinksBefore: period.before ? await countBacklinks(db, site, own, period.before) : 0,
    lastBacklinkOn: await lastBacklink(db, site, own, period.to),
  }
}

/** Newest first for each subject. Sorted here where there are several: the database would sort all their rows to find out that they do not fit into a piece. */
async function* measuredPieces(
  db: Kysely<Tables>,
  site: OpenedSite,
  subjectIds: readonly number[],
  to: string,
): AsyncGenerator<readonly SubjectRow[]> {
  const all = db
    .selectFrom('snapshots')
    .select(['subject_id', 'day', 'authority_known', ...siteFigureNames])
    .where('account_id', '=', site.account_id)
    .limit(daysPerRead)
  const read = (ids: readonly number[], last?: SubjectRow): Promise<SubjectRow[]> => {
    const some = all.where('subject_id', 'in', ids)
    const until = last === undefined ? some.where('day', '<=', to) : some.where('day', '<', last.day)
    return (ids.length === 1 ? until.orderBy('day', 'desc') : until).execute()
  }
  for await (const rows of pieces<SubjectRow>(subjectIds, read, daysPerRead)) yield rows.toSorted((a, b) => (a.day < b.day ? 1 : -1))
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
