/** The concurrency limit for composing and sending mail, shared by requested login links and the mail job. */

import { workBudget } from '../../lib/work/budget.ts'
import { limitConcurrency } from '../../lib/work/concurrency.ts'
import { perApp } from '../core/app.ts'

export const mailPlaces = perApp(() => {
  const { places, queue, patienceSeconds, share } = workBudget.mail
  return limitConcurrency({ inside: places, insidePerParty: share, ranks: { mail: { inside: places, waiting: queue, patienceSeconds } } })
})
