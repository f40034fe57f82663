/** Rows by which the processes on one database coordinate. */

export interface ProcessTables {
  leases: LeaseRow
  budgets: BudgetRow
  rate_buckets: RateBucketRow
  server_secrets: ServerSecretRow
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
