/** The primary's own metrics, besides the sums of its workers. */

import { Counter, Gauge, Registry } from 'prom-client'
import { collectProcessMetrics } from '../http/metrics.ts'
import type { Crew } from './crew.ts'

export function ownMetrics(crew: Crew): Registry {
  const registry = new Registry()
  collectProcessMetrics(registry)
  const workers: Gauge = new Gauge({
    name: 'marquee_workers',
    help: 'Processes that serve.',
    registers: [registry],
    collect: () => workers.set(crew.size),
  })
  const restarts: Counter = new Counter({
    name: 'marquee_worker_restarts_total',
    help: 'Workers that died and were started again.',
    registers: [registry],
    collect: () => {
      restarts.reset()
      restarts.inc(crew.restarts)
    },
  })
  return registry
}
