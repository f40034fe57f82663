/** Traces arrive at a real OTLP/HTTP receiver, tell what the log tells and no more, and belong to the caller's trace. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { tracePackages } from '../../src/http/traces.ts'
import { onEngine } from '../support/engines.ts'
import { startTestService } from '../support/service.ts'

interface Sent {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[]
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}

interface SentSpan {
  traceId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
}

onEngine('sqlite', 'traces', (place) => {
  test('of requests arrive at the collector when the service ends, at the latest', async () => {
    const bodies: { path: string; body: string }[] = []
    const collector = createServer(async (request, response) => {
      bodies.push({ path: request.url ?? '', body: await text(request) })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const service = await startTestService(place, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    const acme = await service.partner('Acme')
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    await acme.get('/api/businesses/987654321.json', { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } })
    await acme.get('/api/users.json', { credentials: 'nobody:secret' })
    await service.stop()
    collector.close()
    assert.ok(bodies.length > 0 && bodies.every(({ path }) => path === '/v1/traces'))
    const sent = bodies.flatMap(({ body }) => (JSON.parse(body) as Sent).resourceSpans)
    const named = sent[0]?.resource.attributes.find(({ key }) => key === 'service.name')
    assert.equal(named?.value.stringValue, 'marquee')
    const spans = sent.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    const told = ({ attributes }: SentSpan) =>
      Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
    const missing = spans.find((span) => span.traceId === traceId) ?? assert.fail('the trace of the caller is not there')
    assert.deepEqual(
      [missing.parentSpanId, told(missing)['http.response.status_code'], told(missing)['marquee.partner_id']],
      ['00f067aa0ba902b7', 404, acme.id],
    )
    const refused = spans.find((span) => told(span)['http.response.status_code'] === 401) ?? assert.fail('the refusal is not there')
    assert.equal(told(refused)['error.type'], 'unauthorized')
    const everything = JSON.stringify(bodies)
    for (const secret of [acme.key, acme.password, 'nobody', '987654321']) assert.ok(!everything.includes(secret), secret)
  })

  test('go nowhere, and cost no request, while the collector is away', async () => {
    const service = await startTestService(place, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
    assert.equal((await service.stranger.get('/health/live')).status, 200)
    await service.stop()
  })

  test('need packages of the versions that are tested here', () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      devDependencies: Record<string, string>
    }
    for (const [name, version] of Object.entries(tracePackages)) assert.equal(manifest.devDependencies[name], version, name)
  })
})
