/**
 * Rate limits shared by several processes: each process takes a portion of the shared bucket, a hundredth of the allowance per minute, and spends it locally
 * (docs/decisions/2026-11-16-workers.md).
 */

import { Lru } from '../lib/memo.ts'
import type { Draw, DrawnTokens } from '../lib/work/token-buckets.ts'
import { bucketName, type RateKind, type Rates, rateOf, unlimited, windowSeconds } from './rate-limit.ts'

/** Takes tokens from a bucket shared with other processes. */
export type DrawShared = (draw: Draw) => Promise<DrawnTokens>

/** The tokens that this process has taken and not spent, and what it knows of the shared bucket. */
interface LocalBucket {
  tokens: number
  /** How many tokens were left in the shared bucket, and when. */
  left: number
  readAt: number
  drawing: Promise<void> | null
}

const portionsPerMinute = 100
const maxLocalBuckets = 100_000

export function openSharedRates(drawShared: DrawShared, now: () => number = () => performance.now()): Rates {
  const local = new Lru<string, LocalBucket>(maxLocalBuckets)
  const draw = async (bucket: LocalBucket, name: string, perMinute: number) => {
    try {
      const { granted, left } = await drawShared({ name, perMinute, wanted: portionOf(perMinute) })
      bucket.tokens += granted
      bucket.left = left
    } catch {
      // The shared bucket cannot be reached: the request is allowed, and fails later if it needs what is unavailable.
      bucket.tokens += 1
    }
    bucket.readAt = now()
    bucket.drawing = null
  }
  const refill = (bucket: LocalBucket, name: string, perMinute: number) => {
    bucket.drawing ??= draw(bucket, name, perMinute)
    return bucket.drawing
  }
  const spend = (bucket: LocalBucket, kind: RateKind, perMinute: number) => {
    const isWithin = bucket.tokens >= 1
    if (isWithin) bucket.tokens -= 1
    return rateOf(kind, perMinute, Math.min(perMinute, bucket.tokens + leftNow(bucket, perMinute, now())), isWithin)
  }
  /** Asks the shared bucket only when a token can have been added, so that a client refused a thousand times a second does not cost a thousand queries. */
  const drawAndSpend = async (bucket: LocalBucket, party: number | string, kind: RateKind, perMinute: number) => {
    while (bucket.tokens < 1 && leftNow(bucket, perMinute, now()) >= 1) await refill(bucket, bucketName(party, kind), perMinute)
    return spend(bucket, kind, perMinute)
  }
  const localBucketOf = (name: string, perMinute: number) => {
    const bucket = local.get(name) ?? { tokens: 0, left: perMinute, readAt: Number.NEGATIVE_INFINITY, drawing: null }
    local.set(name, bucket)
    return bucket
  }
  /** The shared bucket goes below zero, so that all processes wait until it is refilled. */
  const borrow = async (bucket: LocalBucket, name: string, perMinute: number, wanted: number) => {
    try {
      const { left } = await drawShared({ name, perMinute, wanted, onCredit: true })
      Object.assign(bucket, { left, readAt: now() })
    } catch {
      // Like above: if the bucket cannot be reached, nothing is owed.
    }
  }
  return {
    async charge(party, kind, perMinute, tokens) {
      if (perMinute === 0) return unlimited
      const name = bucketName(party, kind)
      const bucket = localBucketOf(name, perMinute)
      const own = Math.min(bucket.tokens, tokens)
      bucket.tokens -= own
      if (tokens > own) await borrow(bucket, name, perMinute, tokens - own)
      return rateOf(kind, perMinute, Math.min(perMinute, bucket.tokens + leftNow(bucket, perMinute, now())), true)
    },
    take(party, kind, perMinute) {
      if (perMinute === 0) return unlimited
      const name = bucketName(party, kind)
      const bucket = localBucketOf(name, perMinute)
      if (bucket.tokens >= 1) {
        if (bucket.tokens <= portionOf(perMinute) / 2) void refill(bucket, name, perMinute)
        return spend(bucket, kind, perMinute)
      }
      return drawAndSpend(bucket, party, kind, perMinute)
    },
  }
}

/** An estimate that ignores what other processes have taken since. */
function leftNow({ left, readAt }: LocalBucket, perMinute: number, at: number): number {
  return Math.min(perMinute, left + ((at - readAt) / 1000) * (perMinute / windowSeconds))
}

function portionOf(perMinute: number): number {
  return Math.ceil(perMinute / portionsPerMinute)
}
