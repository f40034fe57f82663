/** Metrics by the conventions of Prometheus, with the unit at the end of each name. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Exchange } from './exchange.ts'

/** One number, or one for each value of the label; undefined if there is no value yet. */
type Figures = number | undefined | Readonly<Record<string, number>>

/** A metric that is read when it is scraped. */
export interface Measure {
  /** The name without the prefix `marquee_`, with the unit at the end. A counter ends with `_total`. */
  readonly name: string
  readonly help: string
  /** The name of the label whose values are the keys of the figures. */
  readonly label?: string
  /** How the figures of several workers are combined, if not by their sum. */
  readonly together?: 'min' | 'max'
  readonly read: () => Figures | Promise<Figures>
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Gauges of the library whose names wrongly end like counters. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']
/** Up to this many partners get a label of their own; the others are added up. */
const mostPartners = 100

/** Labels come only from our own tables, so that no client can create new series. */
export function openMetrics(measures: readonly Measure[]): Registry {
  const registry = new Registry()
  collectProcessMetrics(registry)
  for (const measure of measures) register(registry, measure)
  return registry
}

/** The default metrics of the Node.js process, except those that break the conventions. */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
}

function register(registry: Registry, { name, help, label, together, read }: Measure): void {
  const aggregator = together ?? ('sum' as const)
  const options = { name: `marquee_${name}`, help, labelNames: label === undefined ? [] : [label], registers: [registry], aggregator }
  const labelled = (key: string) => (label === undefined ? {} : { [label]: key })
  const fill = async (set: (labels: Record<string, string>, value: number) => void) => {
    metric.reset()
    const figures = await read()
    // A metric without labels would otherwise report 0.
    if (figures === undefined) metric.remove()
    else if (typeof figures === 'number') set({}, figures)
    else for (const [key, value] of Object.entries(figures)) set(labelled(key), value)
  }
  const metric: Counter | Gauge = name.endsWith('_total')
    ? new Counter({ ...options, collect: () => fill((labels, value) => metric.inc(labels, value)) })
    : new Gauge({ ...options, collect: () => fill((labels, value) => (metric as Gauge).set(labels, value)) })
}

/** Counts and logs a completed exchange. */
export function observing(registry: Registry): (exchange: Exchange) => void {
  const durations = new Histogram({
    name: 'marquee_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['route', 'method', 'status'],
    buckets,
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'marquee_refusals_total',
    help: 'Requests that were refused, by the code of the failure.',
    labelNames: ['code'],
    registers: [registry],
  })
  const perPartner = new Map<number | 'other', number>()
  register(registry, {
    name: 'partner_requests_total',
    help: `Requests with a known key, by partner id; after the first ${mostPartners} partners the rest are "other".`,
    label: 'partner',
    read: () => Object.fromEntries(perPartner),
  })
  return (exchange) => {
    const { request, response, route, code, partner_id, startedAt } = exchange
    const milliseconds = performance.now() - startedAt
    const { method = '' } = request
    durations.observe({ route, method: methods.has(method) ? method : 'other', status: response.statusCode }, milliseconds / 1000)
    if (code !== undefined) refusals.inc({ code })
    if (partner_id !== undefined) countPartner(perPartner, partner_id)
    logExchange(exchange, milliseconds)
  }
}

function countPartner(counts: Map<number | 'other', number>, id: number): void {
  const label = counts.has(id) || counts.size < mostPartners ? id : 'other'
  counts.set(label, (counts.get(label) ?? 0) + 1)
}

/** Only the fields named here are logged: no path, no query, no header, no body. Successful requests are logged only at the level debug. */
function logExchange({ request, response, id, log, route, partner_id, key, code, reason }: Exchange, milliseconds: number): void {
  const level = response.statusCode < 400 ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  const ms = Math.round(milliseconds * 10) / 10
  log[level]({ request_id: id, method: request.method, route, status: response.statusCode, ms, partner_id, key, code, reason }, 'request')
}
