/** The job of sources: starts a thread while there are sites to be measured. */

import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '../lib/log.ts'
import { startSmall } from '../lib/process-memory.ts'
import { givingBackTurns } from '../lib/work/write-turns.ts'
import type { App } from '../model/core/app.ts'

const heapLimits = { maxOldGenerationSizeMb: 128 }
const semiSpaceMb = 2

/** Rejects when the thread dies; the next round starts another one. */
export async function workOnSources({ settings }: App, log: Log, signal: AbortSignal): Promise<void> {
  // A signal that has aborted tells nobody again.
  if (signal.aborted) return
  const address = new URL(`./source-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = givingBackTurns(startSmall(semiSpaceMb, () => new Worker(address, { workerData: settings, resourceLimits: heapLimits })))
  const stop = () => worker.postMessage('stop')
  signal.addEventListener('abort', stop)
  worker.on('message', (reason: string) => log.error({ reason }, 'the run of a source failed; it is repeated'))
  try {
    await once(worker, 'exit')
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
