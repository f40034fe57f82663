/** Long work in little memory: the young generation is held at a size that V8 would let grow with the memory of the machine (docs/decisions/2026-11-16-process-memory.md). */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

// Half of it is in use at a time. Less would make old what is only a moment from being garbage; more is no quicker.
const enoughBytes = 32 << 20
const lookMilliseconds = 20

export async function withBoundedYoungGeneration<T>(work: () => Promise<T>): Promise<T> {
  // Looked at all the while: V8 gives space back when little happens, and it must be able to grow again.
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
