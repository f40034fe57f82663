/** CSRF protection of forms: the browser must say that the page is ours, and the form must have a token of this session or request. */

import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../lib/failures.ts'
import { hexOf, type Secrets, sameText } from '../lib/secrets.ts'

const bytes = 32

/** Masked differently each time, because pages are compressed together with text from outside (the BREACH attack). */
export function formToken(secrets: Secrets, holder: string): string {
  const pad = randomBytes(bytes)
  return Buffer.concat([pad, mixed(pad, tokenOf(secrets, holder))]).toString('base64url')
}

export function checkForm(secrets: Secrets, holder: string, headers: IncomingHttpHeaders, given: string | null): void {
  if (!isOurPage(headers)) refuse('forbidden', 'This form was not sent from our own page.')
  const both = Buffer.from(given ?? '', 'base64url')
  const token = mixed(both.subarray(0, bytes), both.subarray(bytes)).toString('hex')
  if (!secrets.hmacsInUse('form', holder).some((value) => sameText(token, hexOf(value))))
    refuse('forbidden', 'This form is too old. Please go back, reload the page and try again.')
}

/** Checks `Sec-Fetch-Site` if the browser sends it, otherwise that Origin names this host. */
function isOurPage({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && host !== undefined && URL.parse(origin)?.host === host
}

function tokenOf(secrets: Secrets, holder: string): Buffer {
  return Buffer.from(hexOf(secrets.hmac('form', holder)), 'hex')
}

function mixed(one: Uint8Array, other: Uint8Array): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))
}
