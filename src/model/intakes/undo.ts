/** Undo: from then on stored is what the other intakes say, in the order in which their records were stored, over what was there before. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { IntakeState } from '../../resources/intake.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import { draftEvents } from '../core/events/drafts.ts'
import type { Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { moveIntake } from '../imports/journal/intake-states.ts'
import { findIntake, type IntakeRecord, nothingUndone, storedInDeletedAccount, touchedAccounts, type UndoResult } from './intakes.ts'
import { intakeWord, type LaterIntake, laterIntakes, nextIntake, refuseForLater } from './later-intakes.ts'
import { isCurrent } from './preview-versions.ts'
import { addTask } from './tasks.ts'
import { sayLeft } from './undo-steps/say-left.ts'
import { stepsOf, undoStep } from './undo-steps/undo-step.ts'

export interface Undone extends UndoResult {
  readonly intake: IntakeRecord
  /** Later intakes that it was undone despite of. */
  readonly later: readonly LaterIntake[]
}

const mostListed = 100

export interface UndoOptions {
  /** Undoes it although later intakes may have delivered the same records. */
  readonly isDespiteLater?: boolean
  /** Takes what people have hung on its records, too. */
  readonly withPeople?: boolean
}

export async function undoIntake(caller: Managing, id: number, options: UndoOptions = {}): Promise<Undone> {
  const intake = await findIntake(caller, id)
  if (intake.state === 'undone') refuse('conflict', `This ${intakeWord(caller)} has been undone already`)
  await refuseHalf(caller, intake)
  const later = await caller.app.store.write((tx) => beginUndo(tx, caller, intake, options))
  const { with_people = false } = await findIntake(caller, id)
  const result = await revertIntake(caller, intake, undefined, { ...nothingUndone, with_people })
  await endUndo(caller, id, result)
  return { intake: await findIntake(caller, id), later, ...result }
}

/** Undoing again changes nothing. */
export async function requestUndo(caller: Managing, id: number, options: UndoOptions = {}): Promise<IntakeRecord> {
  const intake = await findIntake(caller, id)
  if (intake.state === 'undone' || intake.state === 'undoing') return intake
  await refuseHalf(caller, intake)
  return change(caller, async (tx): Promise<IntakeRecord> => {
    await beginUndo(tx, caller, intake, options)
    await addTask(tx, caller, { intake_id: id, partner_id: intake.partner_id, task: 'undo' })
    return { ...intake, state: 'undoing' }
  })
}

export async function refuseHalf(caller: Managing, intake: IntakeRecord): Promise<void> {
  if (await storedInDeletedAccount(caller, intake))
    refuse('conflict', `This ${intakeWord(caller)} also stored in an account that was deleted: have the operator bring it back first`)
}

async function beginUndo(tx: Kysely<Tables>, caller: Managing, intake: IntakeRecord, options: UndoOptions): Promise<LaterIntake[]> {
  const { id, partner_id, account_id, state } = intake
  if (state === 'undoing') return []
  const later = await refuseUndo(tx, caller, intake, options)
  const { withPeople = false } = options
  if (withPeople) await refuseUnseen(tx, caller, intake)
  const undo = JSON.stringify({ ...nothingUndone, with_people: withPeople } satisfies UndoResult)
  await tx.deleteFrom('intake_tasks').where('intake_id', '=', id).where('task', '=', 'preview').execute()
  await moveIntake(tx, id, 'undoing', { preview: null, undo })
  const after = { ...(later.length > 0 && { despite_later: later.map((other) => other.id) }), ...(withPeople && { with_people: true }) }
  await audit(tx, caller, 'intake.undo', { id, partner_id, account_id }, Object.keys(after).length > 0 ? { after } : {})
  return later
}

/** What people made goes only if somebody has seen what that is. */
async function refuseUnseen(tx: Kysely<Tables>, caller: Managing, intake: IntakeRecord): Promise<void> {
  const { preview, is_ordered } = intake
  if (is_ordered === 0)
    refuse('conflict', 'An earlier version stored this intake: what people have added to it stays, and can be deleted by itself')
  if (!preview.with_people || !(await isCurrent(caller, tx, intake)))
    refuse(
      'conflict',
      'Look first at what goes with it: a dry run that takes what people added, of after the last change, must come before',
    )
}

/** Refuses what cannot be undone; returns the later intakes that it is undone despite of. */
export async function refuseUndo(
  db: Kysely<Tables>,
  caller: Managing,
  intake: IntakeRecord,
  { isDespiteLater = false }: UndoOptions,
): Promise<LaterIntake[]> {
  const { id, state } = intake
  const tasks = db.selectFrom('intake_tasks').select('intake_id').where('intake_id', '=', id).where('task', 'in', ['store', 'undo'])
  if ((await tasks.executeTakeFirst()) !== undefined) refuse('conflict', `This ${intakeWord(caller)} has not ended: cancel it instead`)
  if (!undoable.has(state)) refuse('conflict', `This ${intakeWord(caller)} has stored nothing`)
  const later = intake.is_ordered === 1 ? [] : await laterIntakes(db, intake)
  if (later.length > 0 && !isDespiteLater) refuseForLater(caller, later)
  return later
}

/** An import or push that is still storing was killed, and so was an upload whose host is lost; what they stored can be undone. */
export const undoable: ReadonlySet<IntakeState> = new Set<IntakeState>(['storing', 'stored', 'interrupted'])

export async function endUndo({ app }: Managing, id: number, result: UndoResult): Promise<void> {
  await app.store.write(async (tx) => {
    await moveIntake(tx, id, 'undone', { undone_at: app.clock.now(), undo: JSON.stringify(result), reason: null })
    await tx.deleteFrom('intake_tasks').where('intake_id', '=', id).where('task', '=', 'undo').execute()
    await draftEvents(tx, [{ type: 'intake.undone', record_id: id, at: app.clock.now() }])
  })
}

/** Step by step; an interrupted one is completed by running it again. */
export async function revertIntake(
  caller: Managing,
  intake: Pick<IntakeRecord, 'id' | 'partner_id' | 'account_id'>,
  progress: (result: UndoResult) => Promise<void> = async () => {},
  before: UndoResult = nothingUndone,
): Promise<UndoResult> {
  const total = { ...before, left_alone: [...before.left_alone] }
  for (const accountId of await touchedAccounts(caller, intake)) {
    for (const step of await stepsOf(caller.app.store.db, accountId, intake.id)) {
      const { undone, left, isPart } = await undoStep(caller, accountId, intake.id, step, { takesPeople: before.with_people ?? false })
      total.undone += isPart ? 0 : undone
      total.left += left.length
      const listed = left.slice(0, mostListed - total.left_alone.length)
      total.left_alone.push(...(await sayLeft(caller.app.store.db, accountId, listed)))
      await progress(total)
    }
  }
  await forgetPlain(caller, intake)
  return total
}

/** What a file called plain ranks is forgotten with it, unless a later intake went on with that. */
async function forgetPlain({ app }: Managing, intake: Pick<IntakeRecord, 'id' | 'partner_id' | 'account_id'>): Promise<void> {
  const told = await app.store.db.selectFrom('plain_series').select('site_id').where('intake_id', '=', intake.id).limit(1).execute()
  if (told.length === 0) return
  await app.store.write(async (tx) => {
    const next = await nextIntake(tx, intake)
    if (next === undefined) await tx.deleteFrom('plain_series').where('intake_id', '=', intake.id).execute()
    else await tx.updateTable('plain_series').set({ intake_id: next }).where('intake_id', '=', intake.id).execute()
  })
}
