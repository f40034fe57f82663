/** Which host names pages answer to: the service's own, a partner's registered one, and the very address a request came in at. */

import type { FastifyRequest } from 'fastify'
import { refuse } from '../lib/failures.ts'
import type { Ground } from '../model/core/app.ts'
import { type Brand, brandOfHost } from '../model/partners/brands.ts'

export async function brandByHost(ground: Ground, request: FastifyRequest): Promise<Brand | null> {
  const host = hostNameOf(request)
  if (isOwnHost(ground, request, host)) return null
  return (await brandOfHost(ground, host)) ?? refuse('misdirected')
}

/** Browsers keep our cookies only where nobody can listen. */
export function isPrivate(request: FastifyRequest): boolean {
  return request.protocol === 'https' || isLoopback(hostNameOf(request))
}

function isOwnHost({ settings }: Ground, request: FastifyRequest, host: string): boolean {
  if (host === new URL(settings.baseUrl).hostname) return true
  return isLoopback(host) ? isLoopback(bare(request.raw.socket.remoteAddress)) : host === bare(request.raw.socket.localAddress)
}

function hostNameOf(request: FastifyRequest): string {
  return URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? ''
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** As a host name is written: IPv6 in brackets, IPv4 plain. */
function bare(address = ''): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return plain.includes(':') ? `[${plain}]` : plain
}
