/** What of the API is old: each row names an endpoint, since when it is deprecated, when it ends, and what to use instead. */

import type { Endpoint } from './endpoint.ts'

interface DeprecationRow {
  readonly method: Endpoint['method']
  readonly path: string
  readonly since: string
  /** The day it stops working; null: it stays, because the interface promises it. */
  readonly sunset: string | null
  readonly instead: string
}

// biome-ignore format: a table reads by its columns
const deprecations: readonly DeprecationRow[] = [
  { method: 'GET', path: 'businesses/{business_id}/deactivate', since: '2026-11-16', sunset: null, instead: 'POST on the same path' },
  { method: 'GET', path: 'businesses/{business_id}/reactivate', since: '2026-11-16', sunset: null, instead: 'POST on the same path' },
]

/** `Deprecation` as RFC 9745 has it, `Sunset` as RFC 8594 has it; nothing for what is not old. */
export function deprecationHeaders({ method, path }: Endpoint): Readonly<Record<string, string>> {
  const row = deprecations.find((known) => known.method === method && known.path === path)
  if (row === undefined) return {}
  const deprecation = `@${Date.parse(`${row.since}T00:00:00Z`) / 1000}`
  return row.sunset === null ? { deprecation } : { deprecation, sunset: new Date(`${row.sunset}T00:00:00Z`).toUTCString() }
}
