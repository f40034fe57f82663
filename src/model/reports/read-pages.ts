/** Locations of an account's sites, and the pages with reviews of a site or of its competitors, by id. */

import { Prefetch } from './prefetch.ts'
import { type SnapshotReader, statement } from './snapshot-reader.ts'

export interface LocationInReport {
  readonly id: number
  readonly site_id: number
  readonly domain: string
  readonly created_at: string
  readonly twitter_page: string | null
  readonly facebook_page: string | null
}

export interface PageInReport {
  readonly id: number
  readonly subject_id: number
  readonly page_url: string
  readonly created_at: string
  readonly match_confidence: number
  readonly last_updated: string
  readonly source: string
}

const locationsAtOnce = 50
const pagesAtOnce = 500
const subjectsAtFirst = 50

/** Ordered by site; sites without a location are left out. */
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

/** Ordered by subject, then by id. */
export function readReviewPages(reading: SnapshotReader, accountId: number, onPages: (pages: readonly PageInReport[]) => void) {
  const read = (subjectIds: readonly number[], after = 0) => pagesAfter(reading, subjectIds, { accountId, after })
  return new Prefetch<PageInReport>({
    first: subjectsAtFirst,
    early: reading.isRemote,
    read: (subjectIds) => read(subjectIds),
    readOn: (subjectId, { id }) => read([subjectId], id),
    groupOf: ({ subject_id }) => subject_id,
    limit: pagesAtOnce,
    onRows: onPages,
  })
}

function locationsAfter({ db, isOneOf }: SnapshotReader, accountId: number, siteIds: readonly number[] | null, after: number) {
  const locations = db
    .selectFrom('locations')
    .innerJoin('sites', 'sites.id', 'locations.site_id')
    .select(['locations.id', 'site_id', 'domain', 'locations.created_at', 'twitter_page', 'facebook_page'])
    .where('locations.account_id', '=', accountId)
    .where('site_id', '>', after)
  return (siteIds === null ? locations : locations.where(isOneOf('site_id', siteIds))).orderBy('site_id').limit(locationsAtOnce).execute()
}

const pagesAfter = statement<{ accountId: number; after: number }, PageInReport>({
  group: 'subject_id',
  order: ['id'],
  limit: pagesAtOnce,
  select: ({ db, param }) =>
    db
      .selectFrom('pages')
      .select(['id', 'subject_id', 'page_url', 'created_at', 'match_confidence', 'last_updated', 'source'])
      .where('account_id', '=', param('accountId'))
      .where('id', '>', param('after')),
})
