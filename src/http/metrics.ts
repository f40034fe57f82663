/** What the service tells of itself in numbers: rates, errors and durations per route, queues, and how the parts below are doing. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { about } from './about.ts'

export type Measured = () => Readonly<Record<string, number>>

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'])
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Labels come from tables of ours only, so that no client can make new series. */
export function openMetrics(measured: Readonly<Record<string, Measured>>): Registry {
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

/** Counts and logs each request once it has been answered. */
export function observe(server: FastifyInstance, registry: Registry): void {
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
  server.addHook('onResponse', async (request, reply) => {
    const { route, code } = about(request.raw)
    const method = methods.has(request.method) ? request.method : 'other'
    durations.observe({ route, method, status: reply.raw.statusCode }, reply.elapsedTime / 1000)
    if (code !== undefined) refusals.inc({ code })
    logRequest(request, reply)
  })
}

/** Only what is named here is ever logged of a request: no path, no query, no header, no body. What went well is counted and only logged when asked for. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const level = reply.raw.statusCode < 400 ? 'debug' : 'info'
  const { route, partner_id, key, code } = about(request.raw)
  const ms = Math.round(reply.elapsedTime * 10) / 10
  request.log[level](
    { request_id: request.id, method: request.method, route, status: reply.raw.statusCode, ms, partner_id, key, code },
    'request',
  )
}

function helpOf(name: string): string {
  return name.replaceAll('_', ' ')
}
