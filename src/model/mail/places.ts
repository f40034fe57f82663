/** The concurrency limit for composing and sending mail: of login links that were asked for, and of the queue. */

import { type WorkRules, workBudget } from '../../lib/work/budget.ts'
import { limitConcurrency } from '../../lib/work/concurrency.ts'
import { perApp } from '../core/app.ts'

export const mailPlaces = perApp(() => {
  const { link, mail } = workBudget
  return limitConcurrency({
    inside: link.places + mail.places,
    insidePerParty: mail.share,
    ranks: { link: rankOf(link), mail: rankOf(mail) },
  })
})

function rankOf({ places, queue, patienceSeconds, share }: WorkRules) {
  return { inside: places, waiting: queue, patienceSeconds, share }
}
