/** Waiting for what must come, without a time of its own: on a busy machine it comes later, and the runner ends a test that hangs. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves once it is so. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}
