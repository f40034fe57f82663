/**
 * Rates of partners that several processes serve: each draws a portion of the shared bucket, a hundredth of what a minute
 * allows, and spends it by itself (docs/decisions/2026-11-16-workers.md).
 */

import { Lru } from '../lib/memo.ts'
import type { Draw, DrawnTokens } from '../lib/work/token-buckets.ts'
import { bucketName, type RateKind, type Rates, rateOf, unlimited, windowSeconds } from './rate-limit.ts'

/** Draws tokens from buckets that other processes draw from, too. */
export type DrawShared = (draw: Draw) => Promise<DrawnTokens>

/** What this process has drawn and not spent, and what it knows of the shared bucket. */
interface Purse {
  tokens: number
  /** What was left in the shared bucket, and when. */
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
      // The others cannot be asked: the request goes on, and fails by itself where it needs what is gone.
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
  /** Asks only when a token can have come: whoever is refused a thousand times a second must not cost a thousand questions. */
  const drawAndSpend = async (purse: Purse, partnerId: number, kind: RateKind, perMinute: number) => {
    while (purse.tokens < 1 && leftNow(purse, perMinute, now()) >= 1) await refill(purse, bucketName(partnerId, kind), perMinute)
    return spend(purse, kind, perMinute)
  }
  const purseOf = (name: string, perMinute: number) => {
    const purse = purses.get(name) ?? { tokens: 0, left: perMinute, readAt: Number.NEGATIVE_INFINITY, drawing: null }
    purses.set(name, purse)
    return purse
  }
  /** The shared bucket owes what it does not hold, so that all processes wait until it is paid. */
  const borrow = async (purse: Purse, name: string, perMinute: number, wanted: number) => {
    try {
      const { left } = await drawShared({ name, perMinute, wanted, onCredit: true })
      Object.assign(purse, { left, readAt: now() })
    } catch {
      // As above: what cannot be asked is not owed.
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

/** Without what other processes have drawn meanwhile. */
function leftNow({ left, readAt }: Purse, perMinute: number, at: number): number {
  return Math.min(perMinute, left + ((at - readAt) / 1000) * (perMinute / windowSeconds))
}

function portionOf(perMinute: number): number {
  return Math.ceil(perMinute / portionsPerMinute)
}
