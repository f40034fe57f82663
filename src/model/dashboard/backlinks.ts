/** The links to a site that were found in a period: counted, some of them shown, and all of them as a stream. */

import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { dayNumber, weekOf } from '../../lib/time/days.ts'
import { byteBlocks, mostShownBytes, orderedByIds, type TextKey, withinBytes } from '../../lib/work/byte-blocks.ts'
import { readBehind } from '../../store/read-behind.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { OpenedSite, SiteReader } from '../people/visible-sites.ts'
import type { DaySpan } from './positions.ts'
import { readRankedSubjects } from './search.ts'

export interface NewBacklink {
  readonly id: number
  readonly found_on: string
  readonly domain: string
  readonly link_strength: number
  readonly source_url: string
  readonly domain_authority: number
  readonly anchor_text: string
}

/** The backlinks found in a period, without their texts: there may be a million. */
export interface NewBacklinks {
  /** Newest first. */
  readonly ids: readonly number[]
  /** How many were found in each week, by the number of its first day. */
  readonly byWeek: ReadonlyMap<number, number>
  /** How many have a strength of 0 to 9, of 10 to 19 and so on; the last class is 90 and more. */
  readonly byStrength: readonly number[]
}

const strengthClasses = 10
const linksPerRead = 1_000
const columns = ['id', 'found_on', 'domain', 'link_strength', 'source_url', 'domain_authority', 'anchor_text'] as const

/** Counted as they are read: to go through a long list at once would hold the event loop. */
export async function readNewBacklinks(db: Kysely<Tables>, site: OpenedSite, own: number | null, period: DaySpan): Promise<NewBacklinks> {
  const ids: number[] = []
  const byDay = new Map<string, number>()
  const byStrength = new Array<number>(strengthClasses).fill(0)
  const links = foundLinks(db, site, own).select(['id', 'found_on', 'link_strength'])
  for await (const some of newestFirst(links, period))
    for (const { id, found_on, link_strength } of some) {
      ids.push(id)
      byDay.set(found_on, (byDay.get(found_on) ?? 0) + 1)
      const at = Math.max(0, Math.min(strengthClasses - 1, Math.floor(link_strength / 10)))
      byStrength[at] = (byStrength[at] as number) + 1
    }
  return { ids, byWeek: perWeek(byDay), byStrength }
}

function perWeek(byDay: ReadonlyMap<string, number>): Map<number, number> {
  const byWeek = new Map<number, number>()
  for (const [day, amount] of byDay) {
    const week = weekOf(dayNumber(day))
    byWeek.set(week, (byWeek.get(week) ?? 0) + amount)
  }
  return byWeek
}

export async function countBacklinks(db: Kysely<Tables>, site: OpenedSite, own: number | null, span: DaySpan): Promise<number> {
  let amount = 0
  for await (const some of newestFirst(foundLinks(db, site, own).select(['id', 'found_on']), span)) amount += some.length
  return amount
}

export async function lastBacklink(db: Kysely<Tables>, site: OpenedSite, own: number | null, to: string): Promise<string | null> {
  const last = foundLinks(db, site, own)
    .where('found_on', '<=', to)
    .select((eb) => eb.fn.max('found_on').as('day'))
  return (await last.executeTakeFirst())?.day ?? null
}

/** In the order of the ids, as many as may be shown at once. */
export async function readLinks({ app }: SiteReader, site: OpenedSite, ids: readonly number[]): Promise<NewBacklink[]> {
  if (ids.length === 0) return []
  const db = app.store.db
  const keys = await linksOf(db, site).select(['id', bytesOfTexts]).where('id', 'in', ids).execute()
  const links: NewBacklink[] = []
  for (const some of byteBlocks(withinBytes(orderedByIds(ids, keys), mostShownBytes))) links.push(...(await readTexts(db, site, some)))
  return links
}

/** All backlinks found in the period, newest first, a bounded number of bytes at a time. */
export async function* eachBacklink(reader: SiteReader, site: OpenedSite, period: DaySpan): AsyncGenerator<readonly NewBacklink[]> {
  const db = reader.app.store.db
  const { own } = await readRankedSubjects(db, site)
  const keys = foundLinks(db, site, own).select(['id', 'found_on', bytesOfTexts])
  for await (const piece of newestFirst(keys, period)) for (const some of byteBlocks(piece)) yield await readTexts(db, site, some)
}

async function readTexts(db: Kysely<Tables>, site: OpenedSite, keys: readonly TextKey[]): Promise<NewBacklink[]> {
  const ids = keys.map(({ id }) => id)
  return orderedByIds(ids, await linksOf(db, site).select(columns).where('id', 'in', ids).execute())
}

const bytesOfTexts = sql<number>`octet_length(source_url) + octet_length(anchor_text)`.as('bytes')

function linksOf(db: Kysely<Tables>, site: OpenedSite) {
  return db.selectFrom('backlinks').where('account_id', '=', site.account_id)
}

function foundLinks(db: Kysely<Tables>, site: OpenedSite, own: number | null) {
  return linksOf(db, site).where('subject_id', '=', own ?? -1)
}

/** Follows the index in pieces. Each statement has one upper bound: given two, a database may choose the one that goes through all earlier pieces again. */
async function* newestFirst<R extends { id: number; found_on: string }>(
  links: SelectQueryBuilder<Tables, 'backlinks', R>,
  { from, to }: DaySpan,
): AsyncGenerator<readonly R[]> {
  const all = links.where('found_on', '>=', from).orderBy('found_on', 'desc').orderBy('id', 'desc').limit(linksPerRead)
  let some = await all.where('found_on', '<=', to).execute()
  while (some.length > 0) {
    yield some
    const last = some.at(-1)
    if (last === undefined || some.length < linksPerRead) return
    const restOfDay = all.where('found_on', '=', last.found_on).where('id', '<', last.id)
    some = await readBehind(
      linksPerRead,
      () => restOfDay.execute(),
      () => all.where('found_on', '<', last.found_on).execute(),
    )
  }
}
