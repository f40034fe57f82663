/** The host names that pages accept: the service's own, a partner's registered one, and the IP address at which the request arrived. */

import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../http/exchange.ts'
import { peerOf } from '../http/proxies.ts'
import { refuse } from '../lib/failures.ts'
import { plainAddress } from '../lib/network/addresses.ts'
import type { App } from '../model/core/app.ts'
import { type Brand, brandOfHost } from '../model/partners/brands.ts'

export async function brandByHost(app: App, request: IncomingMessage): Promise<Brand | null> {
  const host = hostNameOf(request)
  if (isOwnHost(app, request, host)) return null
  return (await brandOfHost(app, host)) ?? refuse('misdirected')
}

/** Browsers keep our cookies only on connections that nobody can listen to. */
export function isPrivate(exchange: Exchange): boolean {
  const { request } = exchange
  return peerOf(exchange).protocol === 'https' || isLoopback(hostNameOf(request))
}

function isOwnHost({ settings }: App, request: IncomingMessage, host: string): boolean {
  if (host === new URL(settings.baseUrl).hostname) return true
  return isLoopback(host) ? isLoopback(bare(request.socket.remoteAddress)) : host === bare(request.socket.localAddress)
}

function hostNameOf(request: IncomingMessage): string {
  return URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? ''
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** An address in host name syntax: IPv6 in brackets, IPv4 plain. */
function bare(address = ''): string {
  const plain = plainAddress(address)
  return plain.includes(':') ? `[${plain}]` : plain
}
