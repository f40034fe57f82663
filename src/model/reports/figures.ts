/** The single figures of subjects: the latest known value of each field, dated on or before a day. */

import type { ExpressionBuilder, RawBuilder, SqlBool } from 'kysely'
import { competitorFigureNames, type FigureName, siteFigureNames } from '../../resources/seo-report.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { isOneOrMore, type SnapshotReader } from './prefetch.ts'

type Known = { [N in FigureName]: number | null }
type Written = { [N in FigureName]: N extends 'domain_authority' ? number | null : number }

export interface Figures {
  /** Null where nothing was measured, and where an authority was looked for and there is none. */
  readonly known: Known
  /** As the interface prints them, which has no place for null but in the authority. */
  readonly written: Written
}

export async function readFigures(
  reading: SnapshotReader,
  accountIds: ReadonlySet<number>,
  siteIds: readonly number[],
  by: string,
): Promise<Map<number, Figures>> {
  const of = (which: 'sites' | 'competitors') => latest(reading, accountIds, siteIds, by, which)
  const rows = await Promise.all([of('sites'), of('competitors')])
  return new Map(rows.flat().map(({ id, ...known }) => [id, { known: known as Known, written: written(known) }]))
}

export const nothingMeasured: Figures = { known: {} as Known, written: written({}) }

function latest(
  reading: SnapshotReader,
  accountIds: ReadonlySet<number>,
  siteIds: readonly number[],
  by: string,
  of: 'sites' | 'competitors',
) {
  const names = of === 'sites' ? siteFigureNames : competitorFigureNames
  const within = (table: string) => isOneOrMore(reading, `${table}.account_id`, accountIds)
  return reading.db
    .selectFrom('subjects')
    .select('subjects.id')
    .select((subject) => names.map((name) => latestOf(subject, name, by, within('snapshots')).as(name)))
    .where(within('subjects'))
    .where(reading.isOneOf('site_id', siteIds))
    .where('subjects.domain', of === 'sites' ? '=' : '!=', '')
    .execute()
}

/** The accounts are named here too: a database that is spread over machines does not look at the outer row to find the inner ones. */
function latestOf(subject: ExpressionBuilder<Tables, 'subjects'>, name: FigureName, by: string, within: RawBuilder<SqlBool>) {
  const days = subject
    .selectFrom('snapshots')
    .select(`snapshots.${name} as figure`)
    .where(within)
    .whereRef('snapshots.account_id', '=', 'subjects.account_id')
    .whereRef('snapshots.subject_id', '=', 'subjects.id')
    .where('day', '<=', by)
  const known = name === 'domain_authority' ? days.where('authority_known', '=', 1) : days.where(`snapshots.${name}`, 'is not', null)
  return known.orderBy('day', 'desc').limit(1)
}

function written(known: Partial<Known>): Written {
  return Object.fromEntries(siteFigureNames.map((name) => [name, known[name] ?? (name === 'domain_authority' ? null : 0)])) as Written
}
