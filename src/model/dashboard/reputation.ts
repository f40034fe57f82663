/** What a site's reputation page shows: ratings from review counts, by source, against competitors, and the reviews themselves. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { ReaderCaller } from '../core/caller.ts'
import type { ShownSite } from '../people/visible-sites.ts'
import type { Period } from './positions.ts'
import { ReviewStats, readReviewStats } from './review-counts.ts'
import { readRankedSubjects } from './search.ts'

export interface ReviewPage {
  readonly id: number
  readonly subject_id: number
  readonly source: string
  readonly page_url: string
  readonly match_confidence: number
  readonly last_updated: string
}

export interface ReputationFigures {
  readonly own: ReviewStats
  readonly pages: readonly ReviewPage[]
  readonly rivals: readonly { readonly domain: string; readonly tally: ReviewStats }[]
  /** Codes of the tallies, by name. */
  readonly sources: ReadonlyMap<number, string>
  /** How many reviews gave each number of stars. */
  readonly stars: { readonly now: Stars; readonly before: Stars }
}

/** From one star to five. */
export type Stars = readonly [number, number, number, number, number]

export async function reputationFigures(person: ReaderCaller, site: ShownSite, period: Period): Promise<ReputationFigures> {
  const { db } = person.app.store
  const { own, rivals } = await readRankedSubjects(db, site)
  const pages = await readPages(db, site, [own ?? -1, ...rivals.map((rival) => rival.id)])
  const owners = new Map(pages.map((page) => [page.id, page.subject_id]))
  const tallies = await readReviewStats(db, owners, site.account_id, period.to)
  const mine = pages.filter((page) => page.subject_id === own)
  return {
    own: tallies.get(own ?? -1) ?? new ReviewStats(),
    pages: mine,
    rivals: rivals.map(({ id, domain }) => ({ domain, tally: tallies.get(id) ?? new ReviewStats() })),
    sources: await readReviewSources(db, site.account_id),
    stars: { now: await countStars(db, site, mine, period), before: await countStars(db, site, mine, period.before) },
  }
}

export function readPages(db: Kysely<Tables>, site: Pick<ShownSite, 'account_id'>, subjectIds: readonly number[]): Promise<ReviewPage[]> {
  return db
    .selectFrom('pages')
    .select(['id', 'subject_id', 'source', 'page_url', 'match_confidence', 'last_updated'])
    .where('account_id', '=', site.account_id)
    .where('subject_id', 'in', subjectIds)
    .orderBy('id')
    .execute()
}

async function readReviewSources(db: Kysely<Tables>, accountId: number): Promise<Map<number, string>> {
  const sources = db.selectFrom('sources').select(['code', 'engine']).where('account_id', '=', accountId)
  return new Map((await sources.execute()).map((row) => [row.code, row.engine]))
}

async function countStars(
  db: Kysely<Tables>,
  site: ShownSite,
  pages: readonly ReviewPage[],
  span: { from: string; to: string },
): Promise<Stars> {
  const stars: [number, number, number, number, number] = [0, 0, 0, 0, 0]
  if (pages.length === 0) return stars
  const rows = await db
    .selectFrom('reviews')
    .select((eb) => ['rating', eb.fn.countAll<number>().as('amount')])
    .where('account_id', '=', site.account_id)
    .where(
      'page_id',
      'in',
      pages.map((page) => page.id),
    )
    .where('date', '>=', span.from)
    .where('date', '<=', span.to)
    .groupBy('rating')
    .execute()
  for (const { rating, amount } of rows) stars[rating - 1] = Number(amount)
  return stars
}
