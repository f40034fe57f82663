/** Rows of intakes (imports, pushes and uploads), their tasks, the steps by which each can be undone, and saved column mappings. */

import type { Generated } from 'kysely'
import type { IntakeState } from '../../resources/intake.ts'
import type { Bit, Moment } from './values.ts'

export interface IntakeTables {
  import_mappings: ImportMappingRow
  intakes: IntakeRow
  intake_steps: IntakeStepRow
  /** Like `intake_steps`, for tables of the directory. */
  intake_directory_steps: IntakeStepRow
  intake_tasks: IntakeTaskRow
  intake_refused_lines: RefusedLinesRow
  deliveries: DeliveryRow
}

export interface ImportMappingRow {
  partner_id: number
  name: string
  /** The arguments of the command as JSON. */
  mapping: string
  updated_at: Moment
}

export interface IntakeRow {
  id: Generated<number>
  partner_id: number
  /** Set if the import was limited to one account. */
  account_id: number | null
  via: 'import' | 'push' | 'upload' | 'source'
  actor: string
  file_name: string | null
  sha256: string | null
  mapping: string | null
  /** An import or push that stays `storing` was interrupted; what it stored can be undone all the same. */
  state: IntakeState
  /** The counts by kind of record, as JSON. */
  counts: string
  created_at: Moment
  /** When its records began to be stored; null before that, and in rows of earlier versions. */
  began_at: Moment | null
  ended_at: Moment | null
  undone_at: Moment | null
  /** The size of the uploaded file. */
  bytes: number | null
  /** The progress of an upload: bytes read, lines checked, records stored. */
  bytes_read: Generated<number>
  lines: Generated<number>
  stored: Generated<number>
  refused: Generated<number>
  /** The first hundred refused records, as JSON. */
  faults: string | null
  /** What was stored otherwise than it is called in the file, as JSON. */
  notices: string | null
  /** The result of undoing, as JSON. */
  undo: string | null
  /** What an undo would do, as JSON. */
  preview: string | null
  /** Why it is not stored or undone yet, or was cancelled by itself. */
  reason: string | null
  /** The presets by which the file was recognised, separated by commas. */
  recognised_as: string | null
  /** Whether all its steps say in which order they came; 0 in intakes of earlier versions, which are undone by value. */
  is_ordered: Generated<Bit>
}

/** Work to be done for an intake by any process that can reach the file. */
export interface IntakeTaskRow {
  intake_id: number
  partner_id: number
  /** `store`, `undo` or `preview`; `held` where the key was revoked and the operator may release the file. */
  task: string
  /** The host whose disk holds the file. */
  host: string | null
  file: string | null
  /** What the file contains and how it is parsed, as JSON. */
  options: string
  /** How often the work was started. */
  attempts: number
  /** Keyed hashes of reviewers who were erased since the file arrived, as a JSON array. */
  erased: string
  /** Since when each try has failed. */
  failing_since: Moment | null
  /** Since when its file rests; what was stored of it is taken back by then. */
  parked_at: Moment | null
  /** When the host last confirmed that it has the file. */
  seen_at: Moment
  /** The files with which it came at the desk; null if it was sent by itself. */
  delivery_id: number | null
}

/** Files that came together, for whoever sent them. */
export interface DeliveryRow {
  id: Generated<number>
  partner_id: number
  user_id: number
  /** How all of them are stored, as JSON. */
  options: string
  /** What each is, where it lies and what is said of it, as JSON. */
  files: string
  /** Counted up with each change, so that no older page overwrites it. */
  version: number
  created_at: Moment
  expires_at: Moment
}

/** Some of the refused lines of an upload, in the order of parts. */
export interface RefusedLinesRow {
  intake_id: number
  part: number
  /** Lines of one table, as JSON. */
  data: Uint8Array
}

/** What one transaction of an intake created, changed and found as it was. */
export interface IntakeStepRow {
  account_id: number
  /** 0 of what people and the API did, -1 of intakes that are no longer kept: these are never undone. */
  intake_id: number
  /** Its place in the order in which the account was changed; in steps of earlier versions, its place in the intake. */
  step: number
  kind: string
  data: Uint8Array
  /** How many records it created and changed; null in steps of earlier versions. */
  created: number | null
  updated: number | null
  /** The owners and the times that it is about; null in steps of earlier versions. */
  first_owner: number | null
  last_owner: number | null
  first_time: number | null
  last_time: number | null
}
