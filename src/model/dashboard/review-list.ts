/** Reviews of a site as a person reads them: newest first, narrowed by stars, source and words, a page at a time. */

import { scrub } from '../../lib/xml/xml.ts'
import type { ReaderCaller } from '../core/caller.ts'
import type { ShownSite } from '../people/visible-sites.ts'
import type { ReviewPage } from './reputation.ts'

export interface ReviewFilter {
  readonly from: string
  readonly to: string
  readonly stars: number | null
  readonly source: string | null
  readonly words: string
}

export interface ShownReview {
  readonly id: number
  readonly date: string
  readonly rating: number
  readonly source: string
  readonly user: string
  readonly header: string
  readonly detail: string
  readonly url: string
  readonly created_at: string
}

export interface ReviewList {
  readonly reviews: readonly ShownReview[]
  readonly total: number
}

const columns = ['id', 'date', 'rating', 'source', 'user', 'header', 'detail', 'url', 'created_at'] as const

export async function listReviews(
  person: ReaderCaller,
  site: ShownSite,
  pages: readonly ReviewPage[],
  filter: ReviewFilter,
  slice: { readonly skip: number; readonly most: number },
): Promise<ReviewList> {
  if (pages.length === 0) return { reviews: [], total: 0 }
  const found = reviewsWithin(person, site, pages, filter)
  const newestFirst = found.select(columns).orderBy('date', 'desc').orderBy('id', 'desc')
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length > 0) {
    // In code, because letters beyond ASCII fold alike on every engine only here.
    const fitting = (await newestFirst.execute()).filter((review) => holds(review, words))
    return { reviews: fitting.slice(slice.skip, slice.skip + slice.most), total: fitting.length }
  }
  const { amount } = await found.select((eb) => eb.fn.countAll<number>().as('amount')).executeTakeFirstOrThrow()
  return { reviews: await newestFirst.limit(slice.most).offset(slice.skip).execute(), total: Number(amount) }
}

function reviewsWithin({ app }: ReaderCaller, site: ShownSite, pages: readonly ReviewPage[], filter: ReviewFilter) {
  let reviews = app.store.db
    .selectFrom('reviews')
    .where('account_id', '=', site.account_id)
    .where(
      'page_id',
      'in',
      pages.map((page) => page.id),
    )
    .where('date', '>=', filter.from)
    .where('date', '<=', filter.to)
  if (filter.stars !== null) reviews = reviews.where('rating', '=', filter.stars)
  // Scrubbed, because an address can ask for a source that no store takes.
  if (filter.source !== null) reviews = reviews.where('source', '=', scrub(filter.source))
  return reviews
}

function holds({ header, detail, user }: ShownReview, words: readonly string[]): boolean {
  const text = `${header} ${detail} ${user}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
