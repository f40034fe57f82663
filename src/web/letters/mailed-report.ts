/** The content of a mailed report, for both the mail and the PDF. */

import type { Drawing } from './drawing.ts'

/** Null if nothing is left out. */
export function leftOutSentence({ leftOut }: MailedReport): string | null {
  if (leftOut === 0) return null
  return leftOut === 1
    ? 'One more site of this account is not in this report.'
    : `${leftOut} more sites of this account are not in this report.`
}

export interface MailedFigure {
  readonly label: string
  readonly value: string
  /** The comparison with the previous period; empty if that is unknown. */
  readonly change: string
}

export interface MailedSite {
  readonly id: number
  /** The page of the site that has something to show, of the days of the mail, which it compares with the same. */
  readonly path: string
  readonly name: string
  readonly businessName: string
  readonly sentences: readonly string[]
  readonly figures: readonly MailedFigure[]
  readonly charts: readonly { readonly title: string; readonly drawing: Drawing }[]
  /** Why somebody should look at this site. */
  readonly attention: readonly string[]
}

export interface MailedReport {
  readonly accountName: string
  readonly period: string
  /** What somebody has written to the recipients, with line breaks; empty if nothing. */
  readonly sentence: string
  readonly sites: readonly MailedSite[]
  /** The number of sites left out because there are too many. */
  readonly leftOut: number
}
