/** Any number of records as requests of a bounded size, one after the other, each with an Idempotency-Key of its own. */

import { linesBody } from './bodies.ts'
import type { Connection } from './connection.ts'
import type { PushOptions } from './options.ts'
import type { Observation, Observations, PushObservationsQuery } from './types.ts'

const defaultMaxBytes = 4 * 1024 * 1024
/** Fewer than the service takes in one request, whatever their size. */
const maxRecords = 100_000
/** Of all requests together; `refused` counts on. */
const mostRefusals = 100

const none: Observations = { received: 0, created: 0, updated: 0, unchanged: 0, also_created: 0, refused: 0, refusals: [] }

export async function pushRecords(
  connection: Connection,
  records: Iterable<Observation> | AsyncIterable<Observation>,
  query: PushObservationsQuery | undefined,
  { maxBytes = defaultMaxBytes, gzip = false, idempotencyKey = crypto.randomUUID(), onProgress, ...options }: PushOptions,
): Promise<Observations> {
  let sum = none
  let requests = 0
  for await (const text of linesOf(records, maxBytes)) {
    requests++
    const call = { method: 'POST', path: 'observations', query, isRepeatable: true } as const
    const body = await linesBody(text, gzip)
    const pushed: Observations = await connection.send(call, body, 'observations', {
      ...options,
      idempotencyKey: `${idempotencyKey}-${requests}`,
    })
    sum = added(sum, pushed)
    onProgress?.({ requests, received: sum.received, refused: sum.refused })
  }
  return sum
}

/** NDJSON of at most this size each; a record that is larger alone is sent alone. */
async function* linesOf(records: Iterable<Observation> | AsyncIterable<Observation>, maxBytes: number): AsyncGenerator<string> {
  const encoder = new TextEncoder()
  let lines: string[] = []
  let bytes = 0
  for await (const record of records) {
    const line = `${JSON.stringify(record)}\n`
    const size = encoder.encode(line).byteLength
    if (lines.length > 0 && (bytes + size > maxBytes || lines.length === maxRecords)) {
      yield lines.join('')
      lines = []
      bytes = 0
    }
    lines.push(line)
    bytes += size
  }
  if (lines.length > 0) yield lines.join('')
}

/** The index of a refusal is that among all records. */
function added(sum: Observations, pushed: Observations): Observations {
  const refusals = pushed.refusals.map((refusal) => ({ ...refusal, index: refusal.index + sum.received }))
  return {
    received: sum.received + pushed.received,
    created: sum.created + pushed.created,
    updated: sum.updated + pushed.updated,
    unchanged: sum.unchanged + pushed.unchanged,
    also_created: sum.also_created + pushed.also_created,
    refused: sum.refused + pushed.refused,
    refusals: [...sum.refusals, ...refusals].slice(0, mostRefusals),
  }
}
