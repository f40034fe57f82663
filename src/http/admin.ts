/** The operator's port for metrics and health, bound to the loopback address by default. */

import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { hostname } from 'node:os'
import { Registry } from 'prom-client'
import { type Settings, usualAdminPort } from '../config.ts'
import { readyText } from './health.ts'
import type { Readiness } from './readiness.ts'

export interface Admin {
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

export interface AdminPlace {
  readonly host: string
  readonly port: number
  /** Whether a free port is taken if this one is in use. */
  readonly mayMove: boolean
}

/** What the port serves: the metrics, and whether the service is ready. */
export interface AdminSources {
  readonly metrics: () => Promise<string>
  readonly isReady: Readiness['isReady']
}

/** Only the usual port may be left for another: one that was set is where somebody looks for the metrics. */
export function adminPlaceOf({ adminHost, adminPort }: Pick<Settings, 'adminHost' | 'adminPort'>): AdminPlace {
  return { host: adminHost, port: adminPort ?? usualAdminPort, mayMove: adminPort === undefined }
}

export async function openAdmin(place: AdminPlace, sources: AdminSources): Promise<Admin> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const whole = answer(request, place.host, sources).catch((error: Error) => plain(500, `not told: ${error.message}`))
    void whole.then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    })
  })
  await listenAside(server, place)
  return { host: place.host, port: (server.address() as AddressInfo).port, close: () => closed(server) }
}

async function listenAside(server: Server, { host, port, mayMove }: AdminPlace): Promise<void> {
  try {
    await listening(server, host, port)
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken || !mayMove) throw error
    await listening(server, host, 0)
  }
}

async function answer({ url, headers }: IncomingMessage, host: string, { metrics, isReady }: AdminSources) {
  if (!isOwnName(headers.host ?? '', host)) return plain(421, 'This is not a name of this address')
  if (url === '/metrics') return { status: 200, type: Registry.PROMETHEUS_CONTENT_TYPE, body: await metrics() }
  if (url === '/health/live') return plain(200, 'alive')
  if (url === '/health/ready')
    return isReady().then(
      (note) => plain(200, readyText(note)),
      (error: Error) => plain(503, `not ready: ${error.message}`),
    )
  return plain(404, 'There is no such address')
}

/**
 * Accepts IP addresses, this machine's name, and names without a dot, as containers have. A web page cannot use any of these as its own name, which prevents
 * DNS rebinding.
 */
function isOwnName(given: string, host: string): boolean {
  const name = URL.parse(`http://${given}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return isIP(name) !== 0 || name === host || name === hostname().toLowerCase() || /^[\w-]+$/.test(name)
}

function plain(status: number, body: string) {
  return { status, type: 'text/plain; charset=utf-8', body: `${body}\n` }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
