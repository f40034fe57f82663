/** Intake: data that arrived as one file or push, its progress, and its result. */

import { boolean, datetime, integer, list, one, type RecordOf, string } from '../fields/shape.ts'
import { importErrorCodes } from './imports/import-fault.ts'
import { observationKinds } from './observation.ts'

// biome-ignore format: a table reads by its columns
/** Each state with its meaning, whether it is final unless somebody asks, and the states that may follow it. */
export const intakeStates = {
  waiting:     { isOver: false, next: ['checking', 'cancelled', 'interrupted', 'parking'],                                              about: 'the file is here and waits for its turn' },
  checking:    { isOver: false, next: ['storing', 'stored', 'checked', 'refused', 'cancelling', 'interrupted', 'parking'],              about: 'the lines are being checked; nothing is stored yet' },
  storing:     { isOver: false, next: ['stored', 'checked', 'refused', 'cancelling', 'interrupted', 'parking', 'undoing'],              about: 'every line is good, and the records are being stored' },
  stored:      { isOver: true,  next: ['undoing'],                                                                                      about: 'all records are stored' },
  checked:     { isOver: true,  next: [],                                                                                               about: 'every line is good, and nothing was to be stored' },
  refused:     { isOver: true,  next: ['waiting'],                                                                                      about: 'a line is at fault, so nothing was stored' },
  parking:     { isOver: false, next: ['parked', 'cancelling', 'interrupted'],                                                          about: 'it could not be stored for an hour, and what was stored of it is being taken back' },
  parked:      { isOver: false, next: ['waiting', 'cancelled'],                                                                         about: 'it could not be stored for an hour: nothing of it is stored, later files go on, and it rests until it is released or cancelled' },
  cancelling:  { isOver: false, next: ['cancelled', 'interrupted'],                                                                     about: 'what was stored is being taken back' },
  cancelled:   { isOver: true,  next: [],                                                                                               about: 'the intake was cancelled, and nothing of it is stored' },
  interrupted: { isOver: true,  next: ['undoing'],                                                                                      about: 'the file was lost before it was stored; send it again' },
  undoing:     { isOver: false, next: ['undone'],                                                                                       about: 'the intake is being undone' },
  undone:      { isOver: true,  next: [],                                                                                               about: 'the intake has been undone' },
} as const

export type IntakeState = keyof typeof intakeStates

// biome-ignore format: a table reads by its columns
export const intakeKind = {
  kind:      string('kind of record', { oneOf: observationKinds }),
  accepted:  integer('records of this kind in the file'),
  created:   integer(),
  updated:   integer('there was one with the same key and other figures'),
  unchanged: integer('there was one with the same key and the same figures'),
}

// biome-ignore format: a table reads by its columns
export const intakeFault = {
  line:    integer('line of the file, counted from 1'),
  field:   string('the field at fault; empty where the line as a whole is meant'),
  code:    string('what is wrong; every code stands on the page of errors', { oneOf: importErrorCodes }),
  message: string(),
}

// biome-ignore format: a table reads by its columns
export const leftAlone = {
  kind: string('kind of record'),
  what: string('which record: its site, what it is called there, and its day'),
  why:  string('why it stays: which later intake delivered it too, or what hangs on it'),
}

// biome-ignore format: a table reads by its columns
export const goingRecord = {
  kind:    string('kind of record'),
  what:    string('which record: its site, what it is called there, and its day'),
  becomes: string('whether it goes, or is again as it was before the intake', { oneOf: ['gone', 'as before'] }),
}

// biome-ignore format: a table reads by its columns
export const undoPreview = {
  state: string('how far it has come; `outdated` once something of the accounts has changed since', { oneOf: ['none', 'working', 'done', 'outdated'] }),
  as_of: datetime('as of when it was told', { nullable: true }),
  with_people: boolean('whether what people added goes too'),
  goes:  integer('records that would go, or be as before'),
  stays: integer('records that would stay as they are'),
  going: list('going_record', goingRecord),
  staying: list('record', leftAlone),
  note:  string('why it tells less than an undo would do', { nullable: true }),
}

// biome-ignore format: a table reads by its columns
export const refusedLine = {
  line: integer('line of the file, counted from 1'),
  file: string('the file of an archive in which it is', { nullable: true }),
  text: string('the line as CSV, or the record as JSON'),
  why:  string('what is wrong with it'),
}

export const intakeNotice = { message: string('what was stored otherwise than it is called in the file') }

export const mostFileNameCharacters = 255

// biome-ignore format: a table reads by its columns
export const intake = {
  id:           integer('assigned by the service'),
  account_id:   integer('the account it is for; null where it is for all', { nullable: true }),
  via:          string('the way it came', { oneOf: ['import', 'push', 'upload', 'source'] }),
  state:        string('how far it has come', { oneOf: Object.keys(intakeStates) as IntakeState[] }),
  reason:       string('why it is parked or could not be undone yet, or was cancelled by itself', { nullable: true }),
  file_name:    string('as the sender named it', { nullable: true }),
  sha256:       string('of the bytes as they came', { nullable: true }),
  bytes:        integer('size of the file', { nullable: true }),
  bytes_read:   integer('how many of them have been read'),
  lines:        integer('lines that were checked'),
  stored:       integer('records that were stored, the unchanged ones too'),
  refused:      integer('records at fault'),
  recognised_as: string('the preset that the header showed, where none was told', { nullable: true }),
  looks_like:   string('the same in words', { nullable: true }),
  kinds:        list('kind', intakeKind),
  faults:       list('fault', intakeFault),
  notices:      list('notice', intakeNotice),
  undone:       integer('records that undoing has taken back'),
  left:         integer('records that undoing left alone, because something else has changed or needs them'),
  left_alone:   list('record', leftAlone),
  preview:      one(undoPreview),
  created_at:   datetime('when it came'),
  ended_at:     datetime('when it was stored, refused, cancelled or lost', { nullable: true }),
  undone_at:    datetime('when it was undone', { nullable: true }),
}

export type Intake = RecordOf<typeof intake>

export type RefusedLine = RecordOf<typeof refusedLine>

export type IntakeCounts = RecordOf<typeof intakeKind>

export type IntakeFault = RecordOf<typeof intakeFault>

export type GoingRecord = RecordOf<typeof goingRecord>

export type LeftAlone = RecordOf<typeof leftAlone>
