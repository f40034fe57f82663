/** The service: the ground, the doors and the jobs, started and stopped in order. */

import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiDoor, refuseAtDoor } from './api/dispatch.ts'
import { registerReference } from './api/reference/routes.ts'
import { addressOf, type Settings } from './config.ts'
import { openAdmin } from './http/admin.ts'
import { type Limits, openLimits } from './http/concurrency-limits.ts'
import { observing, openMetrics } from './http/metrics.ts'
import { openRates } from './http/rate-limit.ts'
import { openReadiness } from './http/readiness.ts'
import { createServer } from './http/server.ts'
import { jobsOn } from './jobs/jobs.ts'
import { startJobs } from './jobs/loop.ts'
import { type Log, openLog } from './lib/log.ts'
import { writeTimesIn } from './lib/times.ts'
import { type Ground, openGround } from './model/core/app.ts'
import { schemaState } from './store/migrate.ts'
import { registerPages } from './web/dispatch.ts'

export interface Service {
  readonly url: string
  readonly adminUrl: string
  readonly ground: Ground
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
  const ground = await openGround(settings)
  try {
    return await openDoors(settings, ground, log)
  } catch (error) {
    await ground.close()
    throw error
  }
}

async function openDoors(settings: Settings, ground: Ground, log: Log): Promise<Service> {
  const { isReady, end } = openReadiness(() => check(ground))
  const gates = { limits: openLimits(), rates: openRates() }
  const registry = openMetrics(measured(ground, gates.limits))
  const server = createServer({
    log,
    api: apiDoor(ground, gates),
    isReady,
    refuse: refuseAtDoor(ground),
    observe: observing(registry),
    trustedProxies: settings.trustedProxies,
  })
  registerReference(server)
  registerPages(server, ground)
  const admin = await openAdmin(settings.adminPort, registry, isReady)
  await server.listen({ host: settings.host, port: settings.port }).catch(async (error: unknown) => {
    await admin.close()
    throw error
  })
  const { port } = server.server.address() as AddressInfo
  const jobs = startJobs(jobsOn(ground, log), log)
  const failed = ground.store.engine.lost.then(() => {
    end('the disk has failed')
    log.fatal('the disk has failed: nothing more is acknowledged')
  })
  return {
    url: addressOf(settings.host, port),
    adminUrl: addressOf('127.0.0.1', admin.port),
    ground,
    failed,
    drain: () => end('draining'),
    async stop() {
      end('draining')
      await Promise.race([server.close(), sleep(finishSeconds * 1000, undefined, { ref: false })])
      server.server.closeAllConnections()
      await jobs.stop()
      await admin.close()
      await ground.close()
    },
  }
}

async function check({ store }: Ground): Promise<void> {
  await store.readyProbe()
  const { state } = await schemaState(store)
  if (state !== 'current') throw new Error(`the schema is ${state}`)
  const free = await store.engine.freeBytes()
  if (free !== undefined && free < leastFreeBytes) throw new Error('the disk is almost full')
}

function measured({ store, passwords }: Ground, { counts }: Limits) {
  return {
    requests_inside: () => ({ provision: counts.provision.inside, report: counts.report.inside, ingest: counts.ingest.inside }),
    requests_waiting: () => ({ provision: counts.provision.waiting, report: counts.report.waiting, ingest: counts.ingest.waiting }),
    passwords: () => ({ inside: passwords.pool.inside, waiting: passwords.pool.waiting }),
    store: () => store.engine.gauges(),
  }
}
