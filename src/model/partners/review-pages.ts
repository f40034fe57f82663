/** Pages on which a site that the caller reaches and its competitors are reviewed: listed, added and deleted. */

import type { Kysely } from 'kysely'
import { invalid, notFound } from '../../lib/failures.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { NewReviewPage, SitePage } from '../../resources/site-contents.ts'
import type { PageRow } from '../../store/rows/measurements.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { type ListPage, page } from '../core/paging.ts'
import { initialPage, pageKeyHash } from '../core/place-rows.ts'
import { lockMeasuredVersions, lockReportVersions, renewMeasuredVersions } from '../core/report-version.ts'
import { noteSaid } from '../core/steps.ts'
import type { Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { ensureLocation } from './locations.ts'
import {
  auditContents,
  orderedAs,
  ownSubject,
  placeOf,
  refuseRemovedSite,
  removeContents,
  rowsPerStatement,
  type SitePlace,
} from './site-contents.ts'

type Db = Kysely<Tables>

export async function listReviewPages(caller: Managing, siteId: number, after?: string): Promise<ListPage<SitePage>> {
  const { items, next } = await page<PageOfSubject>(pagesOf(caller.app.store.db, await placeOf(caller, siteId)), after)
  return { items: items.map(shownPage), next }
}

export async function findReviewPage(caller: Managing, siteId: number, id: number): Promise<SitePage> {
  const place = await placeOf(caller, siteId)
  return shownPage((await pagesOf(caller.app.store.db, place).where('id', '=', id).executeTakeFirst()) ?? notFound('page'))
}

/** Existing pages stay unchanged and are in the answer with the new ones. The first page of a site creates its location. */
export async function addReviewPages(caller: Managing, siteId: number, wanted: readonly NewReviewPage[]): Promise<SitePage[]> {
  const place = await placeOf(caller, siteId)
  const { store } = caller.app
  if (wanted.length === 0) return []
  return change(caller, async (tx) => {
    await lockReportVersions(store, tx, [place.account_id])
    await lockMeasuredVersions(store, tx, [place.account_id])
    await refuseRemovedSite(tx, caller, siteId)
    await refuseUnknownCompetitors(tx, caller, place, wanted)
    await ensureLocation(tx, caller, place)
    const rows = await rowsOf(tx, caller, place, wanted)
    const added = await inBatches(rows, rowsPerStatement, (some) => insertedPages(tx, some))
    await noteSaid(
      tx,
      place.account_id,
      'page',
      rows.map(({ subject_id, key_hash }) => ({ owner: subject_id, key: key_hash, before: {} })),
    )
    if (added.length > 0) {
      await renewMeasuredVersions(tx, [place.account_id])
      await auditContents(tx, caller, 'page.create', place, { after: { pages: added } })
    }
    const known = await inBatches(rows, rowsPerStatement, (some) => knownPages(tx, place, some))
    return orderedAs(rows.map(nameOf), known, nameOf).map(shownPage)
  })
}

/** Deletes the page with its reviews and counts. */
export async function deleteReviewPage(caller: Managing, siteId: number, id: number): Promise<SitePage> {
  const before = await findReviewPage(caller, siteId, id)
  return removeContents(caller, siteId, 'page', before)
}

interface PageOfSubject extends Omit<SitePage, 'competitor_id'> {
  readonly subject_id: number
  readonly owner: string
  readonly key_hash: string
}

function pagesOf(db: Db, { account_id, site_id }: SitePlace) {
  const joined = db
    .selectFrom('pages')
    .innerJoin('subjects', (on) => on.onRef('subjects.account_id', '=', 'pages.account_id').onRef('subjects.id', '=', 'pages.subject_id'))
    .select(['pages.id', 'subjects.site_id', 'pages.subject_id', 'subjects.domain as owner', 'pages.source', 'pages.page_url'])
    .select(['pages.match_confidence', 'pages.last_updated', 'pages.created_at', 'pages.key_hash'])
    .where('pages.account_id', '=', account_id)
    .where('subjects.site_id', '=', site_id)
  return db.selectFrom(joined.as('pages')).selectAll()
}

function shownPage({ subject_id, owner, key_hash: _key, ...row }: PageOfSubject): SitePage {
  return { ...row, competitor_id: owner === '' ? null : subject_id }
}

async function refuseUnknownCompetitors(
  tx: Db,
  { app }: Managing,
  { account_id, site_id }: SitePlace,
  wanted: readonly NewReviewPage[],
): Promise<void> {
  const { isOneOf, idList } = app.store.engine
  const asked = wanted.flatMap(({ competitor_id }) => (isNone(competitor_id) ? [] : [competitor_id]))
  const competitors = tx.selectFrom('subjects').select('id').where('account_id', '=', account_id).where('site_id', '=', site_id)
  const found = await competitors
    .where('domain', '!=', '')
    .where(isOneOf('id', idList(asked)))
    .execute()
  const known = new Set(found.map(({ id }) => id))
  const faults = wanted.flatMap(({ competitor_id }, index) =>
    isNone(competitor_id) || known.has(competitor_id)
      ? []
      : [{ field: 'pages', code: 'does_not_exist' as const, pointer: `/pages/${index}/competitor_id` }],
  )
  if (faults.length > 0) invalid(faults)
}

function isNone(id: number | null | undefined): id is null | undefined {
  return id === null || id === undefined
}

type FreshPage = Omit<PageRow, 'id'>

/** Rows like those an import stores: with the same key and the same default values. */
async function rowsOf(tx: Db, caller: Managing, place: SitePlace, wanted: readonly NewReviewPage[]): Promise<FreshPage[]> {
  const { account_id } = place
  const own = wanted.some(({ competitor_id }) => isNone(competitor_id)) ? await ownSubject(tx, caller, place) : 0
  const now = caller.app.clock.now()
  const rows = wanted.map(({ competitor_id, source, page_url }) => {
    const subject_id = competitor_id ?? own
    return { ...initialPage(now), account_id, subject_id, source, page_url, key_hash: pageKeyHash(source, page_url) }
  })
  return [...new Map(rows.map((row) => [nameOf(row), row])).values()]
}

async function insertedPages(tx: Db, rows: readonly FreshPage[]): Promise<object[]> {
  const pages = tx.insertInto('pages').values(rows)
  const fresh = pages.onConflict((taken) => taken.columns(['account_id', 'subject_id', 'key_hash']).doNothing())
  return fresh.returning(['id', 'source', 'page_url']).execute()
}

function knownPages(tx: Db, place: SitePlace, rows: readonly FreshPage[]): Promise<PageOfSubject[]> {
  const keys = rows.map(({ key_hash }) => key_hash)
  return pagesOf(tx, place).where('key_hash', 'in', keys).execute()
}

function nameOf({ subject_id, key_hash }: Pick<PageRow, 'subject_id' | 'key_hash'>): string {
  return `${subject_id} ${key_hash}`
}
