/** Runs beside the import of a file: writes its progress every second, and checks whether it was cancelled. */

import type { IntakeTaskRow } from '../../store/rows/intakes.ts'
import type { App } from '../core/app.ts'
import { hasState, moveIntake } from '../imports/journal/intake-states.ts'
import { findTask, sayFilesAreHere } from './tasks.ts'

/** Thrown between two transactions; what was stored so far is kept for the next attempt, or reverted. */
export class TaskStopped extends Error {
  readonly reason: 'cancelled' | 'service stops'

  constructor(reason: 'cancelled' | 'service stops') {
    super(reason)
    this.reason = reason
  }
}

interface Figures {
  bytes_read: number
  lines: number
  stored: number
  /** The presets by which the file was recognised, separated by commas. */
  recognised_as: string | null
}

const everyMilliseconds = 1_000

export type Watch = ReturnType<typeof watchTask>

export function watchTask(app: App, task: IntakeTaskRow, signal: AbortSignal) {
  const { store } = app
  const figures: Figures = { bytes_read: 0, lines: 0, stored: 0, recognised_as: null }
  let state: 'checking' | 'storing' = 'checking'
  let written = ''
  let [isCancelled, isGone, isLooking] = [false, false, false]
  let looking = Promise.resolve()
  const watch = {
    figures,
    erased: new Set(JSON.parse(task.erased) as string[]),
    /** Called by the import; throws to stop it. */
    progress: (stage: 'check' | 'apply', done: number) => {
      state = stage === 'check' ? 'checking' : 'storing'
      figures[stage === 'check' ? 'lines' : 'stored'] = done
      if (isCancelled) throw new TaskStopped('cancelled')
      if (signal.aborted || isGone) throw new TaskStopped('service stops')
    },
    /** Waits for a check in progress. */
    async end(): Promise<void> {
      clearInterval(timer)
      await looking
    },
  }
  const save = async () => {
    const now = JSON.stringify([state, figures])
    if (now === written) return
    written = now
    await store.write(async (tx) => {
      const intake = tx.updateTable('intakes').where('id', '=', task.intake_id)
      // What the import has counted at its end is more exact.
      await intake
        .set({ ...figures })
        .where('counts', '=', '{}')
        .execute()
      await moveIntake(tx, task.intake_id, state)
    })
  }
  const look = async () => {
    await save()
    if (task.host !== null) await sayFilesAreHere(app, task.host)
    const now = await findTask(app, task.intake_id)
    isCancelled = await hasState(store.db, task.intake_id, ['cancelling'])
    isGone = now === undefined
    for (const reviewer of JSON.parse(now?.erased ?? '[]') as string[]) watch.erased.add(reviewer)
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    // A failed check is repeated a second later; if the database is unreachable, the import itself fails.
    looking = look()
      .catch(() => {})
      .finally(() => {
        isLooking = false
      })
  }, everyMilliseconds)
  return watch
}
