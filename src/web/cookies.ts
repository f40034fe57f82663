/** Cookies of the pages, with the prefix `__Host-`, so that they belong to one host, are sent over HTTPS only, and cannot be set by a subdomain. */

const rememberedSeconds = 14 * 24 * 60 * 60

export const cookieNames = { session: '__Host-session', visit: '__Host-visit', theme: '__Host-theme', share: '__Host-share' } as const

export function readCookie(header: string | undefined, name: string): string | null {
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? null
}

/** Without an age the cookie ends with the browser; the session itself ends earlier. */
export function sessionCookie(token: string, isRemembered: boolean): string {
  return `${cookieNames.session}=${token}; Path=/; Secure; HttpOnly; SameSite=Lax${isRemembered ? `; Max-Age=${rememberedSeconds}` : ''}`
}

export function endedSessionCookie(): string {
  return `${cookieNames.session}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`
}

export function visitCookie(value: string): string {
  return `${cookieNames.visit}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`
}

/** The cookie ends with the browser; the link itself may expire earlier. */
export function shareCookie(value: string): string {
  return `${cookieNames.share}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`
}

/** Readable by the script, which changes it without a request. */
export function themeCookie(theme: 'light' | 'dark'): string {
  return `${cookieNames.theme}=${theme}; Path=/; Secure; SameSite=Lax; Max-Age=31536000`
}
