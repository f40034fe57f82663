/** A throttle: allows a number of tries per name within a period, counted in memory for a bounded number of names. */

export interface Throttle {
  /** Counts a try; false when there have been too many. */
  admits(name: string): boolean
}

interface ThrottleRules {
  readonly tries: number
  readonly withinSeconds: number
}

interface Tries {
  count: number
  readonly since: number
}

const maxNames = 50_000

export function openThrottle({ tries, withinSeconds }: ThrottleRules, now: () => number = () => performance.now()): Throttle {
  const known = new Map<string, Tries>()
  const isOver = ({ since }: Tries) => now() - since > withinSeconds * 1000
  return {
    admits(name) {
      const before = known.get(name)
      const found = before === undefined || isOver(before) ? { count: 0, since: now() } : before
      found.count += 1
      known.delete(name)
      known.set(name, found)
      if (known.size > maxNames) forgetOldest(known)
      return found.count <= tries
    },
  }
}

/** Forgets the name that has not been tried for the longest time. */
function forgetOldest(known: Map<string, Tries>): void {
  const [oldest] = known.keys()
  if (oldest !== undefined) known.delete(oldest)
}
