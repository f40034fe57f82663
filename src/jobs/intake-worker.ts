/** The thread that imports uploads and undoes intakes, so that their processor time does not delay requests. */

import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../config.ts'
import { openApp } from '../model/core/app.ts'
import { isTaskDue } from '../model/intakes/tasks.ts'
import { workTasks } from '../model/intakes/work-tasks.ts'
import { eraseAgain } from '../model/people/personal-data.ts'

const roundMilliseconds = 1_000

const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
// The message listener alone must not keep the thread alive.
parentPort?.unref()
await work(workerData as Settings, stopping.signal)

/** Runs while there is work left; failed work is retried at growing intervals. */
async function work(settings: Settings, signal: AbortSignal): Promise<void> {
  const app = await openApp({ ...settings, databasePool: 4 }, { memory: 'little' })
  const erase = async (reviewers: readonly string[]) => {
    const erasures = reviewers.map((reviewer) => ({ at: app.clock.now(), reviewer }))
    await eraseAgain({ kind: 'operator', app, requestId: 'erased before' }, erasures)
  }
  try {
    do {
      for (const failure of await workTasks({ app, signal, eraseAgain: erase })) parentPort?.postMessage(tellingOf(failure))
      await sleep(roundMilliseconds, undefined, { signal }).catch(() => {})
    } while (!signal.aborted && (await isTaskDue(app)))
  } finally {
    await app.close()
  }
}

function tellingOf({ intakeId, error }: { intakeId: number; error: unknown }) {
  return { intake_id: intakeId, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
