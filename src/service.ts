/** The service: the app, the doors and the jobs, started and stopped in order. */

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { apiDoor, refuseAtDoor } from './api/dispatch.ts'
import { mcpDoor } from './api/mcp/door.ts'
import { referenceDoor } from './api/reference/routes.ts'
import { addressOf, type Settings, workerCount } from './config.ts'
import { testPartnersJob } from './demo/test-partners.ts'
import { adminPlaceOf, openAdmin } from './http/admin.ts'
import { openLimits } from './http/concurrency-limits.ts'
import { watchConnections } from './http/connections.ts'
import { type EndingTerms, endingOf } from './http/ending.ts'
import type { Exchange } from './http/exchange.ts'
import { healthDoor } from './http/health.ts'
import { measuresOf } from './http/measures.ts'
import { observing, openMetrics } from './http/metrics.ts'
import { openRates, type Rates } from './http/rate-limit.ts'
import { openReadiness, type Readiness } from './http/readiness.ts'
import { createServer } from './http/server.ts'
import { openSharedRates } from './http/shared-rates.ts'
import { openTraces } from './http/traces.ts'
import { jobsOn } from './jobs/jobs.ts'
import { type Jobs, startJobs } from './jobs/loop.ts'
import { watchSecrets } from './jobs/secret-watch.ts'
import { type Log, openLog } from './lib/log.ts'
import { basePath, basePathSentence } from './lib/network/base-path.ts'
import type { Channel } from './lib/processes/channel.ts'
import { primary } from './lib/processes/primary.ts'
import { writeTimesIn } from './lib/time/moments.ts'
import { workBudget } from './lib/work/budget.ts'
import { type App, openApp } from './model/core/app.ts'
import { refuseNewWithBasePath } from './model/core/installation.ts'
import { schemaState } from './store/migrate.ts'
import { pagesDoor } from './web/dispatch.ts'
import { composeByReaders } from './web/letters/letter-work.ts'
import { unlessMisplaced } from './web/misplaced.ts'

export interface Service {
  readonly url: string
  readonly adminUrl: string
  readonly app: App
  /** Resolves when the service must not continue because its disk has failed. The process that started it then restarts it. */
  readonly failed: Promise<void>
  /** All metrics of the service; a primary adds up those of its workers. */
  readonly registry: Registry
  readonly isReady: Readiness['isReady']
  /** Reports not ready, so that a load balancer sends no new requests. */
  drain(): void
  /** Accepts no more connections, and serves the open ones until their clients leave; each answer tells the client to close its connection. */
  retire(): Promise<void>
  stop(): Promise<void>
}

const leastFreeBytes = 16 * 1024 * 1024
/** Clients are told that a connection is kept for 5 seconds; a report that goes on being received has a minute to end. */
const stopTerms: EndingTerms = { idleSeconds: 6, silentSeconds: 10, mostSeconds: 60 }
/** Longer than the longest keep-alive time, so that no connection is closed while a client may be about to use it. */
const retireTerms: EndingTerms = {
  idleSeconds: 70,
  silentSeconds: workBudget.report.socketSeconds,
  mostSeconds: workBudget.report.socketSeconds,
}

const noJobs = { inside: 0, waiting: 0, refused: 0 }

export async function startService(settings: Settings, log: Log = openLog(settings.logLevel)): Promise<Service> {
  writeTimesIn(settings.timeZone)
  const app = await openApp(settings, { schema: 'compare' })
  try {
    await warnOfEncoding(app, log)
    await refuseNewWithBasePath(settings, app.store)
    if (basePath(settings) !== null) log.error(basePathSentence(settings))
    return await openDoors(settings, app, log)
  } catch (error) {
    await app.close()
    throw error
  }
}

async function warnOfEncoding({ store: { engine } }: App, log: Log): Promise<void> {
  const other = await engine.otherEncoding()
  if (other === null) return
  log.warn({ encoding: other.name }, 'the texts of the database are not in UTF8, and some are refused: marquee doctor prints the way out')
}

async function openDoors(settings: Settings, app: App, log: Log): Promise<Service> {
  const noteOnConnections = watchConnections(app.store.engine)
  const { isReady, end } = openReadiness(async () => {
    await check(app)
    return noteOnConnections()
  })
  const admission = { limits: openLimits(workerCount(settings)), rates: ratesOn(app) }
  let jobs: Jobs | null = null
  const registry = openMetrics(
    measuresOf({ app, limits: admission.limits, log, isReady, jobs: () => jobs?.counts ?? {}, jobPlaces: () => jobs?.places ?? noJobs }),
  )
  const traces = await openTraces(settings)
  const count = observing(registry)
  const observe = (exchange: Exchange) => {
    count(exchange)
    traces.observe(exchange)
  }
  const api = apiDoor(app, admission)
  const agents = mcpDoor({ app, api, rates: admission.rates, observe })
  const server = createServer({
    log,
    doors: [
      api,
      agents,
      healthDoor(isReady),
      ...[referenceDoor(app), pagesDoor(app, admission.limits)].map((door) => unlessMisplaced(app, door)),
    ],
    refuse: refuseAtDoor(app),
    observe,
    trustedProxies: settings.trustedProxies,
  })
  const ending = endingOf(server)
  const told = { metrics: () => registry.metrics(), isReady }
  // With several workers, the primary serves the metrics.
  const admin = primary === null ? await openAdmin(adminPlaceOf(settings), told) : null
  await listening(server, settings).catch(async (error: unknown) => {
    await admin?.close()
    throw error
  })
  const { port } = server.address() as AddressInfo
  jobs = startJobs(app, [...jobsOn(app, log, composeByReaders), testPartnersJob(app)], log)
  const secretWatch = watchSecrets(app, log)
  const failed = app.store.engine.diskFailed.then(() => {
    end('the disk has failed')
    log.fatal('the disk has failed: nothing more is acknowledged')
  })
  return {
    url: addressOf(settings.host, port),
    adminUrl: admin === null ? '' : addressOf(admin.host, admin.port),
    app,
    failed,
    registry,
    isReady,
    drain() {
      end('draining')
      ending.begin()
    },
    retire: () => ending.end(retireTerms),
    async stop() {
      end('draining')
      await Promise.all([ending.end(stopTerms), jobs?.stop()])
      secretWatch.stop()
      await traces.close()
      await admin?.close()
      await app.close()
    },
  }
}

/** Token buckets shared by all processes on the database, or by all workers of this host, or private to a process that runs alone. */
function ratesOn({ store: { engine } }: App): Rates {
  if (engine.drawTokens !== null) return openSharedRates(engine.drawTokens)
  return primary === null ? openRates() : openSharedRates((draw) => (primary as Channel).ask('draw', draw))
}

async function listening(server: Server, { host, port }: Settings): Promise<void> {
  server.listen({ host, port })
  await once(server, 'listening')
}

async function check({ store, secrets }: App): Promise<void> {
  await store.readyProbe()
  await secrets.refresh()
  const { state } = await schemaState(store)
  if (state !== 'current') throw new Error(`the schema is ${state}`)
  const free = await store.engine.freeBytes()
  if (free !== undefined && free < leastFreeBytes) throw new Error('the disk is almost full')
}
