/** Processes the tasks of intakes in the background: those of each partner one after the other, by the process that has the file. */

import type { IntakeTaskRow } from '../../store/rows/intakes.ts'
import { type App, perApp } from '../core/app.ts'
import { runLeased } from '../core/leases.ts'
import type { Managing } from '../core/tenancy.ts'
import { findIntake, type UndoResult } from './intakes.ts'
import { hasFailedForLong, noteFailure, park } from './parked-uploads.ts'
import { makePreview } from './preview.ts'
import { storeUpload, type TaskWork } from './store-upload.ts'
import { findTask, firstTasks, interruptLost, sayFilesAreHere } from './tasks.ts'
import { endUndo, revertIntake } from './undo.ts'
import { hostOf, isSmall } from './upload-files.ts'

/** After this time another process takes over from one that has died. */
const leaseSeconds = 60
const longestPauseMilliseconds = 5 * 60_000

export interface TaskFailure {
  readonly intakeId: number
  readonly error: unknown
}

/** Does one task after the other until it finds none that nobody else does; returns what failed, which is retried later. */
export async function workTasks(work: TaskWork): Promise<TaskFailure[]> {
  const { app, signal } = work
  const host = hostOf(app.settings)
  if (host !== null) await sayFilesAreHere(app, host)
  await interruptLost(app, host)
  const failures: TaskFailure[] = []
  while (!signal.aborted && (await workOnce(work, host, failures)));
  return failures
}

/** What a process remembers about tasks between two rounds. */
interface Memory {
  /** When a failed task is retried, and how often it has failed. */
  readonly retries: Map<number, { at: number; failures: number; since: string }>
  /** When each partner was last served; the one that has waited longest is next. */
  readonly turns: Map<number, number>
}

const memoryOf = perApp((): Memory => ({ retries: new Map(), turns: new Map() }))

/** False if there is nothing to do, or other processes are doing it. */
async function workOnce(work: TaskWork, host: string | null, failures: TaskFailure[]): Promise<boolean> {
  const { retries, turns } = memoryOf(work.app)
  const isPaused = ({ intake_id }: IntakeTaskRow) => (retries.get(intake_id)?.at ?? 0) > performance.now()
  const mine = (await firstTasks(work.app, isPaused)).filter(({ task, host: at }) => task !== 'store' || at === host)
  const due = mine.filter((task) => !isPaused(task) && (!work.onlySmall || isSmallTask(work.app, task)))
  for (const task of due.toSorted((a, b) => (turns.get(a.partner_id) ?? 0) - (turns.get(b.partner_id) ?? 0))) {
    const terms = { name: `intakes:${task.partner_id}`, seconds: leaseSeconds }
    const isDone = await runLeased(work.app, terms, (lost) => attempt(work, lost, task.intake_id, failures))
    turns.set(task.partner_id, performance.now())
    if (isDone) return true
  }
  return false
}

function isSmallTask({ settings }: App, { file }: IntakeTaskRow): boolean {
  return file !== null && isSmall(settings, file)
}

async function attempt(work: TaskWork, lost: AbortSignal, intakeId: number, failures: TaskFailure[]): Promise<void> {
  const { retries } = memoryOf(work.app)
  const task = await findTask(work.app, intakeId)
  if (task === undefined) return
  const { app } = work
  const before = retries.get(intakeId)
  const since = task.failing_since ?? before?.since ?? null
  try {
    if (task.task === 'store' && hasFailedForLong(app, since)) await park(app, task)
    await doTask({ ...work, signal: AbortSignal.any([work.signal, lost]) }, task)
    retries.delete(intakeId)
  } catch (error) {
    const times = (before?.failures ?? 0) + 1
    const first = since ?? app.clock.now()
    retries.set(intakeId, { at: performance.now() + Math.min(longestPauseMilliseconds, 1_000 * 2 ** times), failures: times, since: first })
    failures.push({ intakeId, error })
    // Where the database cannot be reached, this process remembers it.
    await noteFailure(app, task, first, error).catch(() => {})
  }
}

function doTask(work: TaskWork, task: IntakeTaskRow): Promise<void> {
  switch (task.task) {
    case 'undo':
      return undo(work, task)
    case 'preview':
      return preview(work, task)
    default:
      return storeUpload(work, task)
  }
}

async function preview({ app, signal }: TaskWork, { intake_id, options }: IntakeTaskRow): Promise<void> {
  const caller: Managing = { kind: 'operator', app, requestId: `intake ${intake_id}` }
  try {
    await makePreview(caller, await findIntake(caller, intake_id), JSON.parse(options) as { withPeople?: boolean }, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** The audit log names who requested it; the remaining work needs nobody's permission. */
async function undo({ app, signal }: TaskWork, { intake_id }: IntakeTaskRow): Promise<void> {
  const caller: Managing = { kind: 'operator', app, requestId: `intake ${intake_id}` }
  const intake = await findIntake(caller, intake_id)
  const { undone, left, left_alone, with_people = false } = intake
  try {
    const result = await revertIntake(caller, intake, savingProgress(app, intake_id, signal), { undone, left, left_alone, with_people })
    await endUndo(caller, intake_id, result)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const saveMilliseconds = 1_000

function savingProgress({ store }: App, intakeId: number, signal: AbortSignal): (result: UndoResult) => Promise<void> {
  let savedAt = performance.now()
  return async (result) => {
    signal.throwIfAborted()
    if (performance.now() - savedAt < saveMilliseconds) return
    savedAt = performance.now()
    await store.write((tx) =>
      tx
        .updateTable('intakes')
        .set({ undo: JSON.stringify(result) })
        .where('id', '=', intakeId)
        .execute(),
    )
  }
}
