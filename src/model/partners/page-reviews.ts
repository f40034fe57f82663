/** Reviews of a page that the caller reaches, ordered by date and id like in the reports; a list is limited in rows and in bytes of text. */

import { type SqlBool, sql } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import { type Review, review } from '../../resources/reputation.ts'
import { type ListPage, pageSize } from '../core/paging.ts'
import type { Managing } from '../core/tenancy.ts'
import { findReviewPage } from './review-pages.ts'
import { placeOf } from './site-contents.ts'

const columns = Object.keys(review) as (keyof Review)[]
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
): Promise<ListPage<Review>> {
  const reviews = await reviewsOf(caller, address)
  const keys = await keysAfter(reviews, after === undefined ? null : placeIn(after), days)
  const shown = withinBytes(keys.slice(0, pageSize))
  const ids = shown.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await reviews().select(columns).where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const last = shown.at(-1)
  return { items: ids.flatMap((id) => byId.get(id) ?? []), next: last && shown.length < keys.length ? cursorOf(last) : null }
}

export async function findPageReview(caller: Managing, address: PageAddress, id: number): Promise<Review> {
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

interface ReviewKey extends ReviewPlace {
  readonly bytes: number
}

/** Reads the keys without the texts, one more than a list shows. Date and id are compared together, so that the query follows the index. */
function keysAfter(reviews: Reviews, after: ReviewPlace | null, { start_date, end_date }: ReviewDays): Promise<ReviewKey[]> {
  let keys = reviews().select(['date', 'id', sql<number>`octet_length(header) + octet_length(detail)`.as('bytes')])
  if (start_date !== undefined) keys = keys.where('date', '>=', start_date)
  if (end_date !== undefined) keys = keys.where('date', '<=', end_date)
  if (after !== null) keys = keys.where(sql<SqlBool>`(date, id) > (${after.date}, ${after.id})`)
  return keys
    .orderBy('date')
    .orderBy('id')
    .limit(pageSize + 1)
    .execute()
}

/** Returns the first key, and as many more as fit. */
function withinBytes(keys: readonly ReviewKey[]): readonly ReviewKey[] {
  let sum = 0
  const end = keys.findIndex(({ bytes }, index) => {
    sum += bytes
    return index > 0 && sum > textBytesAtOnce
  })
  return end < 0 ? keys : keys.slice(0, end)
}

function cursorOf({ date, id }: ReviewPlace): string {
  return Buffer.from(`after:${date}:${id}`).toString('base64url')
}

function placeIn(cursor: string): ReviewPlace {
  const [, date = '', digits] = /^after:(\d{4}-\d\d-\d\d):(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const id = Number(digits)
  return Number.isSafeInteger(id) ? { date, id } : refuse('bad_request', 'The cursor is not one this service gave out.')
}
