/** The figures of a site's reputation page: ratings in total, by source and against competitors, and the reviews themselves. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../../store/rows/tables.ts'
import { pagePieces } from '../../core/subject-pieces.ts'
import type { OpenedSite, SiteReader } from '../../people/visible-sites.ts'
import type { Period } from '../positions.ts'
import { readRankedSubjects } from '../search.ts'
import { type PageOwner, ReviewStats, readReviewStats } from './review-counts.ts'

export interface ReviewPage extends PageOwner {
  readonly source: string
  readonly page_url: string
  readonly match_confidence: number
  readonly last_updated: string
}

export interface ReputationFigures {
  readonly own: ReviewStats
  /** The pages of the site itself; without their addresses, because there may be half a million. */
  readonly pages: readonly PageOwner[]
  readonly bySource: ReadonlyMap<string, SourcePages>
  readonly rivals: readonly { readonly domain: string; readonly stats: ReviewStats }[]
}

export async function reputationFigures(reader: SiteReader, site: OpenedSite, period: Period): Promise<ReputationFigures> {
  const db = reader.app.store.db
  const { own, rivals } = await readRankedSubjects(db, site)
  const bySource = new PagesBySource()
  const pages = await readPages(db, site, [own ?? -1, ...rivals.map((rival) => rival.id)], (page) => {
    if (page.subject_id === own) bySource.add(page)
  })
  const stats = await readReviewStats(db, pages, site.account_id, period.to)
  return {
    own: stats.get(own ?? -1) ?? new ReviewStats(),
    pages: pages.filter((page) => page.subject_id === own),
    bySource: bySource.sources,
    rivals: rivals.map(({ id, domain }) => ({ domain, stats: stats.get(id) ?? new ReviewStats() })),
  }
}

/** The visitor sees the pages of each subject ordered by id. */
export async function readPages(
  db: Kysely<Tables>,
  site: Pick<OpenedSite, 'account_id'>,
  subjectIds: readonly number[],
  see: (page: ReviewPage) => void = () => {},
): Promise<PageOwner[]> {
  const pages: PageOwner[] = []
  for await (const some of pagePieces(db, site.account_id, subjectIds))
    for (const page of some.toSorted((a, b) => a.id - b.id)) {
      see(page)
      pages.push({ id: page.id, subject_id: page.subject_id })
    }
  return pages.sort((a, b) => a.id - b.id)
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
export const mostLinkedPages = 21

export class PagesBySource {
  readonly sources = new Map<string, SourcePages>()

  add(page: ReviewPage): void {
    const own = this.sources.get(page.source) ?? { linked: [], count: 0, doubtful: null, lastUpdated: '' }
    this.sources.set(page.source, own)
    own.count += 1
    if (own.linked.length < mostLinkedPages) own.linked.push(page)
    if (page.match_confidence < doubtfulMatch) own.doubtful ??= page
    if (page.last_updated > own.lastUpdated) own.lastUpdated = page.last_updated
  }
}
