/** Locations of the sites that the caller reaches, at most one per site: listed, added, changed, and deleted if they have no pages. */

import type { Kysely } from 'kysely'
import { invalid, notFound, refuse } from '../../lib/failures.ts'
import { atMost, batchesOf } from '../../lib/work/batches.ts'
import { type ChangedLocation, location, type NewLocation, type SiteLocation } from '../../resources/location.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit, auditAll } from '../core/audit.ts'
import { type ListPage, page } from '../core/paging.ts'
import { initialLocation } from '../core/place-rows.ts'
import { lockMeasuredVersions, lockReportVersions, renewReportVersions } from '../core/report-version.ts'
import { noteSaid, wasSaid } from '../core/steps.ts'
import { locationsWithin, type Managing, sitesWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { orderedAs } from './site-contents.ts'

type Db = Kysely<Tables>

/** All of one statement are recorded together. */
const locationsPerStatement = 200
const columns = Object.keys(location) as (keyof SiteLocation)[]

interface NarrowLocations {
  readonly account_id?: number
  readonly site_id?: number
}

export function listLocations(caller: Managing, after?: string, narrow: NarrowLocations = {}): Promise<ListPage<SiteLocation>> {
  const { account_id, site_id } = narrow
  let locations = locationsWithin(caller).select(columns)
  if (account_id !== undefined) locations = locations.where('account_id', '=', account_id)
  if (site_id !== undefined) locations = locations.where('site_id', '=', site_id)
  return page(locations, after)
}

export function findLocation(caller: Managing, id: number): Promise<SiteLocation> {
  return locationIn(caller.app.store.db, caller, id)
}

/** Sites that already have a location keep it unchanged; the answer has all of them, in the order of the request. */
export async function addLocations(caller: Managing, wanted: readonly NewLocation[]): Promise<SiteLocation[]> {
  const ids = [...new Set(wanted.map(({ site_id }) => site_id))]
  if (ids.length === 0) return []
  const accounts = await accountsBySite(caller.app.store.db, caller, ids)
  const firstOf = new Map(wanted.toReversed().map((one) => [one.site_id, one]))
  return change(caller, async (tx) => {
    // Deleting a site locks its account first, so the sites found now cannot disappear.
    await lockReportVersions(caller.app.store, tx, accounts.values())
    const found = await accountsBySite(tx, caller, ids)
    refuseUnknownSites(wanted, found)
    const fresh = ids.map((site_id) => {
      const { twitter_page = null, facebook_page = null } = firstOf.get(site_id) ?? {}
      return { account_id: found.get(site_id) as number, site_id, twitter_page, facebook_page }
    })
    for (const some of batchesOf(fresh, locationsPerStatement)) await insertLocations(tx, caller, some)
    const known = await locationsWithin(caller, tx).select(columns).where('site_id', 'in', ids).execute()
    return orderedAs(ids, known, ({ site_id }) => site_id)
  })
}

/** Adds an empty location unless the site has one. The account must be locked by `lockReportVersions`. */
export function ensureLocation(tx: Db, caller: Managing, place: Pick<SiteLocation, 'account_id' | 'site_id'>): Promise<void> {
  return insertLocations(tx, caller, [place])
}

/** A repetition changes nothing and records nothing. */
export async function changeLocation(caller: Managing, id: number, given: ChangedLocation): Promise<SiteLocation> {
  const { account_id } = await findLocation(caller, id)
  return change(caller, async (tx) => {
    await lockReportVersions(caller.app.store, tx, [account_id])
    const before = await locationIn(tx, caller, id)
    const wanted = { twitter_page: changedText(before, given, 'twitter_page'), facebook_page: changedText(before, given, 'facebook_page') }
    const said = (['twitter_page', 'facebook_page'] as const).filter((name) => given[name] !== undefined)
    await noteSaid(
      tx,
      account_id,
      'location',
      said.map((name) => ({ owner: before.site_id, key: '', ...wasSaid(name, before[name], wanted[name]) })),
    )
    if (wanted.twitter_page === before.twitter_page && wanted.facebook_page === before.facebook_page) return before
    const after = { ...before, ...wanted }
    await tx.updateTable('locations').set(wanted).where('account_id', '=', account_id).where('id', '=', id).execute()
    await renewReportVersions(tx, [account_id])
    await audit(tx, caller, 'location.change', siteOf(before), { before, after })
    return after
  })
}

/** Refuses while pages of the site or its competitors belong to the location. */
export async function deleteLocation(caller: Managing, id: number): Promise<SiteLocation> {
  const { account_id } = await findLocation(caller, id)
  return change(caller, async (tx) => {
    await lockReportVersions(caller.app.store, tx, [account_id])
    await lockMeasuredVersions(caller.app.store, tx, [account_id])
    const before = await locationIn(tx, caller, id)
    await refuseWhilePagesHang(tx, before)
    await tx.deleteFrom('locations').where('account_id', '=', account_id).where('id', '=', id).execute()
    await renewReportVersions(tx, [account_id])
    await audit(tx, caller, 'location.delete', siteOf(before), { before })
    return before
  })
}

async function locationIn(db: Db, caller: Managing, id: number): Promise<SiteLocation> {
  return (await locationsWithin(caller, db).select(columns).where('id', '=', id).executeTakeFirst()) ?? notFound('location')
}

async function accountsBySite(db: Db, caller: Managing, ids: readonly number[]): Promise<Map<number, number>> {
  const sites = await sitesWithin(caller, db).select(['id', 'account_id']).where('id', 'in', ids).execute()
  return new Map(sites.map(({ id, account_id }) => [id, account_id]))
}

function refuseUnknownSites(wanted: readonly NewLocation[], known: ReadonlyMap<number, number>): void {
  const faults = wanted.flatMap(({ site_id }, index) =>
    known.has(site_id) ? [] : [{ field: 'locations', code: 'does_not_exist' as const, pointer: `/locations/${index}/site_id` }],
  )
  if (faults.length > 0) invalid(faults)
}

type WantedLocation = Pick<SiteLocation, 'account_id' | 'site_id'> & Partial<Pick<SiteLocation, 'twitter_page' | 'facebook_page'>>

async function insertLocations(tx: Db, caller: Managing, wanted: readonly WantedLocation[]): Promise<void> {
  const now = caller.app.clock.now()
  const added = await tx
    .insertInto('locations')
    .values(wanted.map((one) => ({ ...initialLocation(now), ...one })))
    .onConflict((taken) => taken.columns(['account_id', 'site_id']).doNothing())
    .returning(columns)
    .execute()
  const accounts = Map.groupBy(wanted, ({ account_id }) => account_id)
  for (const [accountId, some] of atMost([...accounts], locationsPerStatement))
    await noteSaid(
      tx,
      accountId,
      'location',
      some.map(({ site_id }) => ({ owner: site_id, key: '', before: {} })),
    )
  if (added.length === 0) return
  await renewReportVersions(
    tx,
    added.map(({ account_id }) => account_id),
  )
  const changes = added.map((after) => ({ subject: siteOf(after), after }))
  await auditAll(tx, caller, 'location.create', changes)
}

function changedText(before: SiteLocation, given: ChangedLocation, name: keyof ChangedLocation): string | null {
  const text = given[name]
  return text === undefined ? before[name] : text || null
}

async function refuseWhilePagesHang(tx: Db, { account_id, site_id }: SiteLocation): Promise<void> {
  const hanging = await tx
    .selectFrom('pages')
    .innerJoin('subjects', (on) => on.onRef('subjects.account_id', '=', 'pages.account_id').onRef('subjects.id', '=', 'pages.subject_id'))
    .select('pages.page_url')
    .where('pages.account_id', '=', account_id)
    .where('subjects.site_id', '=', site_id)
    .limit(1)
    .executeTakeFirst()
  if (hanging !== undefined) refuse('conflict', `The location has pages, such as ${hanging.page_url}: delete them first`)
}

function siteOf({ account_id, site_id }: SiteLocation) {
  return { id: site_id, account_id }
}
