/** Deadlines: a client gets an answer before its connection is cut. */

import { Failure } from '../failures.ts'
import { type WorkKind, workBudget } from './budget.ts'

/** Returns the result of the work, or fails with 503 after the deadline; the work itself must learn by other means that nobody waits for it. */
export async function withinDeadline<T>(kind: WorkKind, work: Promise<T>, seconds: number = workBudget[kind].deadlineSeconds): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLong()), seconds * 1000)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

export function tooLong(): Failure {
  return new Failure('overloaded', { sentence: 'This takes too long', headers: { 'retry-after': '5' } })
}
