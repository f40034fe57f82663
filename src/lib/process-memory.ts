/** Limits the size of V8's young generation during long work, which would otherwise grow with the memory of the machine (docs/decisions/2026-11-16-process-memory.md). */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { collectGarbage } from './idle-memory.ts'

// Half of it is in use at a time. With less, short-lived objects are promoted to the old generation; more is not faster.
const enoughBytes = 32 << 20
const lookMilliseconds = 20

export async function withBoundedYoungGeneration<T>(work: () => Promise<T>, mostBytes = enoughBytes): Promise<T> {
  // A young generation that has grown is given back only by a collection of everything.
  if (youngBytes() > mostBytes) collectGarbage()
  // Checked repeatedly, because V8 shrinks the young generation when the thread is idle, and it must be able to grow again.
  const timer = setInterval(() => setGrowth(youngBytes() < mostBytes), lookMilliseconds).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    setGrowth(true)
  }
}

/**
 * Starts a thread whose semi-spaces have this size at most. A flag of the process wins over the limits of a thread,
 * so the flag is another one until the heap of the thread is made, which is when the thread is online or has failed.
 */
export function startSmall(semiSpaceMb: number, start: () => Worker): Worker {
  setFlagsFromString(`--max-semi-space-size=${semiSpaceMb}`)
  const restore = () => setFlagsFromString(givenSemiSpace())
  return start().once('online', restore).once('exit', restore)
}

/** As the process was started; 0 leaves the size to V8. */
function givenSemiSpace(): string {
  return process.execArgv.find((option) => option.startsWith('--max-semi-space-size=')) ?? '--max-semi-space-size=0'
}

function setGrowth(mayGrow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
