/** Runs a garbage collection once a newly started thread is idle (docs/decisions/2026-11-16-process-memory.md). */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookMilliseconds = 10_000
const idleShare = 0.1

/** V8 collects garbage only when memory is needed, so an idle thread would keep the garbage of loading the program. Waits until the event loop is mostly idle. */
export function collectOnceIdle(): void {
  const before = performance.eventLoopUtilization()
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization < idleShare) collect()
    else collectOnceIdle()
  }, lookMilliseconds).unref()
}

/** Node exposes `gc` only with `--expose-gc`, so the flag is set for a moment. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', flavor: 'last-resort' })
}
