/** Time slices of the event loop: long work asks from time to time whether its slice is used up, and then waits for a later turn of the loop. */

import { workBudget } from './budget.ts'

export const sliceMilliseconds = workBudget.push.sliceMilliseconds

let sliceEnds: number | undefined
let isTurnEnding = false
let endings: (() => void)[] = []
/** Those whose turn has used up its slice, in the order in which they came. */
const waiting: (() => void)[] = []

/**
 * Returns a promise for a later turn of the event loop once this turn has used up its slice, otherwise undefined. Call it after each small piece of work; the
 * slice begins with the first call in a turn.
 */
export function endOfSlice(): Promise<void> | undefined {
  const now = performance.now()
  const end = sliceEnds ?? beginSlice(now)
  return now >= end ? new Promise((resolve) => waiting.push(resolve)) : undefined
}

/** So many small steps are done before the clock is read. */
const stepsAtOnce = 32
/** Counted across lists, because very many short lists take as long as a long one. */
let steps = 0

export async function eachInSlices<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  for (const item of items) {
    visit(item)
    steps += 1
    if (steps % stepsAtOnce === 0) await endOfSlice()
  }
}

/** Calls it at the end of this turn, before those who wait go on. */
export function atEndOfTurn(work: () => void): void {
  endings.push(work)
  endTurn()
}

function beginSlice(now: number): number {
  endTurn()
  sliceEnds = now + sliceMilliseconds
  return sliceEnds
}

function endTurn(): void {
  if (!isTurnEnding) setImmediate(beginTurn)
  isTurnEnding = true
}

/** One of those who wait goes on in each turn: if all of them did, the turn would take as many slices. */
function beginTurn(): void {
  const ended = endings
  endings = []
  isTurnEnding = false
  sliceEnds = undefined
  for (const work of ended) work()
  const goOn = waiting.shift()
  if (goOn === undefined) return
  beginSlice(performance.now())
  goOn()
}
