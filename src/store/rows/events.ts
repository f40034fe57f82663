/** Rows of what happened, for the feed. */

import type { Generated } from 'kysely'
import type { Moment } from './values.ts'

export interface EventTables {
  event_drafts: EventDraftRow
  events: EventRow
}

/** An event as it is written in the transaction of the change; it goes as soon as it has its place. */
export interface EventDraftRow {
  id: Generated<number>
  /** Null where only the record tells whose it is. */
  partner_id: number | null
  /** Random, so that it names one event in all databases, also after a restore. */
  uid: string
  type: string
  at: Moment
  record_id: number
  account_id: number | null
  /** Names of fields, separated by commas. */
  changed: string | null
}

/** An event at its place in the one order of all events, which has no gaps. */
export interface EventRow {
  place: number
  partner_id: number
  uid: string
  type: string
  at: Moment
  record_id: number
  account_id: number | null
  changed: string | null
}
