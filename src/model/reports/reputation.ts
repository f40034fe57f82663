/** Reads reputation reports: sites with a location, their pages, and the reviews or daily counts of each. */

import type { Batches, FlowOf } from '../../fields/streaming.ts'
import type { Review, ReviewCount, reputationCounts, reputationDetail } from '../../resources/reputation.ts'
import type { Prefetch } from './prefetch.ts'
import { daysOf, type ReportQuestion, type Scope } from './question.ts'
import { type DatedRows, readReviews } from './read-dated-rows.ts'
import { type LocationInReport, type PageInReport, readLocations, readReviewPages } from './read-pages.ts'
import { readReviewCounts } from './read-review-counts.ts'
import { readSubjects, type SubjectInReport, type SubjectKind } from './read-subjects.ts'
import type { SnapshotReader } from './snapshot-reader.ts'

type ItemOf<B> = B extends Batches<infer T> ? T : never
type Detail = FlowOf<typeof reputationDetail>
type Counts = FlowOf<typeof reputationCounts>
type CountsOfSite = ItemOf<Counts['sites']>
type CountsOfCompetitor = ItemOf<CountsOfSite['location']['competitors']>

/** With the domain, which only the flat tables contain. */
type DetailSite = ItemOf<Detail['sites']> & { readonly domain: string }
type CompetitorWithDomain = CountsOfCompetitor & { readonly domain: string }
type CountsLocation = Omit<CountsOfSite['location'], 'competitors'> & { readonly competitors: Batches<CompetitorWithDomain> }
type CountsSite = Omit<CountsOfSite, 'location'> & { readonly domain: string; readonly location: CountsLocation }

export type DetailFlow = Omit<Detail, 'sites'> & { readonly sites: Batches<DetailSite> }
export type CountsFlow = Omit<Counts, 'sites'> & { readonly sites: Batches<CountsSite> }

/** The pages of subjects of one kind with their rows; all must be requested in the order of printing. */
interface PagesWith<R> {
  readonly subjects: Prefetch<SubjectInReport>
  readonly pages: Prefetch<PageInReport>
  readonly rows: DatedRows<R>
}

export function detailFlow(reading: SnapshotReader, scope: Scope, question: ReportQuestion): DetailFlow {
  const accountId = accountOf(question)
  const own = pagesWith(reading, accountId, 'sites', readReviews(reading, daysOf(question), accountId))
  return { id: accountId, sites: detailSites(readLocations(reading, accountId, scope.siteIds), own) }
}

export function countsFlow(reading: SnapshotReader, scope: Scope, question: ReportQuestion): CountsFlow {
  const accountId = accountOf(question)
  const of = (kind: SubjectKind) => pagesWith(reading, accountId, kind, readReviewCounts(reading, daysOf(question), accountId))
  return { id: accountId, sites: countsSites(readLocations(reading, accountId, scope.siteIds), of('sites'), of('competitors')) }
}

/** A reputation report is about one account. */
function accountOf({ accountIds }: ReportQuestion): number {
  return accountIds?.[0] as number
}

function pagesWith<R>(reading: SnapshotReader, accountId: number, of: SubjectKind, rows: DatedRows<R>): PagesWith<R> {
  const pages = readReviewPages(reading, accountId, (some) => rows.expect(some.map(({ id }) => id)))
  const onSubjects = (some: readonly SubjectInReport[]) => pages.expect(some.map(({ id }) => id))
  return { subjects: readSubjects({ reading, accountId, of, onSubjects }), pages, rows }
}

async function* detailSites(locations: AsyncIterable<LocationInReport[]>, own: PagesWith<Review>): AsyncGenerator<DetailSite[]> {
  for await (const some of locations) {
    own.subjects.expect(siteIds(some))
    yield some.map((location) => {
      const pages = pagesOfSite(own, location.site_id, (page, reviews) => ({ ...page, location_id: location.id, reviews }))
      return { id: location.site_id, domain: location.domain, location: { ...location, pages } }
    })
  }
}

async function* countsSites(
  locations: AsyncIterable<LocationInReport[]>,
  own: PagesWith<ReviewCount>,
  rivals: PagesWith<ReviewCount>,
): AsyncGenerator<CountsSite[]> {
  for await (const some of locations) {
    own.subjects.expect(siteIds(some))
    rivals.subjects.expect(siteIds(some))
    yield some.map(({ id, site_id, domain, created_at }) => ({
      id: site_id,
      domain,
      location: { id, created_at, competitors: competitors(rivals, site_id), pages: pagesOfSite(own, site_id, withCounts) },
    }))
  }
}

async function* competitors(rivals: PagesWith<ReviewCount>, siteId: number) {
  for await (const some of rivals.subjects.of(siteId))
    yield some.map(({ id, domain, created_at }) => ({ id, domain, created_at, pages: pagesOf(rivals, id, withCounts) }))
}

function withCounts(page: PageInReport, review_counts: Batches<ReviewCount>) {
  return { ...page, review_counts }
}

async function* pagesOfSite<R, P>(
  own: PagesWith<R>,
  siteId: number,
  item: (page: PageInReport, rows: Batches<R>) => P,
): AsyncGenerator<P[]> {
  for await (const some of own.subjects.of(siteId)) for (const { id } of some) yield* pagesOf(own, id, item)
}

async function* pagesOf<R, P>(
  { pages, rows }: PagesWith<R>,
  subjectId: number,
  item: (page: PageInReport, rows: Batches<R>) => P,
): AsyncGenerator<P[]> {
  for await (const some of pages.of(subjectId)) yield some.map((page) => item(page, rows.of(page.id)))
}

function siteIds(locations: readonly LocationInReport[]): number[] {
  return locations.map(({ site_id }) => site_id)
}
