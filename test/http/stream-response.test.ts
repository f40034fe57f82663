/** Streaming an answer: a quick client gets chunks as they are made, a slow one from a file, and one that goes away ends the making. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openExchange } from '../../src/http/exchange.ts'
import { trusting } from '../../src/http/proxies.ts'
import { streamResponse } from '../../src/http/stream-response.ts'
import { openLog } from '../../src/lib/log.ts'
import type { ChunkSource } from '../../src/lib/streams/chunks.ts'

const chunkBytes = 256 * 1024
const chunks = 60

/** Chunks with their number in each byte, and what became of the making. */
class Source implements ChunkSource {
  made = 0
  stopped = 0
  readonly failsAt: number

  constructor(failsAt = Number.POSITIVE_INFINITY) {
    this.failsAt = failsAt
  }

  async next(): Promise<Uint8Array | null> {
    await sleep(0)
    if (this.made === this.failsAt) throw new Error('the rest cannot be made')
    return this.made === chunks || this.stopped > 0 ? null : Buffer.alloc(chunkBytes, this.made++)
  }

  taken(): void {}

  stop(): void {
    this.stopped++
  }
}

let server: Server
let source: Source
let making: Promise<void>
before(async () => {
  server = createServer((request, response) => {
    const exchange = openExchange(request, response, 'test', openLog('silent'), trusting([]))
    making = streamResponse(exchange, { headers: {}, chunks: source, areCompressed: false })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
after(() => {
  server.closeAllConnections()
  server.close()
})

async function ask(from: Source): Promise<IncomingMessage> {
  source = from
  const [response] = await once(get({ port: (server.address() as AddressInfo).port, agent: false }), 'response')
  return response as IncomingMessage
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await response.toArray())
}

const whole = Buffer.concat(Array.from({ length: chunks }, (_, number) => Buffer.alloc(chunkBytes, number)))

test('a client that keeps pace gets every byte in order', async () => {
  assert.ok((await bytesOf(await ask(new Source()))).equals(whole))
  assert.equal(source.made, chunks)
})

test('a client that reads late does not hold up the making, and gets the same bytes', async () => {
  const response = await ask(new Source())
  await making
  assert.equal(source.made, chunks, 'everything was made although nothing was read')
  assert.ok((await bytesOf(response)).equals(whole))
})

test('the making stops when the client goes away', async () => {
  const response = await ask(new Source())
  response.destroy()
  await making
  assert.ok(source.stopped > 0)
})

test('a making that fails closes the connection, so that a part is not taken for the whole', async () => {
  await assert.rejects(bytesOf(await ask(new Source(3))), { code: 'ECONNRESET' })
})
