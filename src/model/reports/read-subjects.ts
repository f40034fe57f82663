/** Reads the subjects of an account's sites (each site itself, or its competitors) with their figures: the latest value of each up to a day. */

import type { ExpressionBuilder } from 'kysely'
import { competitorFigureNames, type FigureName, siteFigureNames } from '../../resources/seo-report.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Param } from '../../store/store.ts'
import { Prefetch } from './prefetch.ts'
import { type Building, type SnapshotReader, statement } from './snapshot-reader.ts'

/** A site itself, which has a subject from its first measurement on, or one of its competitors. */
export interface SubjectInReport {
  readonly id: number
  readonly site_id: number
  readonly domain: string
  readonly created_at: string
}

export interface MeasuredSubject extends SubjectInReport {
  readonly figures: Figures
}

type KnownFigures = { [N in FigureName]: number | null }
type WrittenFigures = { [N in FigureName]: N extends 'domain_authority' ? number | null : number }

export interface Figures {
  /** Null if nothing was measured, or if there is no authority. */
  readonly known: KnownFigures
  /** The figures as the interface prints them, where only the authority can be null. */
  readonly written: WrittenFigures
}

export type SubjectKind = 'sites' | 'competitors'

export interface SubjectReading<S extends SubjectInReport> {
  readonly reading: SnapshotReader
  readonly accountId: number
  readonly of: SubjectKind
  /** Called with subjects as soon as they are read, in the order of printing. */
  readonly onSubjects: (subjects: readonly S[]) => void
}

/** Smaller, because each figure is looked up separately. A server looks them up beside us, and asking it once more costs us more. */
const measuredAtOnce = { remote: 256, local: 32 }
/** A figure that was never measured is looked for on all days. A subject with more days than this is asked for alone, where that holds up others. */
const fewDays = 1_000
const subjectsAtOnce = 500
const sitesAtFirst = 16

export const nothingMeasured: Figures = { known: {} as KnownFigures, written: written({}) }

/** Ordered by site, then by id. */
export function readSubjects({ reading, accountId, of, onSubjects }: SubjectReading<SubjectInReport>): Prefetch<SubjectInReport> {
  const read = (siteIds: readonly number[], after = 0) => statements[of].plain(reading, siteIds, { accountId, after })
  return ahead(reading, subjectsAtOnce, read, onSubjects)
}

export function readMeasuredSubjects(
  { reading, accountId, of, onSubjects }: SubjectReading<MeasuredSubject>,
  by: string,
  withDays: boolean,
): Prefetch<MeasuredSubject> {
  const select = statements[of][withDays ? 'withDays' : 'measured']
  const read = async (siteIds: readonly number[], after = 0): Promise<MeasuredSubject[]> => {
    const asked = { accountId, after, by }
    const rows = await (reading.isRemote ? select.ofSites(reading, siteIds, asked) : readApart(reading, select, siteIds, asked))
    return rows.map((row) => ({ ...row, figures: figuresIn(row) }))
  }
  return ahead(reading, reading.isRemote ? measuredAtOnce.remote : subjectsAtOnce, read, onSubjects)
}

/** Looks for figures only of subjects that were measured, and for those of many days one by one. */
async function readApart(
  reading: SnapshotReader,
  { counted, ofSubjects }: FigureStatements,
  siteIds: readonly number[],
  asked: AskedFigures,
): Promise<SubjectInReport[]> {
  const subjects = await counted(reading, siteIds, asked)
  const byId = new Map<number, SubjectInReport>()
  for (const ids of bySize(subjects)) for (const row of await ofSubjects(reading, ids, { ...asked, after: 0 })) byId.set(row.id, row)
  return subjects.map(({ has_some: _some, has_many: _many, ...subject }) => byId.get(subject.id) ?? subject)
}

function* bySize(subjects: readonly CountedSubject[]): Generator<number[]> {
  let few: number[] = []
  for (const { id, has_some, has_many } of subjects) {
    if (has_many !== null) yield [id]
    else if (has_some !== null) few.push(id)
    if (few.length === measuredAtOnce.local) {
      yield few
      few = []
    }
  }
  if (few.length > 0) yield few
}

function ahead<S extends SubjectInReport>(
  { isRemote }: SnapshotReader,
  limit: number,
  read: (siteIds: readonly number[], after?: number) => Promise<S[]>,
  onRows: (rows: readonly S[]) => void,
): Prefetch<S> {
  return new Prefetch<S>({
    first: sitesAtFirst,
    early: isRemote,
    read: (siteIds) => read(siteIds),
    readOn: (siteId, { id }) => read([siteId], id),
    groupOf: ({ site_id }) => site_id,
    limit,
    onRows,
  })
}

const statements = { sites: statementsOf('sites', siteFigureNames), competitors: statementsOf('competitors', competitorFigureNames) }

interface AskedSubjects {
  readonly accountId: number
  readonly after: number
}

interface AskedFigures extends AskedSubjects {
  readonly by: string
}

function statementsOf(kind: SubjectKind, names: readonly FigureName[]) {
  const inOrder = { group: 'site_id', order: ['id'] } as const
  const measured = (building: Building<AskedFigures>) =>
    select(building, kind).select((subject) => names.map((name) => latestOf(subject, building.param, name, name).as(name)))
  const withDays = (building: Building<AskedFigures>) =>
    measured(building).select((subject) => names.map((name) => latestOf(subject, building.param, name, 'day').as(`${name}_on`)))
  const withFigures = (figures: typeof measured) => ({
    counted: statement<AskedFigures, CountedSubject>({
      ...inOrder,
      limit: subjectsAtOnce,
      select: (building) =>
        select(building, kind)
          .select((subject) => daysOf(subject, building.param).as('has_some'))
          .select((subject) => daysOf(subject, building.param).offset(fewDays).as('has_many')),
    }),
    ofSites: statement<AskedFigures, SubjectInReport>({ ...inOrder, limit: measuredAtOnce.remote, select: figures }),
    ofSubjects: statement<AskedFigures, SubjectInReport>({
      group: 'subjects.id',
      order: [],
      limit: measuredAtOnce.local,
      select: figures,
    }),
  })
  return {
    plain: statement<AskedSubjects, SubjectInReport>({ ...inOrder, limit: subjectsAtOnce, select: (building) => select(building, kind) }),
    measured: withFigures(measured),
    withDays: withFigures(withDays),
  }
}

type FigureStatements = (typeof statements)['sites']['measured']

interface CountedSubject extends SubjectInReport {
  /** The latest day; null for a subject that was never measured. */
  readonly has_some: string | null
  /** The first day beyond a few; null where there is none. */
  readonly has_many: string | null
}

function select({ db, param }: Building<AskedSubjects>, of: SubjectKind) {
  return db
    .selectFrom('subjects')
    .select(['subjects.id', 'site_id', 'domain', 'created_at'])
    .where('subjects.account_id', '=', param('accountId'))
    .where('domain', of === 'sites' ? '=' : '!=', '')
    .where('subjects.id', '>', param('after'))
}

/** The latest value of a figure, or its day. */
function latestOf(
  subject: ExpressionBuilder<Tables, 'subjects'>,
  param: Param<AskedFigures>,
  name: FigureName,
  wanted: FigureName | 'day',
) {
  const days = daysOf(subject, param).clearSelect().select(`snapshots.${wanted} as wanted`)
  return name === 'domain_authority' ? days.where('authority_known', '=', 1) : days.where(`snapshots.${name}`, 'is not', null)
}

/** The latest day on which a subject was measured. */
function daysOf(subject: ExpressionBuilder<Tables, 'subjects'>, param: Param<AskedFigures>) {
  return subject
    .selectFrom('snapshots')
    .select('day')
    .where('snapshots.account_id', '=', param('accountId'))
    .whereRef('snapshots.subject_id', '=', 'subjects.id')
    .where('day', '<=', param('by'))
    .orderBy('day', 'desc')
    .limit(1)
}

function figuresIn({ id: _id, site_id: _site, domain: _domain, created_at: _created, ...known }: SubjectInReport): Figures {
  return { known: known as unknown as KnownFigures, written: written(known) }
}

function written(known: Partial<KnownFigures>): WrittenFigures {
  return Object.fromEntries(
    siteFigureNames.map((name) => [name, known[name] ?? (name === 'domain_authority' ? null : 0)]),
  ) as WrittenFigures
}
