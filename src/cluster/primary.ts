/** The primary process: holds the socket and the shared limits, keeps the workers running, and serves the metrics of all on one port. */

import { addressOf, type Environment, type Settings, workerCount } from '../config.ts'
import { adminPlaceOf, openAdmin } from '../http/admin.ts'
import type { Log } from '../lib/log.ts'
import { openLimitServer } from '../lib/processes/limit-server.ts'
import { openBuckets } from '../lib/work/token-buckets.ts'
import { Crew } from './crew.ts'
import type { WorkerMetrics } from './metrics-sum.ts'
import { ownMetrics } from './primary-metrics.ts'

export interface Primary {
  readonly url: string
  readonly adminUrl: string
  /** Resolves when a worker reports that the disk has failed; all must then be restarted. */
  readonly failed: Promise<void>
  /** Reports not ready, so that a load balancer sends no new requests. */
  drain(): void
  /** Replaces the workers one after the other by some with these settings, without losing a request. */
  replace(environment: Environment): Promise<void>
  stop(): Promise<void>
}

export async function startPrimary(settings: Settings, environment: Environment, log: Log): Promise<Primary> {
  const [limits, buckets] = [openLimitServer(), openBuckets()]
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
  const crew = new Crew(workerCount(settings), environment, log, (channel) => {
    channel.answer('draw', buckets)
    channel.hear('failed', fail)
    return limits.serve(channel)
  })
  const own = ownMetrics(crew)
  const admin = await openAdmin(adminPlaceOf(settings), {
    isReady: () => crew.isReady(),
    metrics: async () => crew.metrics((await own.getMetricsAsJSON()) as WorkerMetrics),
  })
  const stop = async () => {
    await crew.stop()
    await admin.close()
  }
  try {
    const { url } = await crew.start()
    const adminUrl = addressOf(admin.host, admin.port)
    return { url, adminUrl, failed, drain: () => crew.drain(), replace: (fresh) => crew.replace(fresh), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
