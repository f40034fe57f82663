/** What refers to a business, site, competitor, keyword or page: one list for deleting it, for taking it back and for counting what belongs to it. */

import type { Kysely } from 'kysely'
import type { Engine } from '../../store/engine.ts'
import { placement } from '../../store/placement.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { allSeries } from '../../store/series.ts'

type Db = Kysely<Tables>

/** A subject is a site as it is measured, or a competitor. */
export type Removable = 'business' | 'site' | 'subject' | 'keyword' | 'page' | 'schedule'

export const removableTables = {
  business: 'businesses',
  site: 'sites',
  subject: 'subjects',
  keyword: 'keywords',
  page: 'pages',
  schedule: 'report_schedules',
} as const

export interface Dependent {
  readonly of: Removable
  readonly table: keyof Tables
  readonly column: string
  /** `account`: rows are found by account and owner. Otherwise by the owner alone, in some tables by its name in another column as well. */
  readonly by: 'account' | 'owner' | readonly [column: string, ...names: string[]]
  /** What to call them where an undo leaves the record because of such rows, which people or another intake have added. */
  readonly holds: string | null
  /** What a deletion does with them: a list of sites gets shorter, and ends with its last one. */
  readonly rows: 'go' | 'are set to 0' | 'get shorter'
  /** What they are called where they are counted. */
  readonly counted?: string
}

// biome-ignore format: a table reads by its columns
const rows: readonly Dependent[] = [
  { of: 'business', table: 'sites',               column: 'business_id',     by: 'account',                               holds: 'a site',                   rows: 'go' },
  { of: 'business', table: 'abilities',           column: 'scope_id',        by: ['scope_type', 'Business'],              holds: 'an ability',               rows: 'go' },
  { of: 'business', table: 'people_invitations',  column: 'scope_id',        by: ['scope_type', 'Business'],              holds: 'an invitation',            rows: 'go' },
  { of: 'business', table: 'external_ids',        column: 'record_id',       by: ['kind', 'business'],                    holds: 'an id of your own',        rows: 'go' },
  { of: 'business', table: 'old_ids',             column: 'new_id',          by: ['kind', 'copied business'],             holds: null,                       rows: 'go' },

  { of: 'site',     table: 'subjects',            column: 'site_id',         by: 'account',                               holds: 'what is known of it',      rows: 'go' },
  { of: 'site',     table: 'locations',           column: 'site_id',         by: 'account',                               holds: 'a location',               rows: 'go' },
  { of: 'site',     table: 'annotations',         column: 'site_id',         by: 'account',                               holds: 'a note',                   rows: 'go' },
  { of: 'site',     table: 'share_links',         column: 'site_id',         by: 'owner',                                 holds: 'a share link',             rows: 'go' },
  { of: 'site',     table: 'report_schedules',    column: 'site_ids',        by: 'account',                               holds: 'a schedule of reports',    rows: 'get shorter' },
  { of: 'site',     table: 'abilities',           column: 'scope_id',        by: ['scope_type', 'Site'],                  holds: 'an ability',               rows: 'go' },
  { of: 'site',     table: 'people_invitations',  column: 'scope_id',        by: ['scope_type', 'Site'],                  holds: 'an invitation',            rows: 'go' },
  { of: 'site',     table: 'external_ids',        column: 'record_id',       by: ['kind', 'site'],                        holds: 'an id of your own',        rows: 'go' },
  { of: 'site',     table: 'users',               column: 'current_site_id', by: 'owner',                                 holds: null,                       rows: 'are set to 0' },
  { of: 'site',     table: 'plain_series',        column: 'site_id',         by: 'account',                               holds: null,                       rows: 'go' },
  { of: 'site',     table: 'review_marks',        column: 'site_id',         by: 'account',                               holds: 'a marked review',          rows: 'go' },
  { of: 'site',     table: 'site_figures',        column: 'site_id',         by: 'account',                               holds: null,                       rows: 'go' },
  { of: 'site',     table: 'read_tokens',         column: 'site_id',         by: 'owner',                                 holds: null,                       rows: 'go' },
  { of: 'site',     table: 'data_source_sites',   column: 'site_id',         by: 'account',                               holds: null,                       rows: 'go' },
  { of: 'site',     table: 'old_ids',             column: 'new_id',          by: ['kind', 'site', 'copied site'],         holds: null,                       rows: 'go' },

  { of: 'subject',  table: 'keywords',            column: 'subject_id',      by: 'account',                               holds: 'a keyword',                rows: 'go', counted: 'keywords' },
  { of: 'subject',  table: 'pages',               column: 'subject_id',      by: 'account',                               holds: 'a page',                   rows: 'go', counted: 'pages' },
  { of: 'subject',  table: 'backlinks',           column: 'subject_id',      by: 'account',                               holds: 'a backlink',               rows: 'go', counted: 'backlinks' },
  { of: 'subject',  table: 'snapshots',           column: 'subject_id',      by: 'account',                               holds: 'a figure',                 rows: 'go', counted: 'snapshots' },
  { of: 'subject',  table: 'ranked_urls',         column: 'subject_id',      by: 'account',                               holds: null,                       rows: 'go' },
  { of: 'subject',  table: 'old_ids',             column: 'new_id',          by: ['kind', 'competitor'],                  holds: null,                       rows: 'go' },

  { of: 'keyword',  table: 'periods',             column: 'keyword_id',      by: 'account',                               holds: 'the figures of a period',  rows: 'go' },

  { of: 'page',     table: 'reviews',             column: 'page_id',         by: 'account',                               holds: 'a review',                 rows: 'go', counted: 'reviews' },

  { of: 'schedule', table: 'report_recipients',   column: 'schedule_id',     by: 'account',                               holds: null,                       rows: 'go' },
  { of: 'schedule', table: 'report_runs',         column: 'schedule_id',     by: 'account',                               holds: null,                       rows: 'go' },
]

const ownerNames = { keyword_id: 'keyword', page_id: 'page', subject_id: 'subject' } as const

const packed = allSeries.map(({ table, owner, counted }): Dependent => {
  return {
    of: ownerNames[owner],
    table,
    column: owner,
    by: 'account',
    holds: 'what was measured of it',
    rows: 'go',
    ...(counted && { counted }),
  }
})

export const dependents: readonly Dependent[] = [...rows, ...packed]

export function dependentsOf(owner: Removable): Dependent[] {
  return dependents.filter(({ of }) => of === owner)
}

/** What is about to go, by the tables of which it is asked: ids, of locations those of their sites. */
type Going = ReadonlyMap<string, ReadonlySet<number>>

/** Those of the records, all of one account, that something hangs on besides what is about to go; each with what does. What was measured goes with its intakes. */
export async function heldAmong(
  engine: Engine,
  db: Db,
  owner: Removable,
  accountId: number,
  ids: readonly number[],
  going?: Going,
): Promise<Map<number, string>> {
  const held = new Map<number, string>()
  for (const dependent of dependentsOf(owner))
    if (dependent.holds !== null)
      for (const id of await namedBy(engine, db, dependent, accountId, ids, going))
        if (!held.has(id)) held.set(id, `it has ${dependent.holds}`)
  return held
}

async function namedBy(
  engine: Engine,
  db: Db,
  dependent: Dependent,
  accountId: number,
  ids: readonly number[],
  going?: Going,
  isEach = false,
): Promise<number[]> {
  if (dependent.rows === 'get shorter') {
    const listed = new Set((await schedulesOfSites(db, accountId)).flatMap(({ sites }) => sites))
    return ids.filter((id) => listed.has(id))
  }
  const { table, column } = dependent
  const gone = going?.get(table)
  if (going !== undefined && gone === undefined && placement[table] === 'measured') return []
  // Whatever the table is, its rows are asked only for this column, and where some are about to go, for their ids.
  const named = db.selectFrom(table as 'keywords').select(`${column as 'subject_id'} as id`)
  const rows =
    gone === undefined
      ? isEach
        ? named
        : named.distinct()
      : named.select(`${table === 'locations' ? column : 'id'} as row` as 'id as row')
  const asked = narrowed(rows as never, dependent, accountId).where(engine.isOneOf(column, engine.idList(ids)))
  const found = (await asked.execute()) as { id: number; row?: number }[]
  return found.flatMap(({ id, row }) => (row !== undefined && gone?.has(row) ? [] : [id]))
}

/** Something that hangs on a record. */
export interface Hanging {
  readonly table: string
  readonly of: Exclude<Removable, 'schedule'>
  /** The record. */
  readonly id: number
}

const below: Partial<Record<keyof Tables, Hanging['of']>> = { sites: 'site', subjects: 'subject', keywords: 'keyword', pages: 'page' }

/** All that holds these records, and what hangs on that in turn, besides what is about to go. */
export async function hangingOn(
  engine: Engine,
  db: Db,
  owner: Hanging['of'],
  accountId: number,
  ids: readonly number[],
  going?: Going,
): Promise<Hanging[]> {
  const all: Hanging[] = []
  if (ids.length === 0) return all
  for (const dependent of dependentsOf(owner)) {
    if (dependent.holds === null) continue
    const { table, column } = dependent
    const named = await namedBy(engine, db, dependent, accountId, ids, going, true)
    all.push(...named.map((id) => ({ table, of: owner, id })))
    const next = below[table]
    if (next === undefined || named.length === 0) continue
    const rows = db
      .selectFrom(table as 'keywords')
      .select('id')
      .where('account_id', '=', accountId)
    const found = await rows.where(engine.isOneOf(column, engine.idList([...new Set(named)]))).execute()
    const staying = found.map(({ id }) => id).filter((id) => !going?.get(table)?.has(id))
    all.push(...(await hangingOn(engine, db, next, accountId, staying, going)))
  }
  return all
}

/** Rows to which conditions are added, whatever is done with them. */
export interface Narrowing {
  where(condition: ReturnType<Engine['isOneOf']>): Narrowing
  where(column: string, operator: '=' | 'in', value: number | readonly string[]): Narrowing
  limit(most: number): Narrowing
  execute(): Promise<unknown>
  executeTakeFirst(): Promise<unknown>
}

export function narrowed(rows: Narrowing, { by }: Dependent, accountId: number): Narrowing {
  if (by === 'account') return rows.where('account_id', '=', accountId)
  if (by === 'owner') return rows
  const [column, ...names] = by
  return rows.where(column, 'in', names)
}

/** The schedules of an account that are limited to some sites. */
export async function schedulesOfSites(db: Db, accountId: number): Promise<{ id: number; sites: number[] }[]> {
  const schedules = db.selectFrom('report_schedules').select(['id', 'site_ids']).where('account_id', '=', accountId)
  const rows = await schedules.where('site_ids', 'is not', null).execute()
  return rows.map(({ id, site_ids }) => ({ id, sites: JSON.parse(site_ids ?? '[]') as number[] }))
}
