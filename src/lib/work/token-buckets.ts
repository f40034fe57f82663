/** Token buckets by name, kept in memory and refilled by the monotonic clock; a full bucket holds the allowance of one minute. */

import { Lru } from '../memo.ts'

/** A request for tokens from a bucket, which is full when it is first used. */
export interface Draw {
  readonly name: string
  readonly perMinute: number
  readonly wanted: number
  /** Grants everything that is wanted; the bucket may go below zero and refills from there. */
  readonly onCredit?: boolean
}

export interface DrawnTokens {
  /** The number granted: as many as wanted, or as many as the bucket held; on credit, always as many as wanted. */
  readonly granted: number
  /** What the bucket holds now, including fractions of a token; negative if it owes some. */
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
