/** What the service tells of itself in numbers: rates, errors and durations per route, queues, and how the parts below are doing. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Exchange } from './exchange.ts'

export type MeasuredFigures = () => Readonly<Record<string, number>>

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'])
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Labels come from tables of ours only, so that no client can make new series. */
export function openMetrics(measured: Readonly<Record<string, MeasuredFigures>>): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const [name, measure] of Object.entries(measured)) {
    const gauge: Gauge<'part'> = new Gauge({
      name: `marquee_${name}`,
      help: helpOf(name),
      labelNames: ['part'],
      registers: [registry],
      collect: () => {
        for (const [part, value] of Object.entries(measure())) gauge.set({ part }, value)
      },
    })
  }
  return registry
}

/** Counts and logs an exchange that is over. */
export function observing(registry: Registry): (exchange: Exchange) => void {
  const durations = new Histogram({
    name: 'marquee_request_duration_seconds',
    help: 'Time to answer, by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets,
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'marquee_refusals_total',
    help: 'Requests refused, by the code of the failure',
    labelNames: ['code'],
    registers: [registry],
  })
  return (exchange) => {
    const { request, response, route, code, startedAt } = exchange
    const milliseconds = performance.now() - startedAt
    const { method = '' } = request
    durations.observe({ route, method: methods.has(method) ? method : 'other', status: response.statusCode }, milliseconds / 1000)
    if (code !== undefined) refusals.inc({ code })
    logExchange(exchange, milliseconds)
  }
}

/** Only what is named here is ever logged of a request: no path, no query, no header, no body. What went well is counted and only logged when asked for. */
function logExchange({ request, response, id, log, route, partner_id, key, code }: Exchange, milliseconds: number): void {
  const level = response.statusCode < 400 ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  const ms = Math.round(milliseconds * 10) / 10
  log[level]({ request_id: id, method: request.method, route, status: response.statusCode, ms, partner_id, key, code }, 'request')
}

function helpOf(name: string): string {
  return name.replaceAll('_', ' ')
}
