/** Waiting for events of a partner: one look at the database serves everybody in the process who waits. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type App, perApp } from '../../core/app.ts'
import type { PartnerCaller } from '../../core/caller.ts'
import { lastEvent } from '../../core/events/order.ts'
import { type FeedQuery, isAnyEventAfter } from './feed.ts'

const lookMilliseconds = 250
/** How often the key of whoever waits is asked for again. */
const renewMilliseconds = 2_000

export interface Waiting {
  readonly seconds: number
  /** The caller as they are now; fails once the key is refused. */
  readonly renew: () => Promise<PartnerCaller>
  readonly isOver: () => boolean
}

/** Ends when there is something to read, or the time has passed. */
export async function waitForEvents(caller: PartnerCaller, query: FeedQuery, { seconds, renew, isOver }: Waiting): Promise<void> {
  const ends = performance.now() + seconds * 1000
  const news = await watchOf(caller.app).begin(caller.partnerId)
  try {
    for (let current = caller; !isOver(); current = await renew()) {
      news.forget()
      if (await isAnyEventAfter(current, query)) return
      const renews = Math.min(ends, performance.now() + renewMilliseconds)
      while (!news.came() && performance.now() < renews && !isOver()) await sleep(Math.min(lookMilliseconds, renews - performance.now()))
      if (performance.now() >= ends) return
    }
  } finally {
    news.end()
  }
}

interface News {
  /** Whether the partner has new events, since it was forgotten. */
  came(): boolean
  forget(): void
  end(): void
}

interface Watch {
  begin(partnerId: number): Promise<News>
}

interface Watched {
  readonly partnerId: number
  hasNews: boolean
}

const watchOf = perApp((app): Watch => {
  const waiting = new Set<Watched>()
  let place = 0
  let looking: Promise<void> | null = null
  const look = async () => {
    while (waiting.size > 0) {
      await sleep(lookMilliseconds, undefined, { ref: false })
      // While the database cannot be reached, whoever waits asks it for the key, and is told.
      const found = await newsAfter(app, place).catch(() => null)
      if (found === null) continue
      place = found.place
      for (const one of waiting) one.hasNews ||= found.partners.has(one.partnerId)
    }
    looking = null
  }
  return {
    async begin(partnerId) {
      const one = { partnerId, hasNews: false }
      if (looking === null) place = (await lastEvent(app.store.db))?.place ?? 0
      waiting.add(one)
      looking ??= look()
      return {
        came: () => one.hasNews,
        forget() {
          one.hasNews = false
        },
        end: () => void waiting.delete(one),
      }
    },
  }
})

async function newsAfter({ store }: App, place: number): Promise<{ place: number; partners: ReadonlySet<number> }> {
  const last = (await lastEvent(store.db))?.place ?? 0
  if (last === place) return { place, partners: new Set() }
  const rows = await store.db
    .selectFrom('events')
    .select('partner_id')
    .distinct()
    .where('place', '>', place)
    .where('place', '<=', last)
    .execute()
  return { place: last, partners: new Set(rows.map(({ partner_id }) => partner_id)) }
}
