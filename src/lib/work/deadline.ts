/** Deadlines: a client gets an answer before its connection is cut. */

import { refuse } from '../failures.ts'
import { type WorkKind, workBudget } from './budget.ts'

/** Returns the result of the work, or fails with 503 after the deadline; the work itself continues to its end. */
export async function withinDeadline<T>(kind: WorkKind, work: Promise<T>, seconds: number = workBudget[kind].deadlineSeconds): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(lateness()), seconds * 1000)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function lateness(): unknown {
  try {
    return refuse('overloaded', 'This takes too long', { 'retry-after': '5' })
  } catch (error) {
    return error
  }
}
