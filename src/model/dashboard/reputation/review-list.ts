/** The reviews of a site for people: newest first, filtered by stars, source and words, one page at a time. */

import { type Kysely, sql } from 'kysely'
import { byteBlocks, mostShownBytes, orderedByIds, type TextKey, withinBytes } from '../../../lib/work/byte-blocks.ts'
import { scrub } from '../../../lib/xml/xml.ts'
import { readBehind } from '../../../store/read-behind.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { pieces } from '../../core/subject-pieces.ts'
import type { OpenedSite, SiteReader } from '../../people/visible-sites.ts'
import type { PageOwner } from './review-counts.ts'
import { isOpenReview, listMarks, type MarkFilter, markKey } from './review-marks.ts'

/** `low` are those of one and two stars. */
export type StarFilter = number | 'low' | null

export interface ReviewFilter {
  readonly from: string
  readonly to: string
  readonly stars: StarFilter
  readonly source: string | null
  readonly words: string
  readonly marked?: MarkFilter | null
}

export interface ShownReview {
  readonly id: number
  readonly key_hash: string
  readonly date: string
  readonly rating: number
  readonly source: string
  readonly user: string
  readonly header: string
  readonly detail: string
  readonly language: string | null
  readonly answer: string | null
  readonly url: string
  readonly created_at: string
}

export interface ReviewList {
  readonly reviews: readonly ShownReview[]
  readonly total: number
}

export const mostStarsOfLow = 2

const columns = [
  'id',
  'key_hash',
  'date',
  'rating',
  'source',
  'user',
  'header',
  'detail',
  'language',
  'answer',
  'url',
  'created_at',
] as const

export async function listReviews(
  person: SiteReader,
  site: OpenedSite,
  pages: readonly PageOwner[],
  filter: ReviewFilter,
  { skip, most }: { readonly skip: number; readonly most: number },
): Promise<ReviewList> {
  if (wordsIn(filter).length > 0) return findReviews(person, site, pages, filter, { skip, most })
  const keys = await newestFirst(person, site, pages, filter)
  const reviews: ShownReview[] = []
  for (const some of byteBlocks(withinBytes(keys.slice(skip, skip + most), mostShownBytes)))
    reviews.push(...(await readShownReviews(person, site, some)))
  return { reviews, total: keys.length }
}

/** Filters in code, because only here non-ASCII letters are case-folded alike on both databases; rows that are not shown are counted and dropped. */
async function findReviews(
  person: SiteReader,
  site: OpenedSite,
  pages: readonly PageOwner[],
  filter: ReviewFilter,
  { skip, most }: { readonly skip: number; readonly most: number },
): Promise<ReviewList> {
  const reviews: ShownReview[] = []
  let [total, bytes] = [0, 0]
  for await (const some of eachReview(person, site, pages, filter)) {
    for (const review of some.slice(Math.max(0, skip - total), Math.max(0, skip + most - total))) {
      bytes += review.header.length + review.detail.length + (review.answer?.length ?? 0)
      if (reviews.length === 0 || bytes <= mostShownBytes) reviews.push(review)
    }
    total += some.length
  }
  return { reviews, total }
}

interface ReviewKey extends TextKey {
  readonly date: string
  /** What marks are found by is read only where there is something to find. */
  readonly source?: string
  readonly key_hash?: string
}

/** Few where the source of a review must be read, because long texts stand before it. */
const keysAtOnce = { usual: 1_000, bySource: 200 }

/** All matching reviews, newest first, a bounded number of bytes at a time. */
export async function* eachReview(
  person: SiteReader,
  site: OpenedSite,
  pages: readonly PageOwner[],
  filter: ReviewFilter,
): AsyncGenerator<ShownReview[]> {
  const words = wordsIn(filter)
  for (const keys of byteBlocks(await newestFirst(person, site, pages, filter)))
    yield (await readShownReviews(person, site, keys)).filter((review) => holds(review, words))
}

/** In the order of the keys; all are of one account. */
export async function readShownReviews(
  { app }: Pick<SiteReader, 'app'>,
  site: Pick<OpenedSite, 'account_id'>,
  keys: readonly TextKey[],
): Promise<ShownReview[]> {
  const ids = keys.map(({ id }) => id)
  const reviews = app.store.db.selectFrom('reviews').select(columns).where('account_id', '=', site.account_id)
  return orderedByIds(ids, await reviews.where('id', 'in', ids).execute())
}

/** Without those of which it is noted that they need nobody any more. */
async function newestFirst(person: SiteReader, site: OpenedSite, pages: readonly PageOwner[], filter: ReviewFilter): Promise<ReviewKey[]> {
  const keys = await readKeys(person, site, pages, filter)
  if (!filter.marked) return keys
  const { marked } = filter
  const marks = await listMarks(person.app.store.db, site.id, filter)
  return keys.filter(({ source = '', key_hash = '' }) => isOpenReview(marked, marks.get(markKey({ source, review_hash: key_hash }))))
}

/** Reads the keys of all pages, without the texts, along the index of pages and dates. */
async function readKeys({ app }: SiteReader, site: OpenedSite, pages: readonly PageOwner[], filter: ReviewFilter): Promise<ReviewKey[]> {
  const isSourceRead = filter.source !== null || Boolean(filter.marked)
  const most = isSourceRead ? keysAtOnce.bySource : keysAtOnce.usual
  const all = reviewsUntil(app.store.db, site, filter)
    .select(['id', 'date', sql<number>`octet_length(header) + octet_length(detail) + coalesce(octet_length(answer), 0)`.as('bytes')])
    .$if(isSourceRead, (keys) => keys.select(['source', 'key_hash']))
    .limit(most)
  const read = (pageIds: readonly number[], last?: ReviewKey): Promise<ReviewKey[]> => {
    const some = all.where('page_id', 'in', pageIds)
    const ordered = pageIds.length === 1 ? some.orderBy('date').orderBy('id') : some
    if (last === undefined) return ordered.where('date', '>=', filter.from).execute()
    const restOfDay = ordered.where('date', '=', last.date).where('id', '>', last.id)
    return readBehind(
      most,
      () => restOfDay.execute(),
      () => ordered.where('date', '>', last.date).execute(),
    )
  }
  const keys: ReviewKey[] = []
  const pageIds = pages.map(({ id }) => id)
  for await (const some of pieces<ReviewKey>(pageIds, read, most)) for (const key of some) keys.push(key)
  return keys.sort((a, b) => (a.date === b.date ? b.id - a.id : a.date < b.date ? 1 : -1))
}

function wordsIn({ words }: ReviewFilter): string[] {
  return words.toLowerCase().split(/\s+/).filter(Boolean)
}

function reviewsUntil(db: Kysely<Tables>, site: OpenedSite, filter: ReviewFilter) {
  let reviews = db.selectFrom('reviews').where('account_id', '=', site.account_id).where('date', '<=', filter.to)
  if (filter.stars === 'low') reviews = reviews.where('rating', '<=', mostStarsOfLow)
  else if (filter.stars !== null) reviews = reviews.where('rating', '=', filter.stars)
  // The source has answered already.
  if (filter.marked) reviews = reviews.where('answer', 'is', null)
  // Scrubbed, because the URL may name a source with characters that the database refuses.
  if (filter.source !== null) reviews = reviews.where('source', '=', scrub(filter.source))
  return reviews
}

function holds({ header, detail, user }: ShownReview, words: readonly string[]): boolean {
  const text = `${header} ${detail} ${user}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
