/** Protection against cross-site request forgery (CSRF): browsers resend Basic credentials by themselves, so pages of other sites must not be able to act. */

import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../lib/failures.ts'

/** `Sec-Fetch-Mode` is not looked at: Node's own fetch sends it. */
export function refuseCrossSite(headers: IncomingHttpHeaders, isOwnOrigin: (origin: string) => boolean): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'none' && site !== 'same-origin')
    refuse('forbidden', 'Requests from pages of other sites are not taken')
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin)) refuse('forbidden', 'Requests from pages of other sites are not taken')
}

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-moz'] as const

/** GET acts here because the interface says so, but never for a browser that only looks ahead. */
export function refusePrefetch(headers: IncomingHttpHeaders): void {
  if (prefetchHeaders.some((name) => headers[name] !== undefined)) refuse('forbidden', 'A prefetch does not act')
}
