/** When share links end: revoked, expired, or 14 days after whoever made them may no longer share the site. */

import { secondsAfter } from '../../lib/time/clock.ts'
import type { ShareLinkRow } from '../../store/rows/people.ts'

/** A link ends so long after its maker may no longer share the site. */
const graceSeconds = 14 * 86_400

export function endOfLost(maker_lost_at: string): string {
  return secondsAfter(maker_lost_at, graceSeconds)
}

/** Links that lost their maker until then have ended. */
export function lostBefore(now: string): string {
  return secondsAfter(now, -graceSeconds)
}

export function isLinkLive(
  { revoked_at, expires_at, maker_lost_at }: Pick<ShareLinkRow, 'revoked_at' | 'expires_at' | 'maker_lost_at'>,
  now: string,
): boolean {
  return revoked_at === null && expires_at > now && (maker_lost_at === null || endOfLost(maker_lost_at) > now)
}
