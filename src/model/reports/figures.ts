/** The single figures of subjects: the latest known value of each field, dated on or before a day. */

import type { ExpressionBuilder } from 'kysely'
import { competitorFigureNames, type FigureName, siteFigureNames } from '../../resources/seo-report.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { SnapshotReader } from './prefetch.ts'

type Known = { [N in FigureName]: number | null }
type Written = { [N in FigureName]: N extends 'domain_authority' ? number | null : number }

export interface Figures {
  /** Null where nothing was measured, and where an authority was looked for and there is none. */
  readonly known: Known
  /** As the interface prints them, which has no place for null but in the authority. */
  readonly written: Written
}

export async function readFigures(reading: SnapshotReader, siteIds: readonly number[], by: string): Promise<Map<number, Figures>> {
  const rows = await Promise.all([latest(reading, siteIds, by, 'sites'), latest(reading, siteIds, by, 'competitors')])
  return new Map(rows.flat().map(({ id, ...known }) => [id, { known: known as Known, written: written(known) }]))
}

export const nothingMeasured: Figures = { known: {} as Known, written: written({}) }

function latest({ db, isOneOf }: SnapshotReader, siteIds: readonly number[], by: string, of: 'sites' | 'competitors') {
  const names = of === 'sites' ? siteFigureNames : competitorFigureNames
  return db
    .selectFrom('subjects')
    .select('subjects.id')
    .select((subject) => names.map((name) => latestOf(subject, name, by).as(name)))
    .where(isOneOf('site_id', siteIds))
    .where('subjects.domain', of === 'sites' ? '=' : '!=', '')
    .execute()
}

function latestOf(subject: ExpressionBuilder<Tables, 'subjects'>, name: FigureName, by: string) {
  const days = subject
    .selectFrom('snapshots')
    .select(`snapshots.${name} as figure`)
    .whereRef('snapshots.subject_id', '=', 'subjects.id')
    .where('day', '<=', by)
  const known = name === 'domain_authority' ? days.where('authority_known', '=', 1) : days.where(`snapshots.${name}`, 'is not', null)
  return known.orderBy('day', 'desc').limit(1)
}

function written(known: Partial<Known>): Written {
  return Object.fromEntries(siteFigureNames.map((name) => [name, known[name] ?? (name === 'domain_authority' ? null : 0)])) as Written
}
