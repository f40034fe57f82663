/** Rows of tables that only pages use. */

import type { Generated } from 'kysely'

export interface DashboardTables {
  annotations: AnnotationRow
  account_figures: AccountFiguresRow
  site_figures: SiteFiguresRow
  review_marks: ReviewMarkRow
}

/** A note attached to a day in a site's charts. */
export interface AnnotationRow {
  id: Generated<number>
  account_id: number
  /** Null if it applies to every site of the account. */
  site_id: number | null
  day: string
  text: string
  created_at: string
  /** The user who wrote it; null if a partner or the operator did. */
  created_by: number | null
}

/** What the stored figures of the sites of an account are of. */
export interface AccountFiguresRow {
  account_id: number
  /** The last of the thirty days, as the account counts them. */
  day: string
  /** The versions of the account's sites and measurements, and its time zone. */
  versions: string
}

/** The figures of a site over thirty days. */
export interface SiteFiguresRow {
  site_id: number
  account_id: number
  visibility: number | null
  /** How many pairs of a keyword and a source were measured. */
  pairs: number
  /** The visibility now and thirty days before, over the pairs that were measured at both times. */
  compared_now: number | null
  compared_before: number | null
  compared_pairs: number
  rating: number | null
  /** The last day with a ranking. */
  measured_on: string | null
  /** Why the site needs attention, as a JSON list. */
  reasons: string
  /** From where its data comes, as a JSON list. */
  sources: string | null
}

/** What people note of a review. Named by the review itself and not by its id, so that it is there again when a file is taken back and stored anew. */
export interface ReviewMarkRow {
  id: Generated<number>
  account_id: number
  site_id: number
  source: string
  /** The `key_hash` of the review. */
  review_hash: string
  /** That of the review. */
  date: string
  state: 'seen' | 'answered'
  /** Empty if nothing was noted. */
  note: string
  /** The user who marked it; null if they are no longer known. */
  marked_by: number | null
  marked_at: string
}
