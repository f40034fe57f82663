/** The rows through which processes on one database agree. */

export interface ProcessTables {
  leases: LeaseRow
  budgets: BudgetRow
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
