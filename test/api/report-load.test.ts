/** Large reports in a service of its own process: how much memory they take, and how long they hold its event loop. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addAccount } from '../../bench/world.ts'
import { readSettings } from '../../src/config.ts'
import { openGround } from '../../src/model/ground.ts'
import { createPartner } from '../../src/model/partners.ts'
import { open, type Reader, readWhole } from '../support/downloads.ts'
import { onEachEngine } from '../support/engines.ts'
import { startWatchedService, type WatchedService } from '../support/watched-service.ts'

const size = { sites: 6, competitors: 2, keywords: 40, days: 45, backlinks: 1_000 }
const path = '/api/seo_report.xml'
const megabyte = 1024 * 1024

onEachEngine('the service while it sends reports of about 35 MB', (place) => {
  let service = {} as WatchedService
  const readers: Reader[] = []
  let idle = 0

  before(async () => {
    const ground = await openGround(readSettings(place.env), { schema: 'bring up' })
    const operator = { kind: 'operator', ground, requestId: 'test' } as const
    const keys: string[] = []
    for (const name of ['acme', 'globex']) {
      const { partner, key } = await createPartner(operator, name)
      await addAccount(operator, partner.id, name, size)
      keys.push(key)
    }
    await ground.close()
    service = await startWatchedService(place.env)
    readers.push(...keys.map((key) => ({ url: service.url, credentials: `${key}:` })))
    await (await open(readers[0] as Reader, '/health/ready')).toArray()
    idle = service.memory()
  })
  after(() => service.stop?.())

  test('one at full speed takes less than 100 MB', async () => {
    const most = await watched(service, async () => {
      for (let times = 0; times < 3; times++) await readWhole(await open(readers[0] as Reader, path))
    })
    assert.ok(most - idle < 100 * megabyte, `${inMegabytes(idle)} MB idle, ${inMegabytes(most)} MB at most`)
  })

  test('five slow readers at once take less than 200 MB in all', async () => {
    const most = await watched(service, () =>
      Promise.all(Array.from({ length: 5 }, async () => readWhole(await open(readers[0] as Reader, path), 1))),
    )
    assert.ok(most - idle < 200 * megabyte, `${inMegabytes(idle)} MB idle, ${inMegabytes(most)} MB at most`)
  })

  test('four at once never hold the event loop for 20 ms', async () => {
    await service.longestTurn()
    await Promise.all([...readers, ...readers].map(async (reader) => readWhole(await open(reader, `${path}?end_date=2026-12-31`))))
    const longest = await service.longestTurn()
    assert.ok(longest < 20, `held for ${longest} ms`)
  })
})

async function watched(service: WatchedService, work: () => Promise<unknown>): Promise<number> {
  let most = 0
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    most = Math.max(most, service.memory())
    await sleep(20)
  }
  await working
  return most
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / megabyte)
}
