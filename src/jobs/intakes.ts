/** The intake job: starts a thread while there are uploads to import or intakes to undo. */

import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '../lib/log.ts'
import { startSmall, withBoundedYoungGeneration } from '../lib/process-memory.ts'
import { givingBackTurns } from '../lib/work/write-turns.ts'
import type { App } from '../model/core/app.ts'
import { firstTasks } from '../model/intakes/tasks.ts'
import { isAnyLarge } from '../model/intakes/upload-files.ts'

/** More than any measured file needs. A file that needs more ends as interrupted and can be imported at the command line. */
const heapLimits = { maxOldGenerationSizeMb: 384 }
/** A third of its young generation: with more, the garbage of an import would wait longer to be collected. */
const semiSpaceMb = 2

/** Of the main thread while a large file is imported, so that both together stay small; requests have garbage enough to fill the whole of a larger one. */
const mostYoungBytes = 4 << 20

/** Rejects when the thread dies; the next round starts another one. */
export async function workOnIntakes(app: App, log: Log, signal: AbortSignal): Promise<void> {
  const { settings } = app
  const files = (await firstTasks(app)).flatMap(({ file }) => file ?? [])
  // A signal that has aborted tells nobody again: the thread would go on for as long as there are tasks, and the service would not stop.
  if (signal.aborted) return
  const address = new URL(`./intake-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = givingBackTurns(startSmall(semiSpaceMb, () => new Worker(address, { workerData: settings, resourceLimits: heapLimits })))
  const stop = () => worker.postMessage('stop')
  signal.addEventListener('abort', stop)
  worker.on('message', (failure: object) => log.error(failure, 'the work on an intake failed; it is tried again'))
  try {
    // `once` rejects if the thread fails.
    const end = () => once(worker, 'exit')
    // A small file is not worth the collection of all garbage, for which requests wait.
    await (isAnyLarge(settings, files) ? withBoundedYoungGeneration(end, mostYoungBytes) : end())
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
