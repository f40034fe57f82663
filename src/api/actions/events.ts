/** The feed of events, for which a client may wait. */

import type { PartnerCaller } from '../../model/core/caller.ts'
import { readFeed, typesIn } from '../../model/partners/events/feed.ts'
import { waitForEvents } from '../../model/partners/events/wait.ts'
import type { Call } from '../endpoint.ts'
import type { eventFilters } from '../parameters.ts'

type FeedCall = Call<typeof eventFilters>

export function index({ caller, query }: FeedCall) {
  return readFeed(caller, query)
}

export const waiting = {
  isAsked: ({ query }: FeedCall) => (query.wait ?? 0) > 0,
  wait({ caller, query }: FeedCall, renew: () => Promise<PartnerCaller>, isOver: () => boolean): Promise<void> {
    typesIn(query.types)
    return waitForEvents(caller, query, { seconds: query.wait ?? 0, renew, isOver })
  },
}
