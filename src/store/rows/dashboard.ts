/** The rows that only pages need. */

import type { Generated } from 'kysely'

export interface DashboardTables {
  annotations: AnnotationRow
}

/** A sentence pinned to a day of a site's charts. */
export interface AnnotationRow {
  id: Generated<number>
  account_id: number
  /** Null: it belongs to every site of the account. */
  site_id: number | null
  day: string
  text: string
  created_at: string
  /** The user who wrote it; null where a partner or the operator did. */
  created_by: number | null
}
