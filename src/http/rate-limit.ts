/** How often a partner may ask: a bucket of tokens for reads and one for writes, filled by the monotonic clock, told in headers. */

export type RateKind = 'reads' | 'writes'

export interface Rate {
  readonly isWithin: boolean
  /** What is left; where that is nothing, how long to wait. */
  readonly headers: Record<string, string>
}

export interface Rates {
  /** Takes one token of the partner's bucket; a limit of 0 is none. */
  take(partnerId: number, kind: RateKind, perMinute: number): Rate
}

interface Bucket {
  tokens: number
  filledAt: number
}

const windowSeconds = 60
const unlimited: Rate = { isWithin: true, headers: {} }

export function openRates(now: () => number = () => performance.now()): Rates {
  const buckets = new Map<string, Bucket>()
  return {
    take(partnerId, kind, perMinute) {
      if (perMinute === 0) return unlimited
      const name = `${partnerId} ${kind}`
      const bucket = filled(buckets.get(name), perMinute, now())
      const isWithin = bucket.tokens >= 1
      if (isWithin) bucket.tokens -= 1
      buckets.set(name, bucket)
      return { isWithin, headers: headersOf(kind, perMinute, bucket.tokens, isWithin) }
    },
  }
}

function filled(bucket: Bucket | undefined, perMinute: number, at: number): Bucket {
  if (bucket === undefined) return { tokens: perMinute, filledAt: at }
  const gained = ((at - bucket.filledAt) / 1000) * (perMinute / windowSeconds)
  return { tokens: Math.min(perMinute, bucket.tokens + gained), filledAt: at }
}

function headersOf(kind: RateKind, perMinute: number, tokens: number, isWithin: boolean): Record<string, string> {
  const fullInSeconds = Math.ceil(((perMinute - tokens) * windowSeconds) / perMinute)
  const headers = {
    'ratelimit-policy': `"${kind}";q=${perMinute};w=${windowSeconds}`,
    ratelimit: `"${kind}";r=${Math.floor(tokens)};t=${fullInSeconds}`,
  }
  return isWithin ? headers : { ...headers, 'retry-after': String(Math.max(1, Math.ceil(((1 - tokens) * windowSeconds) / perMinute))) }
}
