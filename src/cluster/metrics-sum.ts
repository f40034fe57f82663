/** Adds up the metrics of all workers; counters of workers that have ended are kept. */

import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

export type WorkerMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

export interface MetricsSum {
  /** The text of the given metrics, plus the counters of workers that have ended. */
  textOf(metrics: readonly WorkerMetrics[]): Promise<string>
  /** Keeps the last metrics of a worker that has ended. */
  keep(metrics: WorkerMetrics): Promise<void>
}

/** Only counters are kept. A sum that falls because a worker ended would look like a restart of the whole service. */
const growing = new Set(['counter', 'histogram'])

export function openMetricsSum(): MetricsSum {
  let ended: WorkerMetrics = []
  const sum = (metrics: readonly WorkerMetrics[]) => AggregatorRegistry.aggregate(metrics.map((each) => [...each]))
  return {
    textOf: (metrics) => sum([...metrics, ended]).metrics(),
    async keep(metrics) {
      const counted = metrics.filter(({ type }) => growing.has(String(type)))
      ended = (await sum([ended, counted]).getMetricsAsJSON()) as WorkerMetrics
    },
  }
}
