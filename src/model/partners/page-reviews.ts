/** Reviews of a page that the caller reaches, ordered by date and id like in the reports; a list is limited in rows and in bytes of text. */

import { sql } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import { orderedByIds, type TextKey, withinBytes } from '../../lib/work/byte-blocks.ts'
import { type PageReview, pageReview } from '../../resources/reputation.ts'
import { readBehind } from '../../store/read-behind.ts'
import { type ListPage, pageSize } from '../core/paging.ts'
import type { Managing } from '../core/tenancy.ts'
import { findReviewPage } from './review-pages.ts'
import { placeOf } from './site-contents.ts'

const columns = Object.keys(pageReview) as (keyof PageReview)[]
const textBytesAtOnce = 1 << 20

interface ReviewDays {
  readonly start_date?: string
  readonly end_date?: string
}

interface PageAddress {
  readonly siteId: number
  readonly pageId: number
}

export async function listPageReviews(
  caller: Managing,
  address: PageAddress,
  after?: string,
  days: ReviewDays = {},
): Promise<ListPage<PageReview>> {
  const reviews = await reviewsOf(caller, address)
  const keys = await keysAfter(reviews, after === undefined ? null : placeIn(after), days)
  const shown = withinBytes(keys.slice(0, pageSize), textBytesAtOnce)
  const ids = shown.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await reviews().select(columns).where('id', 'in', ids).execute()
  const last = shown.at(-1)
  return { items: orderedByIds(ids, rows), next: last && shown.length < keys.length ? cursorOf(last) : null }
}

export async function findPageReview(caller: Managing, address: PageAddress, id: number): Promise<PageReview> {
  const reviews = await reviewsOf(caller, address)
  return (await reviews().select(columns).where('id', '=', id).executeTakeFirst()) ?? notFound('review')
}

type Reviews = Awaited<ReturnType<typeof reviewsOf>>

async function reviewsOf(caller: Managing, { siteId, pageId }: PageAddress) {
  const { account_id } = await placeOf(caller, siteId)
  const { id } = await findReviewPage(caller, siteId, pageId)
  return () => caller.app.store.db.selectFrom('reviews').where('account_id', '=', account_id).where('page_id', '=', id)
}

interface ReviewPlace {
  readonly date: string
  readonly id: number
}

type ReviewKey = ReviewPlace & TextKey

/** Reads the keys without the texts, one more than a list shows. */
function keysAfter(reviews: Reviews, after: ReviewPlace | null, { start_date, end_date }: ReviewDays): Promise<ReviewKey[]> {
  const most = pageSize + 1
  let keys = reviews()
    .select(['date', 'id', sql<number>`octet_length(header) + octet_length(detail) + coalesce(octet_length(answer), 0)`.as('bytes')])
    .orderBy('date')
    .orderBy('id')
    .limit(most)
  if (end_date !== undefined) keys = keys.where('date', '<=', end_date)
  if (after === null || after.date < (start_date ?? '')) return keys.where('date', '>=', start_date ?? '').execute()
  const restOfDay = keys.where('date', '=', after.date).where('id', '>', after.id)
  return readBehind(
    most,
    () => restOfDay.execute(),
    () => keys.where('date', '>', after.date).execute(),
  )
}

function cursorOf({ date, id }: ReviewPlace): string {
  return Buffer.from(`after:${date}:${id}`).toString('base64url')
}

function placeIn(cursor: string): ReviewPlace {
  const [, date = '', digits] = /^after:(\d{4}-\d\d-\d\d):(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const id = Number(digits)
  return Number.isSafeInteger(id) ? { date, id } : refuse('bad_request', 'The cursor is not one this service gave out.')
}
