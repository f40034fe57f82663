/** Readers of large reports: quick ones, slow ones, and those who go away. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { basic } from './service.ts'

export interface Reader {
  readonly url: string
  readonly credentials: string
}

export async function open({ url, credentials }: Reader, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const asked = request(`${url}${path}`, { headers: { authorization: basic(credentials), ...headers }, agent: false })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  // Whoever goes away on purpose hears of it here as well.
  response.on('error', () => {})
  return response
}

/** A digest and the length of all that came; rejects when it broke off. */
export async function readWhole(response: IncomingMessage, chunkDelayMilliseconds = 0): Promise<{ digest: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    if (chunkDelayMilliseconds > 0) await sleep(chunkDelayMilliseconds)
  }
  if (!response.complete) throw new Error('the answer broke off')
  return { digest: hash.digest('hex'), bytes }
}

/** Takes the head and then nothing. */
export async function stall(reader: Reader, path: string): Promise<IncomingMessage> {
  const response = await open(reader, path)
  response.pause()
  return response
}
