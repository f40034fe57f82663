/** Writes Node's compile cache, so that the next start need not compile the program again. */

import { flushCompileCache } from 'node:module'

/** Node writes the cache only when a process ends normally; without this, a killed process would leave none, and every later start would take twice as long. */
export function keepCompiledCode(): void {
  setImmediate(flushCompileCache)
}
