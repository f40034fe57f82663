/** The headers of every answer, which forbid framing, MIME sniffing, referrers and shared caching. */

export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
} as const
