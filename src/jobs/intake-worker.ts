/** The thread that imports uploads and undoes intakes, so that their processor time does not delay requests. */

import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../config.ts'
import { moreConnections, workBudget } from '../lib/work/budget.ts'
import { type App, openApp } from '../model/core/app.ts'
import { isTaskDue } from '../model/intakes/tasks.ts'
import { workTasks } from '../model/intakes/work-tasks.ts'
import { eraseAgain } from '../model/people/personal-data.ts'
import { importUploadedAccounts } from '../model/transfers/import-uploaded.ts'

const roundMilliseconds = 1_000
/** Beside the places for files of every size, one for small files: they wait for no large one, however many there are. */
const allPlaces = workBudget.intake.places + 1

const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
// The message listener alone must not keep the thread alive.
parentPort?.unref()
await work(workerData as Settings, stopping)

/** Runs while there is work left. A place that is free looks for some every second, however long the work in the others takes. */
async function work(settings: Settings, stopping: AbortController): Promise<void> {
  const { signal } = stopping
  const app = await openApp({ ...settings, databasePool: moreConnections.uploads }, { memory: 'little' })
  const rounds = new Map<number, Promise<void>>()
  const errors: unknown[] = []
  const begin = (place: number) => {
    const round = workRound(app, signal, place >= workBudget.intake.places)
      .catch((error: unknown) => {
        errors.push(error)
        // The work in the other places ends between two transactions, and the thread is started again.
        stopping.abort()
      })
      .finally(() => rounds.delete(place))
    rounds.set(place, round)
  }
  try {
    do {
      for (let place = 0; place < allPlaces; place++) if (!rounds.has(place)) begin(place)
      await sleep(roundMilliseconds, undefined, { signal }).catch(() => {})
    } while (!signal.aborted && (rounds.size > 0 || (await isTaskDue(app))))
  } finally {
    await Promise.all(rounds.values())
    await app.close()
  }
  if (errors.length > 0) throw errors[0]
}

/** Failed work is retried at growing intervals. */
async function workRound(app: App, signal: AbortSignal, onlySmall: boolean): Promise<void> {
  const erase = async (reviewers: readonly string[]) => {
    const erasures = reviewers.map((reviewer) => ({ at: app.clock.now(), reviewer }))
    await eraseAgain({ kind: 'operator', app, requestId: 'erased before' }, erasures)
  }
  for (const failure of await workTasks({ app, signal, eraseAgain: erase, importWhole: importUploadedAccounts, onlySmall }))
    parentPort?.postMessage(tellingOf(failure))
}

function tellingOf({ intakeId, error }: { intakeId: number; error: unknown }) {
  return { intake_id: intakeId, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
