/** The service: the app, the doors and the jobs, started and stopped in order. */

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiDoor, refuseAtDoor } from './api/dispatch.ts'
import { referenceDoor } from './api/reference/routes.ts'
import { addressOf, type Settings } from './config.ts'
import { openAdmin } from './http/admin.ts'
import { openLimits } from './http/concurrency-limits.ts'
import { healthDoor } from './http/health.ts'
import { measuresOf } from './http/measures.ts'
import { observing, openMetrics } from './http/metrics.ts'
import { openRates } from './http/rate-limit.ts'
import { openReadiness } from './http/readiness.ts'
import { createServer } from './http/server.ts'
import { jobsOn } from './jobs/jobs.ts'
import { type Jobs, startJobs } from './jobs/loop.ts'
import { watchSecrets } from './jobs/secret-watch.ts'
import { type Log, openLog } from './lib/log.ts'
import { writeTimesIn } from './lib/time/moments.ts'
import { type App, openApp } from './model/core/app.ts'
import { schemaState } from './store/migrate.ts'
import { pagesDoor } from './web/dispatch.ts'
import { composeLetter } from './web/letters/compose.ts'

export interface Service {
  readonly url: string
  readonly adminUrl: string
  readonly app: App
  /** Resolves when the service must not go on: its disk has failed. Whoever started it stops it and starts anew. */
  readonly failed: Promise<void>
  /** Says that it is not ready, so that no new work is sent here. */
  drain(): void
  stop(): Promise<void>
}

const leastFreeBytes = 16 * 1024 * 1024
const finishSeconds = 10

export async function startService(settings: Settings, log: Log = openLog(settings.logLevel)): Promise<Service> {
  writeTimesIn(settings.timeZone)
  const app = await openApp(settings)
  try {
    return await openDoors(settings, app, log)
  } catch (error) {
    await app.close()
    throw error
  }
}

async function openDoors(settings: Settings, app: App, log: Log): Promise<Service> {
  const { isReady, end } = openReadiness(() => check(app))
  const admission = { limits: openLimits(), rates: openRates() }
  let jobs: Jobs | null = null
  const registry = openMetrics(measuresOf({ app, limits: admission.limits, log, isReady, jobs: () => jobs?.counts ?? {} }))
  const server = createServer({
    log,
    doors: [apiDoor(app, admission), healthDoor(isReady), referenceDoor(app), pagesDoor(app, admission.limits)],
    refuse: refuseAtDoor(app),
    observe: observing(registry),
    trustedProxies: settings.trustedProxies,
  })
  const admin = await openAdmin({ host: settings.adminHost, port: settings.adminPort }, registry, isReady)
  await listening(server, settings).catch(async (error: unknown) => {
    await admin.close()
    throw error
  })
  const { port } = server.address() as AddressInfo
  jobs = startJobs(app, jobsOn(app, log, composeLetter), log)
  const secretWatch = watchSecrets(app, log)
  const failed = app.store.engine.diskFailed.then(() => {
    end('the disk has failed')
    log.fatal('the disk has failed: nothing more is acknowledged')
  })
  return {
    url: addressOf(settings.host, port),
    adminUrl: addressOf(admin.host, admin.port),
    app,
    failed,
    drain: () => end('draining'),
    async stop() {
      end('draining')
      await Promise.race([closed(server), sleep(finishSeconds * 1000, undefined, { ref: false })])
      server.closeAllConnections()
      await jobs?.stop()
      secretWatch.stop()
      await admin.close()
      await app.close()
    },
  }
}

async function listening(server: Server, { host, port }: Settings): Promise<void> {
  server.listen({ host, port })
  await once(server, 'listening')
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

async function check({ store, secrets }: App): Promise<void> {
  await store.readyProbe()
  await secrets.refresh()
  const { state } = await schemaState(store)
  if (state !== 'current') throw new Error(`the schema is ${state}`)
  const free = await store.engine.freeBytes()
  if (free !== undefined && free < leastFreeBytes) throw new Error('the disk is almost full')
}
