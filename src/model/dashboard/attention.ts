/** Why a site may need attention: named reasons with their numbers. */

import type { Standings } from './standing.ts'

/** What is known of a site in a period, from which its line on the home page and its reasons follow. */
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

export type Reason =
  | { readonly kind: 'stale'; readonly since: string }
  | { readonly kind: 'lost' | 'left-top-10' | 'bad-reviews'; readonly amount: number }
  | { readonly kind: 'rating'; readonly from: number; readonly to: number }

export type ReasonKind = Reason['kind']

/** The reasons in the order in which they are shown. */
export const reasonKinds: readonly ReasonKind[] = ['stale', 'lost', 'left-top-10', 'bad-reviews', 'rating']

/** A rating that falls by less than this may be rounding. */
const leastFall = 0.1

export function reasonsOf(summary: SiteSummary): Reason[] {
  return [...stale(summary), ...lostKeywords(summary), ...leftTop10(summary), ...badReviews(summary), ...lowerRating(summary)]
}

/** The site was measured before, but no keyword was measured recently enough at the end of the period. */
function stale({ standings, measuredOn }: SiteSummary): Reason[] {
  return measuredOn !== null && standings.now.pairs === 0 ? [{ kind: 'stale', since: measuredOn }] : []
}

function lostKeywords({ standings: { compared } }: SiteSummary): Reason[] {
  const lost = compared?.lost ?? 0
  return lost > 0 ? [{ kind: 'lost', amount: lost }] : []
}

/** Only if more keywords left the top 10 than entered it; a few that swap places are no loss. */
function leftTop10({ standings: { compared } }: SiteSummary): Reason[] {
  return compared && compared.left > compared.entered ? [{ kind: 'left-top-10', amount: compared.left }] : []
}

/** More bad reviews than in the previous period, or any if there is nothing to compare with. */
function badReviews({ badReviews: now, badReviewsBefore: before }: SiteSummary): Reason[] {
  return now > (before ?? 0) ? [{ kind: 'bad-reviews', amount: now }] : []
}

function lowerRating({ rating, ratingBefore }: SiteSummary): Reason[] {
  if (rating === null || ratingBefore === null || ratingBefore - rating < leastFall) return []
  return [{ kind: 'rating', from: ratingBefore, to: rating }]
}
