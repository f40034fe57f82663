/** Since when a domain is registered, as its registry says by RDAP (RFC 9083). */

import { fetchGuarded } from '../../../lib/network/guarded-fetch.ts'
import type { OutgoingRules } from '../../../lib/network/outgoing.ts'

const maxBytes = 512 * 1024
const milliseconds = 20_000
const mostRedirects = 5

export interface RdapServer {
  readonly rules: OutgoingRules
  /** Such as `https://rdap.org`, which leads to the registry of each domain. */
  readonly url: string
  readonly agent: string
  readonly signal: AbortSignal
}

/** The day, or null where no registry says it. A host below the registered domain is not known there, so that the domains above it are asked for too. */
export async function registeredOn(server: RdapServer, domain: string): Promise<string | null> {
  for (let asked = domain; asked.includes('.'); asked = asked.slice(asked.indexOf('.') + 1)) {
    const { status, body } = await fetchGuarded(server.rules, {
      url: `${server.url}/domain/${asked}`,
      schemes: server.url.startsWith('https:') ? ['https:'] : ['https:', 'http:'],
      headers: { accept: 'application/rdap+json', 'user-agent': server.agent },
      redirects: mostRedirects,
      milliseconds,
      maxBytes,
      whenLonger: 'fail',
      signal: server.signal,
    })
    if (status === 200) return dayOfRegistration(body.toString())
    if (status !== 404 && status !== 400) return null
  }
  return null
}

interface RdapEvent {
  readonly eventAction?: unknown
  readonly eventDate?: unknown
}

function dayOfRegistration(text: string): string | null {
  const { events } = readJson(text)
  if (!Array.isArray(events)) return null
  const found = (events as (RdapEvent | null)[]).find((event) => event?.eventAction === 'registration')?.eventDate
  const day = typeof found === 'string' ? Date.parse(found) : Number.NaN
  return Number.isNaN(day) ? null : new Date(day).toISOString().slice(0, 10)
}

function readJson(text: string): { readonly events?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { events?: unknown }
  } catch {
    return {}
  }
}
