/** Chance that can be replayed: the same seed gives the same run. */

export interface Chance {
  readonly seed: number
  /** From 0 up to 1. */
  next(): number
  whole(below: number): number
  pick<T>(items: readonly T[]): T
}

export function chanceFrom(seed = Number(process.env.HARD_SEED ?? Math.floor(Math.random() * 2 ** 31))): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (below: number) => Math.floor(next() * below)
  return { seed, next, whole, pick: (items) => items[whole(items.length)] as (typeof items)[number] }
}
