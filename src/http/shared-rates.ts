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
interface Purse {
  tokens: number
  /** How many tokens were left in the shared bucket, and when. */
  left: number
  readAt: number
  drawing: Promise<void> | null
}

const portionsPerMinute = 100
const maxPurses = 100_000

export function openSharedRates(drawShared: DrawShared, now: () => number = () => performance.now()): Rates {
  const purses = new Lru<string, Purse>(maxPurses)
  const draw = async (purse: Purse, name: string, perMinute: number) => {
    try {
      const { granted, left } = await drawShared({ name, perMinute, wanted: portionOf(perMinute) })
      purse.tokens += granted
      purse.left = left
    } catch {
      // The shared bucket cannot be reached: the request is allowed, and fails later if it needs what is unavailable.
      purse.tokens += 1
    }
    purse.readAt = now()
    purse.drawing = null
  }
  const refill = (purse: Purse, name: string, perMinute: number) => {
    purse.drawing ??= draw(purse, name, perMinute)
    return purse.drawing
  }
  const spend = (purse: Purse, kind: RateKind, perMinute: number) => {
    const isWithin = purse.tokens >= 1
    if (isWithin) purse.tokens -= 1
    return rateOf(kind, perMinute, Math.min(perMinute, purse.tokens + leftNow(purse, perMinute, now())), isWithin)
  }
  /** Asks the shared bucket only when a token can have been added, so that a client refused a thousand times a second does not cost a thousand queries. */
  const drawAndSpend = async (purse: Purse, partnerId: number, kind: RateKind, perMinute: number) => {
    while (purse.tokens < 1 && leftNow(purse, perMinute, now()) >= 1) await refill(purse, bucketName(partnerId, kind), perMinute)
    return spend(purse, kind, perMinute)
  }
  const purseOf = (name: string, perMinute: number) => {
    const purse = purses.get(name) ?? { tokens: 0, left: perMinute, readAt: Number.NEGATIVE_INFINITY, drawing: null }
    purses.set(name, purse)
    return purse
  }
  /** The shared bucket goes below zero, so that all processes wait until it is refilled. */
  const borrow = async (purse: Purse, name: string, perMinute: number, wanted: number) => {
    try {
      const { left } = await drawShared({ name, perMinute, wanted, onCredit: true })
      Object.assign(purse, { left, readAt: now() })
    } catch {
      // Like above: if the bucket cannot be reached, nothing is owed.
    }
  }
  return {
    async charge(partnerId, kind, perMinute, tokens) {
      if (perMinute === 0) return unlimited
      const name = bucketName(partnerId, kind)
      const purse = purseOf(name, perMinute)
      const own = Math.min(purse.tokens, tokens)
      purse.tokens -= own
      if (tokens > own) await borrow(purse, name, perMinute, tokens - own)
      return rateOf(kind, perMinute, Math.min(perMinute, purse.tokens + leftNow(purse, perMinute, now())), true)
    },
    take(partnerId, kind, perMinute) {
      if (perMinute === 0) return unlimited
      const name = bucketName(partnerId, kind)
      const purse = purseOf(name, perMinute)
      if (purse.tokens >= 1) {
        if (purse.tokens <= portionOf(perMinute) / 2) void refill(purse, name, perMinute)
        return spend(purse, kind, perMinute)
      }
      return drawAndSpend(purse, partnerId, kind, perMinute)
    },
  }
}

/** An estimate that ignores what other processes have taken since. */
function leftNow({ left, readAt }: Purse, perMinute: number, at: number): number {
  return Math.min(perMinute, left + ((at - readAt) / 1000) * (perMinute / windowSeconds))
}

function portionOf(perMinute: number): number {
  return Math.ceil(perMinute / portionsPerMinute)
}
