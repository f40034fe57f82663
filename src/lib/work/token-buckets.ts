/** Token buckets by name, kept in memory and refilled by the monotonic clock; a full bucket holds the allowance of one minute. */

import { Lru } from '../memo.ts'

/** A request for tokens from a bucket, which is full when it is first used. */
export interface Draw {
  readonly name: string
  readonly perMinute: number
  readonly wanted: number
  /** All that is wanted is granted; what the bucket does not hold it owes, and fills up from below zero. */
  readonly onCredit?: boolean
}

export interface DrawnTokens {
  /** As many as were wanted, or as there were; on credit, as many as were wanted. */
  readonly granted: number
  /** What the bucket holds now, with fractions of a token; below zero, what it owes. */
  readonly left: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/** A bucket that was evicted is full again. The names are known partners, so that nobody can create many. */
const maxBuckets = 100_000
const minute = 60_000

export function openBuckets(now: () => number = () => performance.now()): (draw: Draw) => DrawnTokens {
  const buckets = new Lru<string, Bucket>(maxBuckets)
  return ({ name, perMinute, wanted, onCredit }) => {
    const bucket = filled(buckets.get(name), perMinute, now())
    const granted = onCredit ? wanted : Math.max(0, Math.min(wanted, Math.floor(bucket.tokens)))
    bucket.tokens -= granted
    buckets.set(name, bucket)
    return { granted, left: bucket.tokens }
  }
}

function filled(bucket: Bucket | undefined, perMinute: number, at: number): Bucket {
  if (bucket === undefined) return { tokens: perMinute, filledAt: at }
  const gained = ((at - bucket.filledAt) / minute) * perMinute
  return { tokens: Math.min(perMinute, bucket.tokens + gained), filledAt: at }
}
