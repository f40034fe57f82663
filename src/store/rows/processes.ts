/** The rows through which processes on one database agree. */

export interface ProcessTables {
  leases: LeaseRow
  budgets: BudgetRow
  rate_buckets: RateBucketRow
  server_secrets: ServerSecretRow
}

/** The right of one process to do a job until it expires. */
export interface LeaseRow {
  name: string
  holder: string
  expires_at: string
  /** When the job was last done to its end. */
  done_at: string | null
}

/** How much of a budget was spent in the period that begins at this moment. */
export interface BudgetRow {
  name: string
  begins_at: string
  spent: number
}

/** A server secret by its number; the secret itself stands in a file. */
export interface ServerSecretRow {
  id: number
  /** Tells the secret from others and tells nothing of it. */
  proof: string
  made_at: string
  /** From this moment on values are made with it. */
  starts_at: string
  /** From this moment on values made with it are refused; null as long as no other follows it. */
  retires_at: string | null
}

/** What is left of what a partner may ask in a minute. */
export interface RateBucketRow {
  name: string
  tokens: number
  /** Seconds since 1970, by the clock of the server. */
  filled_at: number
}
