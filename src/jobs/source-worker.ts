/** The thread that measures the sites of sources, so that nothing which they send is read beside the requests. */

import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../config.ts'
import { moreConnections } from '../lib/work/budget.ts'
import { openApp } from '../model/core/app.ts'
import { workSources } from '../model/sources/work-sources.ts'

const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
// The message listener alone must not keep the thread alive.
parentPort?.unref()

const app = await openApp({ ...(workerData as Settings), databasePool: moreConnections.sources }, { memory: 'little' })
try {
  for (const error of await workSources(app, stopping.signal))
    parentPort?.postMessage(error instanceof Error ? (error.stack ?? error.message) : String(error))
} finally {
  await app.close()
}
