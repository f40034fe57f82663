/** The rows of what came in: intakes, the steps by which each can be undone, and saved mappings of columns. */

import type { Generated } from 'kysely'

type Moment = string

export interface IntakeTables {
  import_mappings: ImportMappingRow
  intakes: IntakeRow
  intake_steps: IntakeStepRow
  /** As `intake_steps`, for what lies in the directory. */
  intake_directory_steps: IntakeStepRow
}

export interface ImportMappingRow {
  partner_id: number
  name: string
  /** The words of the command as JSON. */
  mapping: string
  updated_at: Moment
}

export interface IntakeRow {
  id: Generated<number>
  partner_id: number
  /** Where the import was for one account. */
  account_id: number | null
  via: 'import' | 'push' | 'upload'
  actor: string
  file_name: string | null
  sha256: string | null
  mapping: string | null
  /** `storing` that has not ended was interrupted; what it stored can be undone like the rest. */
  state: 'storing' | 'stored' | 'undoing' | 'undone'
  /** By kind of record, as JSON. */
  counts: string
  created_at: Moment
  ended_at: Moment | null
  undone_at: Moment | null
}

/** What one transaction of an intake created and changed, in the order in which it was done. */
export interface IntakeStepRow {
  account_id: number
  intake_id: number
  step: number
  kind: string
  data: Uint8Array
}
