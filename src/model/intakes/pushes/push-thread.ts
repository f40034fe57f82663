/** Hands pushes to the thread that stores them. */

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ThreadCalls } from '../../../lib/work/thread-calls.ts'
import { givingBackTurns } from '../../../lib/work/write-turns.ts'
import { type App, perApp } from '../../core/app.ts'
import type { PartnerCaller } from '../../core/caller.ts'
import { countTaken } from '../../imports/import.ts'
import type { ImportSummary } from '../../imports/summary.ts'
import { exitOfFailedDisk, type Push } from './store-push.ts'

/** More than any push within all limits was measured to need. */
const heapLimits = { maxOldGenerationSizeMb: 384 }

/** Settles only when nothing reads the body any more, also where the client has gone. */
export async function pushObservations(
  caller: PartnerCaller,
  push: Omit<Push, 'partnerId' | 'key'>,
  stopped: AbortSignal,
): Promise<ImportSummary> {
  const { app, partnerId, accountId, accountIds, keyId, keyName, requestId } = caller
  const summary = await threadOf(app).ask({ ...push, partnerId, key: { accountId, accountIds, keyId, keyName, requestId } }, stopped)
  countTaken(caller, { partnerId }, summary)
  return summary
}

const threadOf = perApp((app: App) => {
  const thread = new ThreadCalls<Push, ImportSummary>(() => startThread(app))
  app.beforeClose.push(() => thread.close())
  return thread
})

function startThread({ settings, store }: App): Worker {
  const address = new URL(`./push-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = givingBackTurns(new Worker(address, { workerData: settings, resourceLimits: heapLimits }))
  return worker.once('exit', (code) => {
    if (code === exitOfFailedDisk) store.engine.failDisk()
  })
}
