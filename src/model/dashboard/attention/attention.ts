/** Why a site may need attention: named reasons with their numbers, the gravest first. */

import type { Standings } from '../standing.ts'
import type { Course, Gap, Loss } from './course.ts'

/** What is known of a site in a period, from which its line on the home page and its reasons follow. */
export interface SiteSummary extends AttentionFacts {
  /** The visibility over all measurements of the period. */
  readonly mean: number | null
  /** The visibility in each part of the period. */
  readonly slots: readonly (number | null)[]
  /** Null if no review is known at all. */
  readonly newReviews: number | null
}

/** What reasons follow from. */
export interface AttentionFacts {
  readonly standings: Standings
  readonly course: Course
  /** The last day with a ranking, in any period. */
  readonly measuredOn: string | null
  readonly rating: number | null
  readonly ratingBefore: number | null
  /** Reviews of one and two stars in the period, and in the previous one. */
  readonly badReviews: number
  readonly badReviewsBefore: number | null
}

type Fact =
  | { readonly kind: 'stale'; readonly since: string }
  | { readonly kind: 'lost' | 'left-top-10' | 'bad-reviews'; readonly amount: number }
  | { readonly kind: 'rating'; readonly from: number; readonly to: number }
  | ({ readonly kind: 'gap'; readonly measured: number; readonly of: number } & Pick<Gap, 'from' | 'to' | 'days'>)
  | ({ readonly kind: 'lost-inside' } & Pick<Loss, 'from' | 'to' | 'back' | 'days' | 'misses' | 'keywords'>)

export type ReasonKind = Fact['kind']

/** 3 is to be looked at today, 2 this week, 1 when there is time. */
export type Severity = 1 | 2 | 3

export type Reason = Fact & { readonly severity: Severity }

interface Threshold {
  readonly unit: string
  /** Less is no reason. */
  readonly least: number
  /** From here on it is one degree graver. */
  readonly grave: number
  readonly severity: 1 | 2
  readonly why: string
}

/** Every threshold of attention. A site in good order has no reason: what happens to most sites in most months is not told as one. */
// biome-ignore format: a table reads by its columns
export const thresholds: Readonly<Record<ReasonKind, Threshold>> = {
  stale:         { unit: 'site',                       least: 1,    grave: 1,    severity: 2, why: 'whatever else is said of the site is old' },
  lost:          { unit: 'share of the keywords',      least: 0.02, grave: 0.2,  severity: 2, why: 'one of fifty is lost in most months, and found again' },
  'bad-reviews': { unit: 'times the scatter of chance', least: 1,    grave: 2,    severity: 2, why: 'as many more than before come by chance in one period of ten' },
  gap:           { unit: 'share of the days',          least: 0.1,  grave: 0.5,  severity: 1, why: 'a week of a month, below which a trend is read all the same' },
  'lost-inside': { unit: 'share of the keywords',      least: 0.02, grave: 0.2,  severity: 1, why: 'it is over, so that it is less than a loss that lasts' },
  'left-top-10': { unit: 'share of the keywords',      least: 0.15, grave: 0.3,  severity: 1, why: 'of twenty keywords, two cross the tenth place in most months' },
  rating:        { unit: 'stars',                      least: 0.1,  grave: 0.3,  severity: 1, why: 'less may be rounding, and is seen by nobody' },
}

/** The reasons in the order in which they are shown where they are equally grave. */
export const reasonKinds = Object.keys(thresholds) as readonly ReasonKind[]

/** A keyword that is away for fewer days, or a site that is not measured for fewer, is back before somebody has looked. */
const leastDaysInside = 7

/** More bad reviews than before are told from this difference on. */
const leastMoreBad = 2

export function reasonsOf(told: AttentionFacts): Reason[] {
  const found = [stale(told), lost(told), badReviews(told), gap(told), lostInside(told), leftTop10(told), lowerRating(told)]
  const reasons = found.flatMap((one) => (one === null || one.size < thresholds[one.fact.kind].least ? [] : [graded(one)]))
  return reasons.toSorted((a, b) => b.severity - a.severity)
}

/** The gravest first; of two sites that are equally grave, the one with more reasons. */
export function urgencyOf(reasons: readonly Reason[]): number {
  return (reasons[0]?.severity ?? 0) * 1_000 + reasons.reduce((sum, { severity }) => sum + severity, 0)
}

interface Sized {
  readonly fact: Fact
  /** In the unit of its threshold. */
  readonly size: number
}

function graded({ fact, size }: Sized): Reason {
  const { grave, severity } = thresholds[fact.kind]
  return { ...fact, severity: (size >= grave ? severity + 1 : severity) as Severity }
}

/** The site was measured before, but no keyword was measured recently enough at the end of the period. */
function stale({ standings, measuredOn }: AttentionFacts): Sized | null {
  return measuredOn !== null && standings.now.pairs === 0 ? { fact: { kind: 'stale', since: measuredOn }, size: 1 } : null
}

/** Only if one of them stood where somebody looks. */
function lost({ standings: { compared } }: AttentionFacts): Sized | null {
  if (compared === null || compared.lostSeen === 0) return null
  return { fact: { kind: 'lost', amount: compared.lost }, size: compared.lostSeen / compared.now.keywords }
}

/** Only if more keywords left the top 10 than entered it; a few that swap places are no loss. */
function leftTop10({ standings: { compared } }: AttentionFacts): Sized | null {
  if (compared === null || compared.left <= compared.entered) return null
  return { fact: { kind: 'left-top-10', amount: compared.left }, size: (compared.left - compared.entered) / compared.now.keywords }
}

/** The difference of two counts scatters by about the root of the first; three times that is hardly chance. */
function badReviews({ badReviews: now, badReviewsBefore: before }: AttentionFacts): Sized | null {
  if (before === null || now - before < leastMoreBad) return null
  return { fact: { kind: 'bad-reviews', amount: now }, size: (now - before) / Math.max(leastMoreBad, 3 * Math.sqrt(before)) }
}

/** The longest time without measurements after which it was measured again. */
function gap({ course }: AttentionFacts): Sized | null {
  const longest = course.gaps.filter(({ at, engine }) => at === 'between' && engine === null).toSorted((a, b) => b.days - a.days)[0]
  if (longest === undefined || longest.days < leastDaysInside) return null
  const { from, to, days } = longest
  return { fact: { kind: 'gap', from, to, days, measured: course.measuredDays, of: course.days }, size: days / course.days }
}

/** Keywords that stood where somebody looks, were gone for a while, and are back. */
function lostInside({ course, standings: { now } }: AttentionFacts): Sized | null {
  const worst = course.losses.find(({ days, seenKeywords }) => days >= leastDaysInside && seenKeywords > 0)
  if (worst === undefined) return null
  const { from, to, back, days, misses, keywords, seenKeywords } = worst
  return { fact: { kind: 'lost-inside', from, to, back, days, misses, keywords }, size: seenKeywords / Math.max(1, now.keywords) }
}

function lowerRating({ rating, ratingBefore }: AttentionFacts): Sized | null {
  if (rating === null || ratingBefore === null) return null
  return { fact: { kind: 'rating', from: ratingBefore, to: rating }, size: ratingBefore - rating }
}
