/** Processes one uploaded file: checks it as a whole, then stores it. If the process is killed, the next attempt completes it. */

import { asciiJson } from '../../lib/ascii-json.ts'
import { importErrorMessage } from '../../resources/imports/import-fault.ts'
import type { IntakeFault } from '../../resources/intake.ts'
import type { IntakeTaskRow } from '../../store/rows/intakes.ts'
import type { App } from '../core/app.ts'
import { moveIntake, type StateChange } from '../imports/journal/intake-states.ts'
import { hasSteps } from '../imports/journal/journal.ts'
import { type FileSender, senderOf } from './file-senders.ts'
import { importUpload, importWholeUpload, type UploadOutcome, type WholeImport } from './import-upload.ts'
import { findIntake, type IntakeRecord, touchedAccounts } from './intakes.ts'
import { rest } from './parked-uploads.ts'
import { RefusedLines } from './refused-lines.ts'
import { type EndState, endTask, findTask, holdTask } from './tasks.ts'
import { revertIntake } from './undo.ts'
import { hasUpload, readUpload, removeUpload } from './upload-files.ts'
import type { KeptOptions } from './uploads.ts'
import { TaskStopped, type Watch, watchTask } from './watch-task.ts'

export interface TaskWork {
  readonly app: App
  /** Aborts when the service stops or another process has taken over. */
  readonly signal: AbortSignal
  /** Takes only tasks with a small file. */
  readonly onlySmall?: boolean
  /** Erases those reviewers again whom the file brought back; they are given as keyed hashes. */
  readonly eraseAgain: (reviewers: readonly string[]) => Promise<void>
  readonly importWhole: WholeImport
}

/** Limits the attempts, because a file might crash the process whenever it is read. */
const mostAttempts = 10

export async function storeUpload(work: TaskWork, task: IntakeTaskRow): Promise<void> {
  const { app } = work
  const options = JSON.parse(task.options) as KeptOptions
  const caller = senderOf(app, task.partner_id, options)
  const begun = await begin(app, task)
  if (begun === undefined) return
  try {
    await storeFile(work, caller, task, options, begun)
  } catch (error) {
    if (!(error instanceof TaskStopped)) throw error
    await (error.reason === 'cancelled' ? takeBack(caller, task) : resumeLater(app, task))
  }
}

/** Undefined if the task was cancelled in the meantime. An intake that has begun never waits again, whatever its attempts are counted down to. */
async function begin({ store }: App, { intake_id, attempts }: IntakeTaskRow): Promise<'first' | 'again' | undefined> {
  return store.write(async (tx) => {
    const isFirst = await moveIntake(tx, intake_id, 'checking')
    const counted = tx
      .updateTable('intake_tasks')
      .set({ attempts: attempts + 1 })
      .where('intake_id', '=', intake_id)
    if ((await counted.executeTakeFirst()).numUpdatedRows === 0n) return undefined
    return isFirst ? 'first' : 'again'
  })
}

/** Does not count the attempt, because the service was stopped. */
async function resumeLater({ store }: App, { intake_id, attempts }: IntakeTaskRow): Promise<void> {
  await store.write((tx) => tx.updateTable('intake_tasks').set({ attempts }).where('intake_id', '=', intake_id).execute())
}

async function storeFile(
  work: TaskWork,
  caller: FileSender,
  task: IntakeTaskRow,
  options: KeptOptions,
  begun: 'first' | 'again',
): Promise<void> {
  const intake = await findIntake(caller, task.intake_id)
  if (intake.state === 'cancelling') return takeBack(caller, task)
  if (intake.state === 'parking') return layAside(caller, task)
  const { settings } = work.app
  const name = task.file ?? ''
  if (task.attempts >= mostAttempts || !hasUpload(settings, name)) return end(caller, task, 'interrupted')
  // Only the journal knows whether an earlier run got as far as to store something.
  const isResumed = begun === 'again' && (await isStoredInPart(caller, intake))
  const watch = watchTask(work.app, task, work.signal)
  const refusals = new RefusedLines()
  try {
    const file = { bytes: intake.bytes ?? 0, read: () => readUpload(settings, name) }
    const stored = { id: intake.id, isResumed }
    const summary =
      options.isWhole && caller.kind === 'partner'
        ? await importWholeUpload(work.importWhole, caller, stored, options, file, watch)
        : await importUpload(caller, stored, options, file, watch, refusals)
    // Ends the progress updates first, because the counts that the import has just written are more exact.
    await watch.end()
    if (options.skipsRefused) await refusals.keep(work.app, intake.id)
    await settle(work, caller, task, { options, isResumed }, summary, watch)
  } finally {
    refusals.close()
    await watch.end()
  }
}

/** What an earlier version stored is taken back, because its steps do not say how many records they hold. */
async function isStoredInPart(caller: FileSender, intake: IntakeRecord): Promise<boolean> {
  const { db } = caller.app.store
  const accounts = await touchedAccounts(caller, intake)
  if (await hasSteps(db, accounts, intake.id, 'uncounted')) await revertIntake(caller, intake)
  return hasSteps(db, accounts, intake.id)
}

async function settle(
  work: TaskWork,
  caller: FileSender,
  task: IntakeTaskRow,
  { options, isResumed }: { readonly options: KeptOptions; readonly isResumed: boolean },
  summary: UploadOutcome,
  { figures }: Watch,
): Promise<void> {
  const { lines, refused, faults, kinds, isApplied, notices = [] } = summary
  const { bytes_read, recognised_as } = figures
  const read = { bytes_read, recognised_as, ...(notices.length > 0 && { notices: asciiJson(notices) }) }
  const skipped = { refused, faults: asciiJson(toldFaults(faults)) }
  if (isApplied) return endStored(work, caller, task, { ...read, ...(refused > 0 && skipped) })
  // Records that an earlier run accepted may be refused now, for example because a site was deleted; they are reverted.
  if (isResumed) await revertIntake(caller, await findIntake(caller, task.intake_id))
  const isGood = refused === 0 || (options.skipsRefused === true && Object.keys(kinds).length > 0)
  const state = options.isDryRun && isGood ? 'checked' : 'refused'
  const told = { ...read, lines, stored: 0, ...skipped, counts: JSON.stringify(kinds) }
  await (faults.some(({ code }) => code === 'key_revoked') ? hold(caller, task, state, told) : end(caller, task, state, told))
}

function toldFaults(faults: UploadOutcome['faults']): IntakeFault[] {
  return faults.map((fault) => ({
    line: fault.line,
    field: fault.field,
    code: fault.code,
    message: `${fault.file === undefined ? '' : `${fault.file}: `}${importErrorMessage(fault, 'request')}`,
  }))
}

async function endStored({ app, eraseAgain }: TaskWork, caller: FileSender, task: IntakeTaskRow, figures: StateChange): Promise<void> {
  const now = await findTask(app, task.intake_id)
  const erased = JSON.parse(now?.erased ?? '[]') as string[]
  if (erased.length > 0) await eraseAgain(erased)
  await end(caller, task, 'stored', figures)
}

async function takeBack(caller: FileSender, task: IntakeTaskRow): Promise<void> {
  await revertIntake(caller, await findIntake(caller, task.intake_id))
  await end(caller, task, 'cancelled')
}

/** Nothing of it is stored while it rests. */
async function layAside(caller: FileSender, task: IntakeTaskRow): Promise<void> {
  await revertIntake(caller, await findIntake(caller, task.intake_id))
  await rest(caller.app, task)
}

async function hold(caller: FileSender, task: IntakeTaskRow, state: EndState, figures: StateChange): Promise<void> {
  const { store, clock } = caller.app
  const isHeld = await store.write((tx) => holdTask(tx, task.intake_id, state, { ...figures, ended_at: clock.now() }))
  if (!isHeld) await takeBack(caller, task)
}

/**
 * Records the end first and then deletes the file; a file left behind by a crash is found later. A cancellation that arrived with the last record still
 * counts: it was the first to change the state.
 */
async function end(caller: FileSender, task: IntakeTaskRow, state: EndState, figures: StateChange = {}): Promise<void> {
  const { app } = caller
  const isOver = await app.store.write((tx) => endTask(tx, task.intake_id, state, { ...figures, ended_at: app.clock.now() }))
  if (!isOver && state !== 'cancelled') return takeBack(caller, task)
  if (task.file !== null && !(JSON.parse(task.options) as KeptOptions).isLent) await removeUpload(app.settings, task.file)
}
