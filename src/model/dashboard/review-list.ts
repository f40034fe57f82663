/** The reviews of a site for people: newest first, filtered by stars, source and words, one page at a time. */

import { sql } from 'kysely'
import { scrub } from '../../lib/xml/xml.ts'
import { inSlices } from '../../store/in-slices.ts'
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
  if (wordsIn(filter).length > 0) return findReviews(person, site, pages, filter, slice)
  const { amount } = await found.select((eb) => eb.fn.countAll<number>().as('amount')).executeTakeFirstOrThrow()
  return { reviews: await newestFirst.limit(slice.most).offset(slice.skip).execute(), total: Number(amount) }
}

/** Filters in code, because only here non-ASCII letters are case-folded alike on both databases; rows that are not shown are counted and dropped. */
async function findReviews(
  person: ReaderCaller,
  site: ShownSite,
  pages: readonly ReviewPage[],
  filter: ReviewFilter,
  { skip, most }: { readonly skip: number; readonly most: number },
): Promise<ReviewList> {
  const reviews: ShownReview[] = []
  let total = 0
  for await (const some of eachReview(person, site, pages, filter)) {
    reviews.push(...some.slice(Math.max(0, skip - total), Math.max(0, skip + most - total)))
    total += some.length
  }
  return { reviews, total }
}

interface ReviewKey {
  readonly id: number
  readonly date: string
  readonly bytes: number
}

const keysAtOnce = 500
const rowsAtOnce = 200
const bytesAtOnce = 256 << 10

/** All matching reviews, newest first, a bounded number of bytes at a time. */
export async function* eachReview(
  person: ReaderCaller,
  site: ShownSite,
  pages: readonly ReviewPage[],
  filter: ReviewFilter,
): AsyncGenerator<ShownReview[]> {
  const words = wordsIn(filter)
  for await (const keys of byBytes(newestFirst(pages.map((page) => keysOf(person, site, page, filter))))) {
    const ids = keys.map(({ id }) => id)
    const rows = await inSlices(person.app.store.db)
      .selectFrom('reviews')
      .select(columns)
      .where('account_id', '=', site.account_id)
      .where('id', 'in', ids)
      .execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    yield ids.flatMap((id) => byId.get(id) ?? []).filter((review) => holds(review, words))
  }
}

/** Reads along the index of one page, without the texts. */
async function* keysOf(person: ReaderCaller, site: ShownSite, page: ReviewPage, filter: ReviewFilter): AsyncGenerator<ReviewKey> {
  for (let last: ReviewKey | undefined; ; ) {
    const behind = last && sql<boolean>`(date, id) < (${last.date}, ${last.id})`
    const found = reviewsWithin(person, site, [page], filter).select([
      'id',
      'date',
      sql<number>`octet_length(header) + octet_length(detail)`.as('bytes'),
    ])
    const keys: ReviewKey[] = await (behind ? found.where(behind) : found)
      .orderBy('date', 'desc')
      .orderBy('id', 'desc')
      .limit(keysAtOnce)
      .execute()
    yield* keys
    last = keys.at(-1)
    if (keys.length < keysAtOnce) return
  }
}

/** Merges the keys of all pages. */
async function* newestFirst(sources: readonly AsyncGenerator<ReviewKey>[]): AsyncGenerator<ReviewKey> {
  const heads = await Promise.all(sources.map(async (source) => ({ source, head: await source.next() })))
  for (;;) {
    const open = heads.filter(({ head }) => !head.done)
    const [first, ...others] = open
    if (first === undefined) return
    const newest = others.reduce((best, one) => (isNewer(one.head.value, best.head.value) ? one : best), first)
    yield newest.head.value
    newest.head = await newest.source.next()
  }
}

function isNewer(a: ReviewKey, b: ReviewKey): boolean {
  return a.date === b.date ? a.id > b.id : a.date > b.date
}

async function* byBytes(keys: AsyncIterable<ReviewKey>): AsyncGenerator<ReviewKey[]> {
  let [some, bytes]: [ReviewKey[], number] = [[], 0]
  for await (const key of keys) {
    if (some.length === rowsAtOnce || (some.length > 0 && bytes + key.bytes > bytesAtOnce)) {
      yield some
      ;[some, bytes] = [[], 0]
    }
    some.push(key)
    bytes += key.bytes
  }
  if (some.length > 0) yield some
}

function wordsIn({ words }: ReviewFilter): string[] {
  return words.toLowerCase().split(/\s+/).filter(Boolean)
}

function reviewsWithin({ app }: ReaderCaller, site: ShownSite, pages: readonly ReviewPage[], filter: ReviewFilter) {
  const { db, engine } = app.store
  const ids = engine.idList(pages.map((page) => page.id))
  let reviews = inSlices(db)
    .selectFrom('reviews')
    .where('account_id', '=', site.account_id)
    .where(engine.isOneOf('page_id', ids))
    .where('date', '>=', filter.from)
    .where('date', '<=', filter.to)
  if (filter.stars !== null) reviews = reviews.where('rating', '=', filter.stars)
  // Scrubbed, because the URL may name a source with characters that the database refuses.
  if (filter.source !== null) reviews = reviews.where('source', '=', scrub(filter.source))
  return reviews
}

function holds({ header, detail, user }: ShownReview, words: readonly string[]): boolean {
  const text = `${header} ${detail} ${user}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
