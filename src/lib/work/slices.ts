/** Time slices of the event loop: long work asks from time to time whether its slice is used up, and then waits for the next turn of the loop. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { workBudget } from './budget.ts'

export const sliceMilliseconds = workBudget.push.sliceMilliseconds

let sliceEnds: number | undefined

/**
 * Returns a promise for the next turn of the event loop once this turn has used up its slice, otherwise undefined. Call it after each small piece of work;
 * the slice begins with the first call in a turn.
 */
export function endOfSlice(): Promise<void> | undefined {
  const now = performance.now()
  if (sliceEnds === undefined) {
    sliceEnds = now + sliceMilliseconds
    setImmediate(() => {
      sliceEnds = undefined
    })
  }
  return now >= sliceEnds ? nextTurn() : undefined
}

/** Does one part of some longer work, in the next turn if this one has used up its slice. */
export async function afterSlice<T>(work: () => T | Promise<T>): Promise<T> {
  await endOfSlice()
  return work()
}
