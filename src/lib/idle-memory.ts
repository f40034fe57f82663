/** Garbage collections at good moments, such as when a newly started thread is idle (docs/decisions/2026-11-16-process-memory.md). */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookMilliseconds = 10_000
const idleShare = 0.1

/** V8 collects garbage only when memory is needed, so an idle thread would keep the garbage of loading the program. Waits until the event loop is mostly idle. */
export function collectOnceIdle(): void {
  const before = performance.eventLoopUtilization()
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization < idleShare) collectGarbage()
    else collectOnceIdle()
  }, lookMilliseconds).unref()
}

/** Gives back what V8 holds in reserve, too; takes some tens of milliseconds. Node exposes `gc` only with `--expose-gc`, so the flag is set for a moment. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', flavor: 'last-resort' })
}
