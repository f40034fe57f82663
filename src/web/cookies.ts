/**
 * Cookies of the pages. Their prefix `__Host-` ties them to one host, sends them over HTTPS only, and keeps subdomains from setting them. WebKit keeps no such
 * cookie over plain HTTP, not even on its own machine, so that there they are plain: without the prefix and without `Secure` (docs/decisions/2026-11-18-plain-cookies.md).
 */

import type { IncomingMessage } from 'node:http'
import { isLoopback, plainAddress } from '../lib/network/addresses.ts'

const prefix = '__Host-'
const rememberedSeconds = 14 * 24 * 60 * 60

export const cookieNames = {
  session: `${prefix}session`,
  pending: `${prefix}pending`,
  visit: `${prefix}visit`,
  theme: `${prefix}theme`,
  share: `${prefix}share`,
  told: `${prefix}told`,
  embedded: `${prefix}embedded`,
} as const

type CookieName = keyof typeof cookieNames

export interface Cookie {
  readonly name: CookieName
  readonly value: string
  /** Without it the cookie ends with the browser. */
  readonly seconds?: number
  readonly isForScript?: boolean
  /** For frames in pages of others: kept apart for each site around them, and sent there. */
  readonly isForFrames?: boolean
}

/** Whether nobody but this machine can have sent the request: its own address, its own host name, and no proxy in between. nginx speaks HTTP/1.0 if nobody says otherwise, and no browser does. */
export function keepsPlainCookies(
  { baseUrl }: { readonly baseUrl: string },
  {
    headers,
    httpVersion,
    socket,
  }: Pick<IncomingMessage, 'headers' | 'httpVersion'> & { readonly socket: { readonly remoteAddress?: string | undefined } },
): boolean {
  const isServedHere = baseUrl.startsWith('http:') && isLoopback(hostName(baseUrl))
  const isAskedHere = isLoopback(plainAddress(socket.remoteAddress ?? '')) && isLoopback(hostName(`http://${headers.host ?? ''}`))
  const isForwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded'))
  return isServedHere && isAskedHere && !isForwarded
}

function hostName(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$/g, '')
}

export function readCookie(header: string | undefined, name: CookieName, isPlain: boolean): string | null {
  const sent = cookieName(name, isPlain)
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${sent}=`))
  return found?.slice(sent.length + 1) ?? null
}

/** The line of `Set-Cookie`. */
export function cookieLine({ name, value, seconds, isForScript = false, isForFrames = false }: Cookie, isPlain: boolean): string {
  // Browsers send no cookie to a frame that is not secure, and count this machine as secure.
  const secure = isPlain && !isForFrames ? '' : '; Secure'
  const sent = isForFrames ? 'SameSite=None; Partitioned' : 'SameSite=Lax'
  const hidden = isForScript ? '' : '; HttpOnly'
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  return `${cookieName(name, isPlain)}=${value}; Path=/${secure}${hidden}; ${sent}${age}`
}

export function cookieName(name: CookieName, isPlain: boolean): string {
  return isPlain ? cookieNames[name].slice(prefix.length) : cookieNames[name]
}

/** Without an age the cookie ends with the browser; the session itself ends earlier. */
export function sessionCookie(token: string, isRemembered: boolean): Cookie {
  return { name: 'session', value: token, ...(isRemembered && { seconds: rememberedSeconds }) }
}

export function endedSessionCookie(): Cookie {
  return { name: 'session', value: '', seconds: 0 }
}

/** Of a login that awaits the code of a second factor. */
export function pendingCookie(token: string): Cookie {
  return { name: 'pending', value: token }
}

export function endedPendingCookie(): Cookie {
  return { name: 'pending', value: '', seconds: 0 }
}

export function visitCookie(value: string): Cookie {
  return { name: 'visit', value }
}

/** The cookie ends with the browser; the link itself may expire earlier. */
export function shareCookie(value: string): Cookie {
  return { name: 'share', value }
}

/** Of a share link that is open in a frame of somebody else's page. */
export function embeddedCookie(value: string): Cookie {
  return { name: 'embedded', value, isForFrames: true }
}

/** What the next page tells once, such as a link that nobody can see again. */
export function toldCookie(value: string): Cookie {
  return { name: 'told', value, seconds: 120 }
}

export function endedToldCookie(): Cookie {
  return { name: 'told', value: '', seconds: 0 }
}

/** Readable by the script, which changes it without a request. */
export function themeCookie(theme: 'light' | 'dark' | ''): Cookie {
  return { name: 'theme', value: theme, seconds: 31_536_000, isForScript: true }
}
