/** Reputation reports as they are read: sites with a location, their pages, and the reviews or daily counts of each. */

import type { FlowOf } from '../../fields/streaming.ts'
import type { countsPage, detailPage, reputationCounts, reputationDetail } from '../../resources/reputation.ts'
import { daysOf } from './days.ts'
import type { SnapshotReader } from './prefetch.ts'
import type { ReportQuestion, Scope } from './question.ts'
import { readReviewCounts } from './read-review-counts.ts'
import { type LocationInReport, type PageInReport, readLocations, readReviewPages } from './read-review-pages.ts'
import { readReviews } from './reviews.ts'

export type DetailFlow = FlowOf<typeof reputationDetail>
export type CountsFlow = FlowOf<typeof reputationCounts>

type DetailSite = DetailFlow['sites'] extends Iterable<readonly (infer T)[]> | AsyncIterable<readonly (infer T)[]> ? T : never
type CountsSite = CountsFlow['sites'] extends Iterable<readonly (infer T)[]> | AsyncIterable<readonly (infer T)[]> ? T : never

export function detailFlow(reading: SnapshotReader, scope: Scope, question: ReportQuestion): DetailFlow {
  return { id: accountOf(question), sites: detailSites(reading, scope, question) }
}

export function countsFlow(reading: SnapshotReader, scope: Scope, question: ReportQuestion): CountsFlow {
  return { id: accountOf(question), sites: countsSites(reading, scope, question) }
}

/** A reputation report is about one account. */
function accountOf({ accountIds }: ReportQuestion): number {
  return accountIds?.[0] as number
}

async function* detailSites(reading: SnapshotReader, scope: Scope, question: ReportQuestion): AsyncGenerator<DetailSite[]> {
  for await (const locations of readLocations(reading, accountOf(question), scope.siteIds)) {
    const pages = await readReviewPages(reading, accountOf(question), locations, 'sites')
    const reviewsOf = readReviews(reading, daysOf(question), pages)
    yield locations.map((location) => {
      const detailPages = pages.filter(({ site_id }) => site_id === location.site_id).map((page) => detailOf(location, page, reviewsOf))
      return { id: location.site_id, location: { ...location, pages: batch(detailPages) } }
    })
  }
}

function detailOf(location: LocationInReport, page: PageInReport, reviewsOf: ReturnType<typeof readReviews>): FlowOf<typeof detailPage> {
  return { ...page, location_id: location.id, reviews: reviewsOf(page) }
}

/** In a location competitors come before its own pages, and counts are asked for in that order. */
async function* countsSites(reading: SnapshotReader, scope: Scope, question: ReportQuestion): AsyncGenerator<CountsSite[]> {
  for await (const locations of readLocations(reading, accountOf(question), scope.siteIds)) {
    const pages = await readReviewPages(reading, accountOf(question), locations, 'all')
    const competitors = Map.groupBy(await readCompetitors(reading, accountOf(question), locations), ({ site_id }) => site_id)
    const countsOf = await readReviewCounts(reading, daysOf(question), accountOf(question), pages)
    const pagesOf = (isWanted: (page: PageInReport) => boolean): FlowOf<typeof countsPage>[][] =>
      batch(pages.filter(isWanted).map((page) => ({ ...page, review_counts: countsOf(page) })))
    yield locations.map((location) => {
      const its = competitors.get(location.site_id) ?? []
      const rivals = its.map(({ id, created_at }) => ({ id, created_at, pages: pagesOf(({ subject_id }) => subject_id === id) }))
      const own = pagesOf(({ site_id, isOwn }) => site_id === location.site_id && isOwn)
      return {
        id: location.site_id,
        location: { id: location.id, created_at: location.created_at, competitors: batch(rivals), pages: own },
      }
    })
  }
}

function readCompetitors({ db, isOneOf }: SnapshotReader, accountId: number, locations: readonly LocationInReport[]) {
  return db
    .selectFrom('subjects')
    .select(['id', 'site_id', 'created_at'])
    .where('account_id', '=', accountId)
    .where(
      isOneOf(
        'site_id',
        locations.map(({ site_id }) => site_id),
      ),
    )
    .where('domain', '!=', '')
    .orderBy('id')
    .execute()
}

function batch<T>(items: T[]): T[][] {
  return items.length === 0 ? [] : [items]
}
