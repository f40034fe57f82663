/** The reviews of somebody's customers that are still to be looked at, the newest first: not answered, low, by source, as is asked. */

import { type Kysely, sql } from 'kysely'
import { oneLine } from '../../../lib/one-line.ts'
import { byteBlocks, mostShownBytes, type TextKey, withinBytes } from '../../../lib/work/byte-blocks.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { mostStarsOfLow, readShownReviews, type ShownReview, type StarFilter } from '../reputation/review-list.ts'
import {
  isOpenReview,
  type MarkFilter,
  type MarkRow,
  markKey,
  markOf,
  type ReviewMark,
  type ReviewName,
} from '../reputation/review-marks.ts'

type Db = Kysely<Tables>

export interface DeskReviewFilter {
  readonly from: string
  readonly stars: StarFilter
  readonly source: string | null
  readonly marked: MarkFilter | null
  /** Only those of this customer. */
  readonly customer: number | null
  /** Only customers after this one. */
  readonly after: number
}

export interface DeskReview extends ShownReview {
  readonly customer: { readonly id: number; readonly name: string }
  readonly site: { readonly id: number; readonly domain: string }
  readonly mark: ReviewMark | null
}

export interface DeskReviews {
  readonly reviews: readonly DeskReview[]
  /** How many fit, of which the newest are shown. */
  readonly total: number
  readonly sources: readonly string[]
  /** The name of the one customer that was asked for. */
  readonly customer: string | null
  /** How many customers were looked at, and the last of them where there are more. */
  readonly customers: number
  readonly more: number | null
}

/** Each costs a statement, because reviews are kept by account. */
const customersAtOnce = 300
const shownAtOnce = 50
/** Of one customer; whoever has more of them to look at has enough to do. */
const mostOfCustomer = 500

export async function listDeskReviews(caller: StaffCaller, filter: DeskReviewFilter): Promise<DeskReviews> {
  const { db } = caller.app.store
  const found = await customersAfter(caller, filter)
  const customers = found.slice(0, customersAtOnce)
  const [sites, marks] = [await sitesOf(db, customers), await marksSince(db, customers, filter.from)]
  const [keys, sources] = [[] as DeskKey[], new Set<string>()]
  for (const customer of customers)
    for (const key of await keysOf(db, customer.id, filter)) {
      const [site, mark] = [sites.get(key.site_id), marks.get(`${key.site_id} ${markKey(nameOf(key))}`) ?? null]
      if (site === undefined || (filter.marked !== null && !isOpenReview(filter.marked, mark?.state))) continue
      sources.add(key.source)
      if (filter.source === null || filter.source === key.source) keys.push({ ...key, customer, site, mark })
    }
  keys.sort((a, b) => (a.date === b.date ? b.id - a.id : a.date < b.date ? 1 : -1))
  return {
    reviews: await withTexts(caller, withinBytes(keys.slice(0, shownAtOnce), mostShownBytes)),
    total: keys.length,
    sources: [...sources].sort(),
    customer: filter.customer === null ? null : (customers[0]?.name ?? null),
    customers: customers.length,
    more: found.length > customersAtOnce ? (customers.at(-1)?.id ?? null) : null,
  }
}

interface FoundKey extends TextKey {
  readonly date: string
  readonly source: string
  readonly key_hash: string
  readonly site_id: number
}

type DeskKey = FoundKey & Pick<DeskReview, 'customer' | 'site' | 'mark'>

function nameOf({ source, key_hash }: FoundKey): ReviewName {
  return { source, review_hash: key_hash }
}

async function customersAfter(caller: StaffCaller, { customer, after }: DeskReviewFilter): Promise<DeskReview['customer'][]> {
  const all = accountsWithin(caller).select(['id', 'name']).where('archived_at', 'is', null).where('id', '>', after)
  const some = customer === null ? all : all.where('id', '=', customer)
  const rows = await some
    .orderBy('id')
    .limit(customersAtOnce + 1)
    .execute()
  return rows.map(({ id, name }) => ({ id, name: oneLine(name) }))
}

/** Those of active businesses. */
async function sitesOf(db: Db, customers: readonly DeskReview['customer'][]): Promise<Map<number, DeskReview['site']>> {
  const ids = customers.map(({ id }) => id)
  const sites = db.selectFrom('sites').innerJoin('businesses', 'businesses.id', 'sites.business_id').where('aasm_state', '=', 'active')
  const rows = await sites.select(['sites.id', 'domain']).where('sites.account_id', 'in', ids).execute()
  return new Map(rows.map((site) => [site.id, site]))
}

async function marksSince(db: Db, customers: readonly DeskReview['customer'][], from: string): Promise<Map<string, ReviewMark>> {
  const ids = customers.map(({ id }) => id)
  const all = db.selectFrom('review_marks').leftJoin('users', 'users.id', 'marked_by')
  const rows = await all
    .select(['site_id', 'source', 'review_hash', 'review_marks.state', 'note', 'marked_at as at'])
    .select(['users.name', 'login', 'users.state as user_state'])
    .where('review_marks.account_id', 'in', ids)
    .where('date', '>=', from)
    .execute()
  return new Map(rows.map((row: MarkRow & ReviewName & { site_id: number }) => [`${row.site_id} ${markKey(row)}`, markOf(row)]))
}

function keysOf(db: Db, accountId: number, { from, stars, marked }: DeskReviewFilter): Promise<FoundKey[]> {
  let reviews = db
    .selectFrom('reviews')
    .innerJoin('pages', (on) => on.onRef('pages.account_id', '=', 'reviews.account_id').onRef('pages.id', '=', 'reviews.page_id'))
    .innerJoin('subjects', (on) => on.onRef('subjects.account_id', '=', 'pages.account_id').onRef('subjects.id', '=', 'pages.subject_id'))
    .where('reviews.account_id', '=', accountId)
    .where('subjects.domain', '=', '')
    .where('reviews.date', '>=', from)
  if (stars === 'low') reviews = reviews.where('rating', '<=', mostStarsOfLow)
  else if (stars !== null) reviews = reviews.where('rating', '=', stars)
  // The source has answered already.
  if (marked !== null) reviews = reviews.where('answer', 'is', null)
  const bytes = sql<number>`octet_length(header) + octet_length(detail) + coalesce(octet_length(answer), 0)`
  return reviews
    .select(['reviews.id', 'reviews.date', 'reviews.source', 'reviews.key_hash', 'subjects.site_id', bytes.as('bytes')])
    .orderBy('reviews.date', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(mostOfCustomer)
    .execute()
}

async function withTexts(caller: StaffCaller, keys: readonly DeskKey[]): Promise<DeskReview[]> {
  const texts = new Map<string, ShownReview>()
  for (const [account_id, own] of Map.groupBy(keys, ({ customer }) => customer.id))
    for (const some of byteBlocks(own))
      for (const review of await readShownReviews(caller, { account_id }, some)) texts.set(`${account_id} ${review.id}`, review)
  return keys.flatMap(({ id, customer, site, mark }) => {
    const review = texts.get(`${customer.id} ${id}`)
    return review === undefined ? [] : [{ ...review, customer, site, mark }]
  })
}
