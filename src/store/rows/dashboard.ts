/** Rows of tables that only pages use. */

import type { Generated } from 'kysely'

export interface DashboardTables {
  annotations: AnnotationRow
}

/** A note attached to a day in a site's charts. */
export interface AnnotationRow {
  id: Generated<number>
  account_id: number
  /** Null if it applies to every site of the account. */
  site_id: number | null
  day: string
  text: string
  created_at: string
  /** The user who wrote it; null if a partner or the operator did. */
  created_by: number | null
}
