/** Requests for a login link: throttled by network and by name, and processed after the answer was sent, so that neither text nor timing reveals who exists. */

import { refuse } from '../lib/failures.ts'
import { openThrottle } from '../lib/work/throttle.ts'
import { perApp } from '../model/core/app.ts'
import { mailPlaces } from '../model/mail/places.ts'
import { admitLinkRequest, linkRequestSeconds, mostLinkRequests } from '../model/people/link-request-limit.ts'
import { askForLoginLink } from '../model/people/login-links.ts'
import { foldName } from '../model/people/users.ts'
import { mailLoginLink } from './mail.ts'
import type { PageRequest } from './page-request.ts'

/** A random delay, because work at a fixed time after the answer would show in the time of the next one. */
const delayMilliseconds = { least: 100, most: 600 }

/** Refuses too many requests; otherwise takes the same time for every name. */
export async function requestLoginLink(request: PageRequest, name: string): Promise<void> {
  const { byNetwork, byName, begin } = deskOf(request.app)
  const short = name.slice(0, 300)
  // The local count is checked first, without a query.
  const isAdmitted = byNetwork.admits(request.visitor.network) && byName.admits(foldName(short))
  if (!isAdmitted || !(await admitLinkRequest(request.visitor, short)))
    refuse('too_many_requests', 'Too many links were asked for. Please wait a quarter of an hour and try again.', {
      'retry-after': String(linkRequestSeconds),
    })
  begin(request, name)
}

const deskOf = perApp((app) => {
  const pending = new Set<Promise<void>>()
  app.beforeClose.push(async () => void (await Promise.allSettled(pending)))
  const begin = (request: PageRequest, name: string) => {
    const work = later()
      .then(() => mailPlaces(app).pass('link', request.visitor.network, () => mailTo(request, name)))
      .catch((error: unknown) => request.warn(error, 'a link was asked for and not mailed'))
      .finally(() => pending.delete(work))
    pending.add(work)
  }
  const byNetwork = openThrottle({ tries: mostLinkRequests.network, withinSeconds: linkRequestSeconds })
  return { byNetwork, byName: openThrottle({ tries: mostLinkRequests.name, withinSeconds: linkRequestSeconds }), begin }
})

function later(): Promise<void> {
  const { least, most } = delayMilliseconds
  return new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)))
}

async function mailTo(request: PageRequest, name: string): Promise<void> {
  const link = await askForLoginLink(request.visitor, name)
  if (link) await mailLoginLink(request, link)
}
