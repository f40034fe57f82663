/** One visit to a site: all its requests, one after the other, as far as the site allows them and within one time. */

import { fetchGuarded } from '../../../lib/network/guarded-fetch.ts'
import { FetchFailure, type OutgoingAnswer, type OutgoingRequest, type OutgoingRules } from '../../../lib/network/outgoing.ts'

export interface SiteVisit {
  /** Where the site is, such as `https://example.com`, without a path. */
  readonly origin: string
  ask(path: string, limits: VisitLimits): Promise<OutgoingAnswer>
}

export type VisitLimits = Pick<OutgoingRequest, 'maxBytes' | 'whenLonger' | 'take'> & { readonly asBrowser?: true }

export interface Visiting {
  readonly rules: OutgoingRules
  readonly domain: string
  /** Where the operator has said that the site is, in place of its domain. */
  readonly place: string | undefined
  readonly agent: string
  readonly signal: AbortSignal
}

const mostRedirects = 5
const requestMilliseconds = 30_000

/** By https, or by http where nothing answers to that. */
export async function visitSite(visiting: Visiting): Promise<SiteVisit> {
  const { domain, place } = visiting
  if (place !== undefined) return visitAt(visiting, place)
  const visit = visitAt(visiting, `https://${domain}`)
  try {
    await visit.ask('/robots.txt', { maxBytes: 1, whenLonger: 'cut' })
    return visit
  } catch (error) {
    if (error instanceof FetchFailure && error.code === 'unreachable') return visitAt(visiting, `http://${domain}`)
    throw error
  }
}

function visitAt({ rules, domain, place, agent, signal }: Visiting, origin: string): SiteVisit {
  const home = place === undefined ? domain : new URL(place).hostname
  return {
    origin,
    ask: (path, { asBrowser, ...limits }) =>
      fetchGuarded(rules, {
        ...limits,
        url: new URL(path, origin).href,
        schemes: ['https:', 'http:'],
        headers: { 'user-agent': agent, accept: '*/*', ...(asBrowser && { 'accept-encoding': 'gzip, deflate, br' }) },
        redirects: mostRedirects,
        mayFollow: ({ hostname }) => isOfSite(hostname, home),
        milliseconds: requestMilliseconds,
        signal,
      }),
  }
}

/** A site lies at its domain, at hosts below it, and at the domain that it lies directly below: `www.example.com` is of the site `example.com`. */
export function isOfSite(host: string, home: string): boolean {
  return host === home || host.endsWith(`.${home}`) || (home.startsWith('www.') && host === home.slice('www.'.length))
}
