/** Sends chunks as they are produced, no faster than the client receives them, without making the producer wait for a slow client. */

import { ChunkSpool } from '../lib/streams/chunk-spool.ts'
import { type ChunkSource, discard } from '../lib/streams/chunks.ts'
import type { Exchange } from './exchange.ts'
import { writeHead } from './send.ts'
import { SlowClient } from './slow-client.ts'

export interface Download {
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: ChunkSource
  readonly areCompressed: boolean
}

/**
 * Resolves when the last chunk has been produced; what the client has not received by then is sent from a file afterwards. A failure closes the connection,
 * so that a part is not taken for the whole.
 */
export async function streamResponse(exchange: Exchange, { headers, chunks, areCompressed }: Download): Promise<void> {
  writeHead(exchange, 200, headers)
  const client = new SlowClient(exchange.response, () => chunks.stop())
  try {
    const late = await forward(chunks, client)
    if (late !== null) await throughSpool(late, chunks, client, areCompressed)
  } catch (error) {
    if (!client.isGone) exchange.log.error({ err: error, request_id: exchange.id }, 'a report broke off')
    client.cut()
  }
}

/** Sends chunks while the client keeps pace; returns the first chunk for which it does not. */
async function forward(chunks: ChunkSource, client: SlowClient): Promise<Uint8Array | null> {
  for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) {
    const sent = chunk
    if (!(await client.keepsPace())) return chunk
    client.write(chunk, () => chunks.taken(sent))
  }
  client.end()
  return null
}

async function throughSpool(first: Uint8Array, chunks: ChunkSource, client: SlowClient, areCompressed: boolean): Promise<void> {
  const spool = await ChunkSpool.open(areCompressed)
  const filling = fill(spool, first, chunks)
  const sending = send(spool, client).catch(() => client.cut())
  void Promise.allSettled([filling, sending]).then(() => spool.close())
  await filling
}

async function fill(spool: ChunkSpool, first: Uint8Array, chunks: ChunkSource): Promise<void> {
  try {
    for (let chunk: Uint8Array | null = first; chunk !== null; chunk = await chunks.next()) {
      await spool.append(chunk)
      chunks.taken(chunk)
    }
    spool.finish('full')
  } catch (error) {
    spool.finish('spoilt')
    throw error
  }
}

async function send(spool: ChunkSpool, client: SlowClient): Promise<void> {
  await client.hasTakenAll()
  for (let chunk = await spool.next(); chunk !== null; chunk = await spool.next()) {
    const sent = chunk
    client.write(chunk, () => discard(sent))
    await client.hasTakenAll()
  }
  client.end()
}
