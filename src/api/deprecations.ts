/** What of the API is old: each row names an endpoint, since when it is deprecated, when it ends, and what to use instead. */

import type { Endpoint } from './endpoint.ts'

export interface DeprecationRow {
  readonly method: Endpoint['method']
  readonly path: string
  readonly since: string
  /** The day it stops working; null: it stays, because the interface promises it. */
  readonly sunset: string | null
  readonly instead: string
}

// biome-ignore format: a table reads by its columns
export const deprecations: readonly DeprecationRow[] = [
  { method: 'GET', path: 'businesses/{business_id}/deactivate', since: '2026-11-16', sunset: null, instead: 'POST on the same path' },
  { method: 'GET', path: 'businesses/{business_id}/reactivate', since: '2026-11-16', sunset: null, instead: 'POST on the same path' },
]

/** What is said of an endpoint; undefined for one that is not old. */
export function deprecationOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): DeprecationRow | undefined {
  return deprecations.find((known) => known.method === method && known.path === path)
}

/** `Deprecation` as RFC 9745 has it, with a link to the page; `Sunset` as RFC 8594 has it; nothing for what is not old. */
export function deprecationHeaders(endpoint: Endpoint, baseUrl: string): Readonly<Record<string, string>> {
  const row = deprecationOf(endpoint)
  if (row === undefined) return {}
  const deprecation = `@${Date.parse(`${row.since}T00:00:00Z`) / 1000}`
  const link = `<${baseUrl}/docs/deprecations>; rel="deprecation"; type="text/html"`
  return { deprecation, link, ...(row.sunset !== null && { sunset: new Date(`${row.sunset}T00:00:00Z`).toUTCString() }) }
}
