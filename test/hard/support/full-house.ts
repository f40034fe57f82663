/** A second way into a service, where all places for pages are taken: a partner whose people wait already is refused with 429, strangers with 503. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { openLimits } from '../../../src/http/concurrency-limits.ts'
import { createServer } from '../../../src/http/server.ts'
import { openLog } from '../../../src/lib/log.ts'
import { workBudget } from '../../../src/lib/work/budget.ts'
import type { App } from '../../../src/model/core/app.ts'
import { pagesDoor } from '../../../src/web/dispatch.ts'

export async function openFullHouse(app: App, partnerId: number) {
  const limits = openLimits()
  const { places, queue, share } = workBudget.page
  const enter = (party: string, count: number) =>
    Array.from({ length: count }, async (_, person) => limits.enter('page', { party, person: `${party} ${person}` }))
  for (let crowd = 0; crowd < places / share; crowd++) await Promise.all(enter(`crowd ${crowd}`, share))
  const server = createServer({
    log: openLog('silent'),
    doors: [pagesDoor(app, limits)],
    refuse: () => {},
    observe: () => {},
    trustedProxies: [],
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Whoever waits gives up after a few seconds, so this comes before each look. */
    fillQueue() {
      const waiting = [...enter(String(partnerId), queue / 2), ...enter('others', queue / 2)]
      for (const one of waiting) one.catch(() => {})
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
