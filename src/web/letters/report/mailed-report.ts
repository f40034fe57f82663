/** The content of a mailed report, for both the mail and the PDF. */

import type { Change } from '../../components/number-format.ts'
import type { Drawing } from '../drawing.ts'
import type { DrawnFor } from '../line-drawing.ts'

export interface MailedFigure {
  readonly label: string
  readonly value: string
  /** The comparison with the previous period; null if that is unknown. */
  readonly change: Change | null
  /** Empty if there is nothing to add. */
  readonly note: string
}

/** A site in one line of the summary; null is what was not measured. */
export interface MailedLine {
  readonly id: number
  readonly path: string
  readonly name: string
  readonly businessName: string
  readonly visibility: string | null
  readonly visibilityChange: Change | null
  readonly rating: string | null
  readonly ratingChange: Change | null
  readonly newReviews: string | null
  /** Why somebody should look at this site. */
  readonly attention: readonly string[]
}

/** A keyword that moved, with its places before and now; a dash where it was not found. */
export interface MailedMove {
  readonly phrase: string
  /** The engine; empty where there is one alone. */
  readonly source: string
  readonly from: string
  readonly to: string
  readonly change: Change
}

export interface MailedMoves {
  readonly title: string
  readonly moves: readonly MailedMove[]
}

export interface MailedReview {
  readonly stars: number
  readonly text: string
  /** The source and the day. */
  readonly from: string
}

export interface MailedReviews {
  readonly title: string
  readonly reviews: readonly MailedReview[]
}

export interface MailedChart {
  readonly title: string
  /** What it shows, for those who do not see it. */
  readonly alt: string
  /** Null if there is nothing to draw. */
  draw(place: DrawnFor): Drawing | null
}

export interface MailedSite {
  readonly id: number
  /** The page of the site that has something to show, of the days of the mail, which it compares with the same. */
  readonly path: string
  readonly name: string
  readonly businessName: string
  readonly sentences: readonly string[]
  readonly figures: readonly MailedFigure[]
  readonly charts: readonly MailedChart[]
  /** Why somebody should look at this site. */
  readonly attention: readonly string[]
  readonly moves: readonly MailedMoves[]
  readonly reviews: MailedReviews | null
}

export interface MailedReport {
  readonly accountName: string
  readonly period: string
  /** What the mail is about in a few figures; empty if nothing is known. */
  readonly inShort: string
  /** What somebody has written to the recipients, with line breaks; empty if nothing. */
  readonly sentence: string
  /** The account as a whole; empty where it is one site. */
  readonly summary: string
  /** The sites in one line each, those that need attention first; empty where it is one site. */
  readonly lines: readonly MailedLine[]
  /** The number of sites that have no line, because there are too many, and how many of them need attention. */
  readonly leftOut: { readonly sites: number; readonly needing: number }
  /** The first of them in full. */
  readonly sites: readonly MailedSite[]
}

/** Null if nothing is left out. */
export function leftOutSentence({ leftOut: { sites, needing } }: Pick<MailedReport, 'leftOut'>): string | null {
  if (sites === 0) return null
  const told = sites === 1 ? 'One more site is not listed' : `${sites} more sites are not listed`
  const need =
    needing === 0
      ? sites === 1
        ? 'it needs no attention'
        : 'none of them needs attention'
      : `${needing} of them ${needing === 1 ? 'needs' : 'need'} attention`
  return `${told} here; ${need}.`
}

/** A mail shows a few sites in full, and a PDF more; null if all that are listed are shown so. */
export function detailSentence({ lines, sites }: Pick<MailedReport, 'lines' | 'sites'>, shown: number): string | null {
  const most = Math.min(shown, sites.length)
  if (lines.length <= most) return null
  return most === 1 ? 'The first of them in full:' : `The first ${most} of them in full:`
}
