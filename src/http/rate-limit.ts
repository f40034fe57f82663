/** Rate limits of partners: one token bucket for reads and one for writes, reported in headers. */

import { openBuckets } from '../lib/work/token-buckets.ts'

export type RateKind = 'reads' | 'writes'

export interface Rate {
  readonly isWithin: boolean
  /** How many requests are left. */
  readonly headers: Readonly<Record<string, string>>
  /** How long to wait, for a refusal. */
  readonly wait: Readonly<Record<string, string>>
}

export interface Rates {
  /** Takes one token from the bucket of the party: a partner by its id, or whoever is limited apart; a limit of 0 means no limit. */
  take(party: number | string, kind: RateKind, perMinute: number): Rate | Promise<Rate>
  /** Takes further tokens for a request that was admitted. Missing tokens are owed, and no request is admitted until they are refilled. */
  charge(party: number | string, kind: RateKind, perMinute: number, tokens: number): Rate | Promise<Rate>
}

interface OwnRates extends Rates {
  take(party: number | string, kind: RateKind, perMinute: number): Rate
  charge(party: number | string, kind: RateKind, perMinute: number, tokens: number): Rate
}

export const windowSeconds = 60
const noWait = {}
export const unlimited: Rate = { isWithin: true, headers: {}, wait: noWait }

/** The rate limits of a process that runs alone. */
export function openRates(now: () => number = () => performance.now()): OwnRates {
  const draw = openBuckets(now)
  return {
    take(party, kind, perMinute) {
      if (perMinute === 0) return unlimited
      const { granted, left } = draw({ name: bucketName(party, kind), perMinute, wanted: 1 })
      return rateOf(kind, perMinute, left, granted === 1)
    },
    charge(party, kind, perMinute, tokens) {
      if (perMinute === 0) return unlimited
      const { left } = draw({ name: bucketName(party, kind), perMinute, wanted: tokens, onCredit: true })
      return rateOf(kind, perMinute, left, true)
    },
  }
}

export function bucketName(party: number | string, kind: RateKind): string {
  return `${party} ${kind}`
}

export function rateOf(kind: RateKind, perMinute: number, tokens: number, isWithin: boolean): Rate {
  const fullInSeconds = Math.ceil(((perMinute - tokens) * windowSeconds) / perMinute)
  const headers = {
    'ratelimit-policy': `"${kind}";q=${perMinute};w=${windowSeconds}`,
    ratelimit: `"${kind}";r=${Math.max(0, Math.floor(tokens))};t=${fullInSeconds}`,
  }
  if (isWithin) return { isWithin, headers, wait: noWait }
  return { isWithin, headers, wait: { 'retry-after': String(Math.max(1, Math.ceil(((1 - tokens) * windowSeconds) / perMinute))) } }
}
