/** A clock that goes when it is told to. */
import { secondsAfter } from '../../src/lib/time/clock.ts'

export interface TestClock {
  now(): string
  pass(seconds: number): void
}

export function testClock(start = '2026-11-14T12:00:00Z'): TestClock {
  let now = start
  return {
    now: () => now,
    pass(seconds) {
      now = secondsAfter(now, seconds)
    },
  }
}
