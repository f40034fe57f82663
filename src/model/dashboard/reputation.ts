/** The figures of a site's reputation page: ratings in total, by source and against competitors, and the reviews themselves. */

import type { Kysely } from 'kysely'
import { eachInSlices, filterInSlices, mapInSlices, sortInSlices } from '../../lib/work/sliced-lists.ts'
import { inSlices } from '../../store/in-slices.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { ReaderCaller } from '../core/caller.ts'
import { pagePieces } from '../core/subject-pieces.ts'
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
  readonly rivals: readonly { readonly domain: string; readonly stats: ReviewStats }[]
}

export async function reputationFigures(reader: ReaderCaller, site: ShownSite, period: Period): Promise<ReputationFigures> {
  const db = inSlices(reader.app.store.db)
  const { own, rivals } = await readRankedSubjects(db, site)
  const pages = await readPages(db, site, [own ?? -1, ...rivals.map((rival) => rival.id)])
  const owners = new Map(await mapInSlices(pages, (page) => [page.id, page.subject_id]))
  const stats = await readReviewStats(db, owners, site.account_id, period.to)
  return {
    own: stats.get(own ?? -1) ?? new ReviewStats(),
    pages: await filterInSlices(pages, (page) => page.subject_id === own),
    rivals: rivals.map(({ id, domain }) => ({ domain, stats: stats.get(id) ?? new ReviewStats() })),
  }
}

export async function readPages(
  db: Kysely<Tables>,
  site: Pick<ShownSite, 'account_id'>,
  subjectIds: readonly number[],
): Promise<ReviewPage[]> {
  const pages: ReviewPage[] = []
  for await (const some of pagePieces(db, site.account_id, subjectIds)) pages.push(...some)
  return sortInSlices(pages, (a, b) => a.id - b.id)
}

/** The pages at one source. */
export interface SourcePages {
  /** The first of them, as many as are linked. */
  readonly linked: ReviewPage[]
  count: number
  /** The first of those that may be about another business. */
  doubtful: ReviewPage | null
  lastUpdated: string
}

const doubtfulMatch = 80

export async function pagesBySource(pages: readonly ReviewPage[], mostLinked: number): Promise<Map<string, SourcePages>> {
  const bySource = new Map<string, SourcePages>()
  await eachInSlices(pages, (page) => {
    const own = bySource.get(page.source) ?? { linked: [], count: 0, doubtful: null, lastUpdated: '' }
    bySource.set(page.source, own)
    own.count += 1
    if (own.linked.length < mostLinked) own.linked.push(page)
    if (page.match_confidence < doubtfulMatch) own.doubtful ??= page
    if (page.last_updated > own.lastUpdated) own.lastUpdated = page.last_updated
  })
  return bySource
}
