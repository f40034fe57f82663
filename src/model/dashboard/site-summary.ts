/** What is known of a site in a period, from which its line on the home page and its reasons follow. */

import type { Standings } from './standing.ts'

export interface SiteSummary {
  readonly standings: Standings
  /** The visibility in each part of the period. */
  readonly slots: readonly (number | null)[]
  /** The last day with a ranking, in any period. */
  readonly measuredOn: string | null
  readonly rating: number | null
  readonly ratingBefore: number | null
  /** Null if no review is known at all. */
  readonly newReviews: number | null
  /** Reviews of one and two stars in the period, and in the previous one. */
  readonly badReviews: number
  readonly badReviewsBefore: number | null
}
