/** The newest reviews of one and two stars, as they are told on pages, in mails and in summaries. */

import type { OpenedSite, SiteReader } from '../../people/visible-sites.ts'
import type { DaySpan } from '../positions.ts'
import type { PageOwner } from './review-counts.ts'
import { listReviews, type ShownReview } from './review-list.ts'

const mostReviews = 3
const longestQuote = 160

/** Of one and two stars, the newest first. */
export async function newestLow(reader: SiteReader, site: OpenedSite, pages: readonly PageOwner[], { from, to }: DaySpan) {
  if (pages.length === 0) return { shown: [], total: 0 }
  const found: ShownReview[] = []
  let total = 0
  for (const stars of [1, 2]) {
    const filter = { from, to, stars, source: null, words: '' }
    const list = await listReviews(reader, site, pages, filter, { skip: 0, most: mostReviews })
    found.push(...list.reviews)
    total += list.total
  }
  return { shown: found.toSorted((a, b) => (a.date < b.date ? 1 : -1)).slice(0, mostReviews), total }
}

/** As much of a review as is read at a glance. */
export function quoteOf({ header, detail }: Pick<ShownReview, 'header' | 'detail'>): string {
  const text = `${header} ${detail}`.trim()
  if (text.length <= longestQuote) return text
  const cut = text.slice(0, longestQuote).replace(/\s+\S*$/, '')
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}
