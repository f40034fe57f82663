/** Keeps what Node made of the files of the program, so that the next start need not make it again. */

import { flushCompileCache } from 'node:module'

/** Node writes it when a process ends by itself; one that is killed would never leave anything, and every start after it would take twice as long. */
export function keepCompiledCode(): void {
  setImmediate(flushCompileCache)
}
