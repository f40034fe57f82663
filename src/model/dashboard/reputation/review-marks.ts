/** What owners, editors and staff note of the reviews of a site: seen or answered, and a sentence. All of them see it, with the name of who noted it. */

import type { Kysely } from 'kysely'
import { invalid, notFound } from '../../../lib/failures.ts'
import { oneLine } from '../../../lib/one-line.ts'
import type { ReviewMarkRow } from '../../../store/rows/dashboard.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import type { PersonCaller } from '../../core/caller.ts'
import { change, refuseMeanwhile } from '../../core/transaction.ts'
import { padded } from '../../imports/batches.ts'
import { mayEdit, openSite, type ShownSite } from '../../people/visible-sites.ts'
import type { DaySpan } from '../positions.ts'

export const markStates = ['seen', 'answered'] as const
export type MarkState = (typeof markStates)[number]

export interface ReviewMark {
  readonly state: MarkState
  readonly note: string
  /** Null if they are no longer known. */
  readonly by: string | null
  readonly at: string
}

export interface MarkWish {
  /** Null takes the mark away; `kept` is about the note alone, which says of an unmarked review that somebody has seen it. */
  readonly state: MarkState | 'kept' | null
  readonly note: string
  /** When the mark was made that the reader has seen; empty if there was none. */
  readonly was: string
}

/** Those that nobody has answered, or that nobody has noted anything of either. */
export type MarkFilter = 'unanswered' | 'unseen'

export function isOpenReview(wanted: MarkFilter, state: MarkState | undefined): boolean {
  return wanted === 'unseen' ? state === undefined : state !== 'answered'
}

/** By what a review is known beside its id. */
export type ReviewName = Pick<ReviewMarkRow, 'source' | 'review_hash'>

const longestNote = 500

/** For anyone but owners, editors and staff, the page does not exist. */
export async function markReview(person: PersonCaller, siteId: number, reviewId: number, wish: MarkWish): Promise<void> {
  const site = await openSite(person, siteId)
  if (!mayEdit(person, site)) notFound('page')
  const { store, clock } = person.app
  const review = (await findReview(store.db, site, reviewId)) ?? notFound('page')
  const note = oneLine(wish.note)
  if ([...note].length > longestNote) invalid([{ field: 'note', code: 'too_long', limit: longestNote }])
  const name = { site_id: siteId, source: review.source, review_hash: review.key_hash }
  await change(person, async (tx) => {
    await store.lock(tx, 'sites', siteId)
    const before = await marksNamed(tx, name).select(['id', 'state', 'note', 'marked_at']).executeTakeFirst()
    const state = wish.state === 'kept' ? (before?.state ?? 'seen') : wish.state
    if (state === (before?.state ?? null) && note === (before?.note ?? '')) return
    if ((before?.marked_at ?? '') !== wish.was) refuseMeanwhile()
    await tx
      .deleteFrom('review_marks')
      .where('id', '=', before?.id ?? 0)
      .execute()
    if (state !== null) {
      const mark = { account_id: site.account_id, ...name, date: review.date, state, note }
      await tx
        .insertInto('review_marks')
        .values({ ...mark, marked_by: person.userId, marked_at: clock.now() })
        .execute()
    }
    const subject = { id: siteId, account_id: site.account_id }
    await audit(tx, person, 'review.mark', subject, {
      before: { state: before?.state ?? null },
      after: { review_id: reviewId, state },
    })
  })
}

/** The marks of these reviews, by source and hash. */
export async function marksOf(db: Kysely<Tables>, siteId: number, reviews: readonly ReviewName[]): Promise<Map<string, ReviewMark>> {
  if (reviews.length === 0) return new Map()
  const own = db.selectFrom('review_marks').leftJoin('users', 'users.id', 'marked_by').where('site_id', '=', siteId)
  const hashes = padded(reviews.map(({ review_hash }) => review_hash))
  const rows = await own
    .where('review_hash', 'in', hashes)
    .select(['source', 'review_hash', 'review_marks.state', 'note', 'marked_at as at'])
    .select(['users.name', 'login', 'users.state as user_state'])
    .execute()
  return new Map(rows.map((row) => [markKey(row), markOf(row)]))
}

export interface MarkRow extends Pick<ReviewMarkRow, 'state' | 'note'> {
  readonly at: string
  readonly name: string | null
  readonly login: string | null
  readonly user_state: string | null
}

export function markOf({ state, note, at, name, login, user_state }: MarkRow): ReviewMark {
  const isKnown = user_state !== null && user_state !== 'deleted'
  return { state, note, at, by: isKnown ? oneLine(name ?? '') || login : null }
}

/** The states of all marks on reviews of these days. */
export async function listMarks(db: Kysely<Tables>, siteId: number, { from, to }: DaySpan): Promise<Map<string, MarkState>> {
  const own = db.selectFrom('review_marks').select(['source', 'review_hash', 'state']).where('site_id', '=', siteId)
  const rows = await own.where('date', '>=', from).where('date', '<=', to).execute()
  return new Map(rows.map((row) => [markKey(row), row.state]))
}

export function markKey({ source, review_hash }: ReviewName): string {
  return `${review_hash} ${source}`
}

function marksNamed(tx: Kysely<Tables>, { site_id, source, review_hash }: ReviewName & { readonly site_id: number }) {
  return tx.selectFrom('review_marks').where('site_id', '=', site_id).where('source', '=', source).where('review_hash', '=', review_hash)
}

/** A review of the site itself; those of its competitors are nobody's to answer. */
function findReview(db: Kysely<Tables>, site: ShownSite, id: number) {
  return db
    .selectFrom('reviews')
    .innerJoin('pages', (on) => on.onRef('pages.account_id', '=', 'reviews.account_id').onRef('pages.id', '=', 'reviews.page_id'))
    .innerJoin('subjects', (on) => on.onRef('subjects.account_id', '=', 'pages.account_id').onRef('subjects.id', '=', 'pages.subject_id'))
    .select(['reviews.source', 'reviews.key_hash', 'reviews.date'])
    .where('reviews.account_id', '=', site.account_id)
    .where('reviews.id', '=', id)
    .where('subjects.site_id', '=', site.id)
    .where('subjects.domain', '=', '')
    .executeTakeFirst()
}
