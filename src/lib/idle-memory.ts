/** Garbage collections at good moments, such as when a thread has become idle (docs/decisions/2026-11-16-process-memory.md). */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookMilliseconds = 10_000
const idleShare = 0.1

/**
 * V8 collects garbage only when memory is needed, so an idle thread would keep the garbage of loading the program, and that of its last busy hour. Collects once
 * the event loop has become mostly idle, and again whenever that happens after it was busy.
 */
export function collectWhenIdle(everyMilliseconds = lookMilliseconds): void {
  let isGarbageLikely = true
  let before = performance.eventLoopUtilization()
  const look = () => {
    const now = performance.eventLoopUtilization()
    const isIdle = performance.eventLoopUtilization(now, before).utilization < idleShare
    before = now
    if (isIdle && isGarbageLikely) collectGarbage()
    isGarbageLikely = !isIdle
  }
  setInterval(look, everyMilliseconds).unref()
}

/** Gives back what V8 holds in reserve, too; takes some tens of milliseconds. Node exposes `gc` only with `--expose-gc`, so the flag is set for a moment. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', flavor: 'last-resort' })
}
