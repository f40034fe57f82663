/** Limits the size of V8's young generation during long work, which would otherwise grow with the memory of the machine (docs/decisions/2026-11-16-process-memory.md). */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

// Half of it is in use at a time. With less, short-lived objects are promoted to the old generation; more is not faster.
const enoughBytes = 32 << 20
const lookMilliseconds = 20

export async function withBoundedYoungGeneration<T>(work: () => Promise<T>): Promise<T> {
  // Checked repeatedly, because V8 shrinks the young generation when the thread is idle, and it must be able to grow again.
  const timer = setInterval(() => setGrowth(youngBytes() < enoughBytes), lookMilliseconds).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    setGrowth(true)
  }
}

function setGrowth(mayGrow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
