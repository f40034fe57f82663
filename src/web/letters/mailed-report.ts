/** What a mailed report says, before it is set as a letter or on paper: the same sentences and figures for both. */

import type { Drawing } from './drawing.ts'

/** Null where nothing is left out. */
export function leftOutSentence({ leftOut }: MailedReport): string | null {
  if (leftOut === 0) return null
  return leftOut === 1
    ? 'One more site of this account is not in this report.'
    : `${leftOut} more sites of this account are not in this report.`
}

export interface MailedFigure {
  readonly label: string
  readonly value: string
  /** How it compares with the period before; empty where nothing is known of that. */
  readonly change: string
}

export interface MailedSite {
  readonly id: number
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
  readonly sites: readonly MailedSite[]
  /** Sites of the account that are not in here, because there are too many. */
  readonly leftOut: number
}
