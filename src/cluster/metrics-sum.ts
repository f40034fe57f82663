/** The metrics of all workers as those of one service; what a worker had counted stays counted when it ends. */

import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

export type WorkerMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

export interface MetricsSum {
  /** The text of all that are given, with what those that ended had counted. */
  textOf(metrics: readonly WorkerMetrics[]): Promise<string>
  /** A worker has ended; these were its last metrics. */
  keep(metrics: WorkerMetrics): Promise<void>
}

/** What only grows. A sum that falls because a worker ended would be read as a restart of the whole. */
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
