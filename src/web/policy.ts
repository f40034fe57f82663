/** The content security policy of pages: only our own files, no script or style within a page, and no other site around it. */

interface Framing {
  /** Whether the page shows other pages of ours in frames. */
  readonly showsFrames?: true
  /** Who may show the page in a frame: nobody by default. */
  readonly within?: readonly string[]
}

export function pagePolicy({ showsFrames, within = ["'none'"] }: Framing = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(showsFrames ? ["frame-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${within.join(' ')}`,
  ].join('; ')
}

/** For a page that others of ours show in a frame; older browsers read the second. */
export const withinOwnPages = { 'content-security-policy': pagePolicy({ within: ["'self'"] }), 'x-frame-options': 'SAMEORIGIN' }

/** For a page that pages of these hosts may show in a frame; `X-Frame-Options` cannot say so, and is left out. */
export function withinPagesOf(hosts: readonly string[]): Readonly<Record<string, string>> {
  return { 'content-security-policy': pagePolicy({ within: hosts.map((host) => `https://${host}`) }), 'x-frame-options': '' }
}
