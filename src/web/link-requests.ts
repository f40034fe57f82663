/** Requests for a login link: throttled by address and by name, and worked on only after the answer has left, so that neither words nor time tell who exists. */

import { refuse } from '../lib/failures.ts'
import { workBudget } from '../lib/work/budget.ts'
import { limitConcurrency } from '../lib/work/concurrency.ts'
import { openThrottle } from '../lib/work/throttle.ts'
import { perApp } from '../model/core/app.ts'
import { askForLoginLink } from '../model/people/login-links.ts'
import { foldName } from '../model/people/users.ts'
import { mailLoginLink } from './mail.ts'
import type { PageRequest } from './page-request.ts'

const withinSeconds = 15 * 60
/** An office shares one address; a name belongs to one person. */
const triesByNetwork = 30
const triesByName = 10
/** Work that began at a fixed time after the answer would show in the time of the next one. */
const delayMilliseconds = { least: 100, most: 600 }

/** Refuses too many; else returns at once, whoever is meant. */
export function requestLoginLink(request: PageRequest, name: string): void {
  const { byNetwork, byName, begin } = deskOf(request.app)
  const isAdmitted = byNetwork.admits(request.visitor.network) && byName.admits(foldName(name.slice(0, 300)))
  if (!isAdmitted)
    refuse('too_many_requests', 'Too many links were asked for. Please wait a quarter of an hour and try again.', {
      'retry-after': String(withinSeconds),
    })
  begin(request, name)
}

const deskOf = perApp((app) => {
  const { places, queue, patienceSeconds, share } = workBudget.mail
  const line = limitConcurrency({
    inside: places,
    insidePerParty: share,
    ranks: { mail: { inside: places, waiting: queue, patienceSeconds } },
  })
  const pending = new Set<Promise<void>>()
  app.beforeClose.push(async () => void (await Promise.allSettled(pending)))
  const begin = (request: PageRequest, name: string) => {
    const work = later()
      .then(() => line.pass('mail', request.visitor.network, () => mailTo(request, name)))
      .catch((error: unknown) => request.warn(error, 'a link was asked for and not mailed'))
      .finally(() => pending.delete(work))
    pending.add(work)
  }
  const byNetwork = openThrottle({ tries: triesByNetwork, withinSeconds })
  return { byNetwork, byName: openThrottle({ tries: triesByName, withinSeconds }), begin }
})

function later(): Promise<void> {
  const { least, most } = delayMilliseconds
  return new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)))
}

async function mailTo(request: PageRequest, name: string): Promise<void> {
  const link = await askForLoginLink(request.visitor, name)
  if (link) await mailLoginLink(request, link)
}
