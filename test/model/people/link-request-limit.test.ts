/** Login links that are asked for are counted once for all processes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readSettings } from '../../../src/config.ts'
import { type App, openApp } from '../../../src/model/core/app.ts'
import { admitLinkRequest, mostLinkRequests } from '../../../src/model/people/link-request-limit.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('two processes that are asked for links', (place) => {
  let apps: App[] = []
  before(async () => {
    const clock = { now: () => '2026-11-16T10:00:00Z' }
    apps = [await openApp(readSettings(place.env), { clock }), await openApp(readSettings(place.env), { clock })]
  })
  after(() => Promise.all(apps.map((app) => app.close())))

  const ask = async (times: number, network: string, name: (index: number) => string) => {
    let admitted = 0
    for (let index = 0; index < times; index += 1) {
      const app = apps[index % 2] as App
      if (await admitLinkRequest({ app, requestId: 'test', network, hostPartnerId: null }, name(index))) admitted += 1
    }
    return admitted
  }

  test('admit so many for one name, however it is spelled', async () => {
    assert.equal(await ask(14, '192.0.2.1', (index) => (index % 2 === 0 ? 'Dana' : ' dana ')), mostLinkRequests.name)
  })

  test('admit so many from one network, whoever is meant', async () => {
    assert.equal(await ask(36, '192.0.2.2', (index) => `someone-${index}`), mostLinkRequests.network)
    assert.equal(await ask(1, '192.0.2.3', () => 'somebody else'), 1)
  })
})
