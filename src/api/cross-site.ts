/** Protection against cross-site request forgery (CSRF): browsers resend Basic credentials automatically, so requests from pages of other sites are refused. */

import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../lib/failures.ts'

/** `Sec-Fetch-Mode` is not checked, because Node's own fetch sends it. */
export function refuseCrossSite(headers: IncomingHttpHeaders, isOwnOrigin: (origin: string) => boolean): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'none' && site !== 'same-origin')
    refuse('forbidden', 'Requests from pages of other sites are not taken')
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin)) refuse('forbidden', 'Requests from pages of other sites are not taken')
}

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-moz'] as const

/** Some GET requests change state, as the interface requires, but a browser's prefetch must not. */
export function refusePrefetch(headers: IncomingHttpHeaders): void {
  if (prefetchHeaders.some((name) => headers[name] !== undefined)) refuse('forbidden', 'A prefetch does not act')
}
