/** Gives back what the start of a thread leaves behind (docs/decisions/2026-11-16-process-memory.md). */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookMilliseconds = 10_000
const idleShare = 0.1

/** V8 collects when memory is wanted, and an idle thread wants none: the garbage of loading the program would stay. Waits until nothing much is done. */
export function collectOnceIdle(): void {
  const before = performance.eventLoopUtilization()
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization < idleShare) collect()
    else collectOnceIdle()
  }, lookMilliseconds).unref()
}

/** Node offers the collector only to who starts it with `--expose-gc`; the flag is taken back at once. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', flavor: 'last-resort' })
}
