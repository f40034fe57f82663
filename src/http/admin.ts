/** The operator's own port, on the loopback address only: metrics and health. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'

export interface Admin {
  readonly port: number
  close(): Promise<void>
}

export async function openAdmin(port: number, registry: Registry, isReady: () => Promise<void>): Promise<Admin> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    void answer(request.url ?? '', registry, isReady).then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    })
  })
  await listening(server, port)
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) }
}

async function answer(url: string, registry: Registry, isReady: () => Promise<void>) {
  if (url === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() }
  if (url === '/health/live') return plain(200, 'alive')
  if (url === '/health/ready')
    return isReady().then(
      () => plain(200, 'ready'),
      (error: Error) => plain(503, `not ready: ${error.message}`),
    )
  return plain(404, 'There is no such address')
}

function plain(status: number, body: string) {
  return { status, type: 'text/plain; charset=utf-8', body: `${body}\n` }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
