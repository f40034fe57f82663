/** Rows by which the processes on one database coordinate, and what they answered last. */

import type { Generated } from 'kysely'
import type { Bit, Moment } from './values.ts'

export interface ProcessTables {
  leases: LeaseRow
  budgets: BudgetRow
  rate_buckets: RateBucketRow
  server_secrets: ServerSecretRow
  requests: RequestRow
  usage_days: UsageDayRow
}

/** The right of one process to do a job until the lease expires. */
export interface LeaseRow {
  name: string
  holder: string
  expires_at: string
  /** When the job was last completed. */
  done_at: string | null
}

/** How much of a budget was spent in the period that begins at this time. */
export interface BudgetRow {
  name: string
  begins_at: string
  spent: number
}

/** A server secret by its number; the secret itself is kept in a file. */
export interface ServerSecretRow {
  id: number
  /** Distinguishes the secret from others without revealing it. */
  proof: string
  made_at: string
  /** New values are made with this secret from this time on. */
  starts_at: string
  /** Values made with this secret are refused from this time on; null while no other secret follows it. */
  retires_at: string | null
}

/** How many requests of the current minute a partner has left. */
export interface RateBucketRow {
  name: string
  tokens: number
  /** Seconds since 1970, by the clock of the database server. */
  filled_at: number
}

/** An answer of the API to a partner, without anything that the request said of a person. */
export interface RequestRow {
  id: Generated<number>
  partner_id: number
  /** Whether the status is 400 or above. */
  is_refused: Bit
  at: Moment
  request_id: string
  /** The part of the key that may be shown. */
  public_part: string | null
  method: string
  /** With the ids of the request in the place of braces. */
  path: string
  /** Names, some with their value: `start_date=2026-11-01&site_id=3&email`. */
  parameters: string
  status: number
  code: string | null
  /** What is wrong beyond the code, without what was sent. */
  sentence: string | null
  /** Tenths of a millisecond. */
  tenths: number
}

/** How much a key was used on one day in UTC. */
export interface UsageDayRow {
  partner_id: number
  day: string
  /** 0 is whoever needs no key: the operator, and staff. */
  key_id: number
  requests: number
  refused: number
  rate_limited: number
  records: number
}
