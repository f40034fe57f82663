/** Previews: what an undo of an intake would do, worked out without changing anything. */

import type { Kysely } from 'kysely'
import type { GoingRecord, LeftAlone } from '../../resources/intake.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Managing } from '../core/tenancy.ts'
import { findIntake, type IntakeRecord, nothingTried, touchedAccounts, type UndoPreview } from './intakes.ts'
import { isCurrent, versionsOf } from './preview-versions.ts'
import { addTask } from './tasks.ts'
import { refuseHalf, refuseUndo, type UndoOptions } from './undo.ts'
import { sayGoing, sayLeft } from './undo-steps/say-left.ts'
import { newTrial, takesRoom } from './undo-steps/trial.ts'
import { stepsOf, tryStep } from './undo-steps/undo-step.ts'

const byValue =
  'An earlier version stored this intake. Its undo compares with what is stored, and takes only what no intake of this version has delivered since: which records these are is not told before.'

/** An intake whose preview says whether anything has changed since. */
export async function showIntake(caller: Managing, id: number): Promise<IntakeRecord> {
  const intake = await findIntake(caller, id)
  const { preview } = intake
  if (preview.state !== 'done' || (await isCurrent(caller, caller.app.store.db, intake))) return intake
  return { ...intake, preview: { ...preview, state: 'outdated' } }
}

/** It is made in the background, because it reads as much as an undo changes; one that nothing has happened since is told again. */
export async function requestPreview(caller: Managing, id: number, options: UndoOptions = {}): Promise<IntakeRecord> {
  const intake = await showIntake(caller, id)
  const { withPeople = false } = options
  const { state, preview: told } = intake
  if (state === 'undone' || state === 'undoing' || (told.state === 'done' && told.with_people === withPeople)) return intake
  await refuseHalf(caller, intake)
  return caller.app.store.write(async (tx) => {
    await refuseUndo(tx, caller, intake, options)
    const { partner_id } = intake
    const preview: UndoPreview = { ...nothingTried, state: 'working', with_people: withPeople }
    await keepPreview(tx, id, preview)
    await tx.deleteFrom('intake_tasks').where('intake_id', '=', id).where('task', '=', 'preview').execute()
    await addTask(tx, caller, { intake_id: id, partner_id, task: 'preview', options: JSON.stringify({ withPeople }) })
    return { ...intake, preview }
  })
}

/** At the command line, where somebody waits for it. */
export async function previewUndo(caller: Managing, id: number, options: UndoOptions = {}): Promise<IntakeRecord> {
  const intake = await findIntake(caller, id)
  await refuseHalf(caller, intake)
  await refuseUndo(caller.app.store.db, caller, intake, options)
  await makePreview(caller, intake, options)
  return findIntake(caller, id)
}

/** Ends its task with it. */
export async function makePreview(
  caller: Managing,
  intake: IntakeRecord,
  { withPeople = false }: Pick<UndoOptions, 'withPeople'>,
  signal?: AbortSignal,
): Promise<void> {
  const preview = intake.is_ordered === 1 ? await tried(caller, intake, withPeople, signal) : { ...done(caller, withPeople), note: byValue }
  await caller.app.store.write(async (tx) => {
    await keepPreview(tx, intake.id, preview)
    await tx.deleteFrom('intake_tasks').where('intake_id', '=', intake.id).where('task', '=', 'preview').execute()
  })
}

function done({ app }: Managing, with_people: boolean): UndoPreview {
  return { ...nothingTried, state: 'done', as_of: app.clock.now(), with_people }
}

async function tried(caller: Managing, intake: IntakeRecord, withPeople: boolean, signal?: AbortSignal): Promise<UndoPreview> {
  const begun = done(caller, withPeople)
  const accounts = await touchedAccounts(caller, intake)
  return caller.app.store.snapshot(async (db) => {
    const versions = await versionsOf(db, accounts)
    const [going, staying, room] = [[] as GoingRecord[], [] as LeftAlone[], new Map<string, number>()]
    let [goes, stays] = [0, 0]
    for (const accountId of accounts) {
      const trial = newTrial()
      const how = { trial, takesPeople: withPeople }
      for (const step of await stepsOf(db, accountId, intake.id)) {
        signal?.throwIfAborted()
        const { undone, left, isPart } = await tryStep(caller, db, accountId, intake.id, step, how)
        goes += isPart ? 0 : undone
        stays += left.length
        const listed = left.filter(({ kind }) => takesRoom(room, kind))
        staying.push(...(await sayLeft(db, accountId, listed)))
      }
      going.push(...(await sayGoing(db, accountId, trial.goes)))
    }
    return { ...begun, goes, stays, going, staying, versions }
  })
}

async function keepPreview(tx: Kysely<Tables>, id: number, preview: UndoPreview): Promise<void> {
  const text = JSON.stringify(preview)
  await tx.updateTable('intakes').set({ preview: text }).where('id', '=', id).execute()
}
