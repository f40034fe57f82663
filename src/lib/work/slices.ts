/** Slices of the event loop: long work asks now and then whether its slice is used up, and waits for the next turn when it is. */

import { setImmediate as nextTurn } from 'node:timers/promises'

export const sliceMilliseconds = 10

let sliceEnds: number | undefined

/**
 * A promise for the next turn of the event loop once this turn has worked for a slice, whoever worked in it; otherwise nothing to wait for.
 * To be called at the end of each small piece of work: the slice begins with the first call of a turn.
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
