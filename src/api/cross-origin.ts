/**
 * Answers to pages of other origins (CORS). Only tokens are for pages: a preflight tells nothing of anybody, and an answer may be read by a page whose origin the
 * partner of the token has named. Keys never get these headers, and credentials of the browser are never asked for.
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { PartnerCaller } from '../model/core/caller.ts'
import type { Endpoint } from './endpoint.ts'

const preflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Authorization, If-None-Match',
  'access-control-max-age': '600',
}

export function preflightHeaders(rows: readonly Endpoint[], headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const isPreflight = headers.origin !== undefined && headers['access-control-request-method'] === 'GET'
  return isPreflight && rows.some(({ isOpenToTokens }) => isOpenToTokens) ? { ...preflight, vary: 'Origin' } : {}
}

/** Whatever the answer to the token is, a cache keeps it for this origin alone. */
export function originHeaders({ token }: PartnerCaller, { origin }: IncomingHttpHeaders): Readonly<Record<string, string>> {
  if (token === undefined) return {}
  if (origin === undefined || !token.origins.includes(origin)) return { vary: 'Origin' }
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }
}

const exposed = 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'
