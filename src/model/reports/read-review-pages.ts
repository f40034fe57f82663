/** Locations of an account's sites and the pages that belong to them or to competitors, in the order of reports. */

import type { SnapshotReader } from './prefetch.ts'

export interface LocationInReport {
  readonly id: number
  readonly site_id: number
  readonly created_at: string
  readonly twitter_page: string | null
  readonly facebook_page: string | null
}

export interface PageInReport {
  readonly id: number
  readonly account_id: number
  readonly subject_id: number
  readonly site_id: number
  /** Of the site's location, not of a competitor. */
  readonly isOwn: boolean
  readonly page_url: string
  readonly created_at: string
  readonly match_confidence: number
  readonly last_updated: string
  readonly source: string
}

const locationsAtOnce = 50

/** By site; sites without a location are left out. */
export async function* readLocations(
  reading: SnapshotReader,
  accountId: number,
  siteIds: readonly number[] | null,
): AsyncGenerator<LocationInReport[]> {
  for (let after = 0; ; ) {
    const some = await locationsAfter(reading, accountId, siteIds, after)
    const last = some.at(-1)
    if (last === undefined) return
    yield some
    after = last.site_id
  }
}

function locationsAfter(
  { db, isOneOf }: SnapshotReader,
  accountId: number,
  siteIds: readonly number[] | null,
  after: number,
): Promise<LocationInReport[]> {
  const locations = db
    .selectFrom('locations')
    .select(['id', 'site_id', 'created_at', 'twitter_page', 'facebook_page'])
    .where('account_id', '=', accountId)
    .where('site_id', '>', after)
  return (siteIds === null ? locations : locations.where(isOneOf('site_id', siteIds))).orderBy('site_id').limit(locationsAtOnce).execute()
}

/** In the order in which they are printed: site by site, competitors before the site's own, each by id. */
export async function readReviewPages(
  { db, isOneOf }: SnapshotReader,
  accountId: number,
  locations: readonly LocationInReport[],
  of: 'sites' | 'all',
): Promise<PageInReport[]> {
  const siteIds = locations.map(({ site_id }) => site_id)
  const pages = db
    .selectFrom('subjects')
    .innerJoin('pages', (on) => on.onRef('pages.account_id', '=', 'subjects.account_id').onRef('pages.subject_id', '=', 'subjects.id'))
    .select([
      'pages.id',
      'pages.account_id',
      'subject_id',
      'site_id',
      'domain',
      'page_url',
      'pages.created_at',
      'match_confidence',
      'last_updated',
      'source',
    ])
    .where('subjects.account_id', '=', accountId)
    .where(isOneOf('site_id', siteIds))
  const rows = await (of === 'sites' ? pages.where('domain', '=', '') : pages).execute()
  const owned = rows.map(({ domain, ...page }) => ({ ...page, isOwn: domain === '' }))
  return owned.sort((a, b) => a.site_id - b.site_id || Number(a.isOwn) - Number(b.isOwn) || a.subject_id - b.subject_id || a.id - b.id)
}
