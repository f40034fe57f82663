/** The rows of what came in: intakes, what is still to be done for them, the steps by which each can be undone, and saved mappings of columns. */

import type { Generated } from 'kysely'
import type { IntakeState } from '../../resources/intake.ts'

type Moment = string
type Bit = 0 | 1

export interface IntakeTables {
  import_mappings: ImportMappingRow
  intakes: IntakeRow
  intake_steps: IntakeStepRow
  /** As `intake_steps`, for what lies in the directory. */
  intake_directory_steps: IntakeStepRow
  intake_tasks: IntakeTaskRow
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
  /** An import or push that stays `storing` was interrupted; what it stored can be undone like the rest. */
  state: IntakeState
  /** By kind of record, as JSON. */
  counts: string
  created_at: Moment
  ended_at: Moment | null
  undone_at: Moment | null
  /** Of the file that was uploaded. */
  bytes: number | null
  /** How far an upload has come: bytes of the file that were read, lines that were checked, records that were stored. */
  bytes_read: Generated<number>
  lines: Generated<number>
  stored: Generated<number>
  refused: Generated<number>
  /** The first hundred, as JSON. */
  faults: string | null
  /** What undoing came to, as JSON. */
  undo: string | null
}

/** What is still to be done for an intake, by whichever process may. */
export interface IntakeTaskRow {
  intake_id: number
  partner_id: number
  /** `store` or `undo`. */
  task: string
  /** Whose disk holds the file. */
  host: string | null
  file: string | null
  /** What the file is for and how it is read, as JSON. */
  options: string
  /** How often the work was begun. */
  attempts: number
  is_cancelled: Bit
  /** Keyed hashes of reviewers who were erased since the file came, as a JSON array. */
  erased: string
  /** When the host last said that it has the file. */
  seen_at: Moment
}

/** What one transaction of an intake created and changed, in the order in which it was done. */
export interface IntakeStepRow {
  account_id: number
  intake_id: number
  step: number
  kind: string
  data: Uint8Array
}
