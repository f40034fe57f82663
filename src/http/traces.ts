/** OpenTelemetry traces, enabled by OTEL_EXPORTER_OTLP_ENDPOINT: one span per request, within the trace of the caller. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Span } from '@opentelemetry/api'
import { ownVersion, SettingError, type Settings } from '../config.ts'
import type { Exchange } from './exchange.ts'

export interface Traces {
  /** Records a completed exchange. */
  observe(exchange: Exchange): void
  /** Sends the remaining spans. */
  close(): Promise<void>
}

/** These packages are installed beside Marquee by those who want traces, and are not dependencies. */
export const tracePackages: Readonly<Record<string, string>> = {
  '@opentelemetry/api': '1.10.0',
  '@opentelemetry/sdk-trace': '3.1.0',
  '@opentelemetry/exporter-trace-otlp-http': '0.301.0',
  '@opentelemetry/resources': '3.1.0',
}

const closeMilliseconds = 2_000

export async function openTraces({ otlpEndpoint }: Pick<Settings, 'otlpEndpoint'>): Promise<Traces> {
  if (otlpEndpoint === undefined) return { observe: () => {}, close: async () => {} }
  const { api, sdk, exporter, resources } = await loadPackages()
  const resource = resources
    .resourceFromAttributes({ 'service.name': 'marquee', 'service.version': ownVersion() })
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
  const processor = new sdk.BatchSpanProcessor({
    exporter: new exporter.OTLPTraceExporter({ url: `${otlpEndpoint.replace(/\/$/, '')}/v1/traces` }),
  })
  const provider = new sdk.TracerProvider({ resource, spanProcessors: [processor] })
  const tracer = provider.getTracer('marquee', ownVersion())
  return {
    observe(exchange) {
      const { request, route, startedAt } = exchange
      const method = request.method ?? ''
      const parent = parentOf(request.headers.traceparent)
      const context = parent === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, parent)
      const startTime = performance.timeOrigin + startedAt
      const span = tracer.startSpan(`${method} ${route}`, { kind: api.SpanKind.SERVER, startTime }, context)
      describe(span, exchange)
      if (exchange.response.statusCode >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end()
    },
    // An unreachable collector must not delay the shutdown.
    close: () => Promise.race([provider.shutdown().catch(() => {}), sleep(closeMilliseconds, undefined, { ref: false })]),
  }
}

/** The same fields as the log, by the names of OpenTelemetry's conventions: no path, no query, no header, no body. */
function describe(span: Span, { request, response, route, id, partner_id, key, code }: Exchange): void {
  span.setAttribute('http.request.method', request.method ?? '')
  span.setAttribute('http.route', route)
  span.setAttribute('http.response.status_code', response.statusCode)
  span.setAttribute('marquee.request_id', id)
  if (partner_id !== undefined) span.setAttribute('marquee.partner_id', partner_id)
  if (key !== undefined) span.setAttribute('marquee.key', key)
  if (code !== undefined) span.setAttribute('error.type', code)
}

/** Parses W3C Trace Context: `00-<trace>-<parent>-<flags>`; anything else begins a new trace. */
function parentOf(header: string | string[] | undefined): { traceId: string; spanId: string; traceFlags: number; isRemote: true } | null {
  const [, traceId, spanId, flags] = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header ?? '')) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

async function loadPackages() {
  try {
    const [api, sdk, exporter, resources] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
    return { api, sdk, exporter, resources }
  } catch {
    const wanted = Object.entries(tracePackages).map(([name, version]) => `${name}@${version}`)
    throw new SettingError(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces are not installed: run npm install -g --prefix /opt/marquee --ignore-scripts ${wanted.join(' ')}, or unset it.`,
    )
  }
}
