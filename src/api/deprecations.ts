/** Deprecated endpoints: each row names an endpoint, the day of its deprecation, the day it ends, and what to use instead. */

import type { Endpoint } from './endpoint.ts'

export interface DeprecationRow {
  readonly method: Endpoint['method']
  readonly path: string
  readonly since: string
  /** The day it stops working; null if it stays, because the interface promises it. */
  readonly sunset: string | null
  readonly instead: string
}

// biome-ignore format: a table reads by its columns
export const deprecations: readonly DeprecationRow[] = [
  { method: 'GET', path: 'businesses/{business_id}/deactivate', since: '2026-11-16', sunset: null, instead: 'POST on the same path' },
  { method: 'GET', path: 'businesses/{business_id}/reactivate', since: '2026-11-16', sunset: null, instead: 'POST on the same path' },
]

/** The row of an endpoint; undefined if it is not deprecated. */
export function deprecationOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): DeprecationRow | undefined {
  return deprecations.find((known) => known.method === method && known.path === path)
}

/** `Deprecation` (RFC 9745) with a link to the page, and `Sunset` (RFC 8594); empty if the endpoint is not deprecated. */
export function deprecationHeaders(endpoint: Endpoint, baseUrl: string): Readonly<Record<string, string>> {
  const row = deprecationOf(endpoint)
  if (row === undefined) return {}
  const deprecation = `@${Date.parse(`${row.since}T00:00:00Z`) / 1000}`
  const link = `<${baseUrl}/docs/deprecations>; rel="deprecation"; type="text/html"`
  return { deprecation, link, ...(row.sunset !== null && { sunset: new Date(`${row.sunset}T00:00:00Z`).toUTCString() }) }
}
