/** A client that tells three things apart: an answer, no answer, and no connection. */
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly milliseconds: number
}

export interface Ask {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  readonly timeoutMilliseconds?: number
}

export interface Client {
  /** Null when the connection ended before the whole answer was there: nobody knows whether the request acted. */
  ask(path: string, asked?: Ask): Promise<Answer | null>
  close(): void
}

export function clientOf(url: string, authorization?: string, sockets = 64): Client {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const own = authorization === undefined ? {} : { authorization }
  return {
    close: () => agent.destroy(),
    ask: (path, { method = 'GET', headers = {}, body, timeoutMilliseconds = 30_000 } = {}) =>
      new Promise((resolve) => {
        const startedAt = performance.now()
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
        const sent = request({ agent, hostname, port, method, path, headers: { ...own, ...length, ...headers } }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', () => resolve(null))
          response.on('close', () => resolve(null))
          response.on('end', () => {
            const { statusCode: status = 0, headers: answered } = response
            resolve({ status, headers: answered, body: Buffer.concat(chunks), milliseconds: performance.now() - startedAt })
          })
        })
        sent.setTimeout(timeoutMilliseconds, () => sent.destroy())
        sent.on('error', () => resolve(null))
        sent.end(body)
      }),
  }
}

export const xml = { 'content-type': 'application/xml' }

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
}
