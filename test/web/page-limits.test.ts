/** Pages pass the same limits as the API: one person holds few places, and another partner's people do not notice. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { openLimits } from '../../src/http/concurrency-limits.ts'
import { createServer } from '../../src/http/server.ts'
import { openLog } from '../../src/lib/log.ts'
import { workBudget } from '../../src/lib/work/budget.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { cookieNames } from '../../src/web/cookies.ts'
import { pagesDoor } from '../../src/web/dispatch.ts'
import { type Answer, type Client, clientOf } from '../hard/support/client.ts'
import { onPageEngine } from '../support/engines.ts'
import { makePeople, type PeopleWorld, password } from '../support/people.ts'
import { serviceOn } from '../support/service.ts'

onPageEngine('pages side by side', (place) => {
  const service = serviceOn(place)
  const limits = openLimits()
  const cookies = new Map<string, string>()
  let world: PeopleWorld
  let server: Server
  let client: Client

  before(async () => {
    world = await makePeople(service.operator)
    const visitor = { app: service.app, requestId: 'test', network: '127.0.0.1', hostPartnerId: null }
    for (const name of ['dana-owner', 'gina-globex']) {
      cookies.set(name, `${cookieNames.session}=${(await logIn(visitor, { name, password, isRemembered: true })).token}`)
    }
    const refuse = (error: unknown) => assert.fail(String(error))
    server = createServer({
      log: openLog('silent'),
      doors: [pagesDoor(service.app, limits)],
      refuse,
      observe: () => {},
      trustedProxies: [],
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, undefined, 200)
    // The first page and the first file wait for their thread.
    await Promise.all([look('gina-globex'), look('gina-globex', '/sites.csv')])
  })
  after(() => {
    client.close()
    server.close()
    server.closeAllConnections()
  })

  const look = (name: string, path = '/'): Promise<Answer | null> =>
    client.ask(path, { headers: { cookie: cookies.get(name) ?? '', accept: 'text/html' } })
  /** As if pages of hers were being made: takes all the places that she may have. */
  const occupy = async (kind: 'page' | 'page_csv') => {
    const dana = { party: String(world.partnerId), person: String(world.users['dana-owner']) }
    return Promise.all(Array.from({ length: workBudget[kind].personShare }, async () => limits.enter(kind, dana)))
  }

  for (const [kind, path] of [
    ['page', '/password'],
    ['page_csv', '/sites.csv'],
  ] as const) {
    test(`dana, who has all her places (${kind}), waits for the next; gina does not; and a crowd of hers is refused`, async () => {
      const leaving = await occupy(kind)
      let answered = 0
      const waiting = Array.from({ length: workBudget[kind].queue / 2 }, () => look('dana-owner', path).finally(() => answered++))
      while (limits.counts[kind].waiting + answered < waiting.length) await new Promise((resolve) => setTimeout(resolve, 5))
      assert.equal(answered, 0, 'nobody is let in')
      const refused = await look('dana-owner', path)
      assert.equal(refused?.status, 429)
      assert.match(String(refused?.headers['retry-after']), /^\d+$/)
      assert.match(String(refused?.body), /Too many requests of yours are waiting already\. Please try again in a moment\./)
      assert.equal((await look('gina-globex', path))?.status, 200)
      for (const leave of leaving) leave()
      assert.deepEqual([...new Set((await Promise.all(waiting)).map((answer) => answer?.status))], [200])
      assert.deepEqual([limits.counts[kind].inside, limits.counts[kind].waiting], [0, 0])
    })
  }
})
