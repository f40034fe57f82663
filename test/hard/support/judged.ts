/** What is said of a row of the catalogue, and what is put back after it. */
import type { TableName } from '../../guards/bystanders/rows.ts'

export interface Judged {
  readonly name: string
  /** The longest turn of our own code, and the longest collection of garbage, in milliseconds. */
  readonly own: number
  readonly collected: number
  readonly collections: number
  /** Why it could not be asked. */
  readonly failure?: string
}

export const goalMilliseconds = 25
export const mostCollectedMilliseconds = 60

/** Rows of these are too many to be put back, or jobs of the service go on with them. */
const measured: ReadonlySet<TableName> = new Set([
  ...(['keywords', 'ranking_months', 'ranked_urls', 'ranked_url_months', 'click_count_months', 'backlinks'] as const),
  ...(['intake_steps', 'intake_directory_steps', 'audit_entries', 'audit_details', 'audit_seals'] as const),
  ...(['snapshots', 'pages', 'reviews', 'review_count_months', 'intakes', 'intake_tasks'] as const),
])

/** Whether what a row changes in this table is put back afterwards. */
export function isRestored(table: TableName): boolean {
  return !measured.has(table)
}
