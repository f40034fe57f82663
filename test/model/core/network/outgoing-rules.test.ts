/** What this installation says of the addresses that strangers give. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../../../src/config.ts'
import { fetchGuarded } from '../../../../src/lib/network/guarded-fetch.ts'
import { openApp } from '../../../../src/model/core/app.ts'
import { outgoingRules } from '../../../../src/model/core/network/outgoing-rules.ts'
import { worldAt } from '../../../support/data.ts'
import { onEachEngine } from '../../../support/engines.ts'

onEachEngine('an address that leads to the service itself', (place) => {
  const world = worldAt(place)

  test('is refused by name and by port, also in an allowed network', async () => {
    const settings = { ...place.env, BASE_URL: 'https://marquee.example', PORT: '8080', MARQUEE_ALLOWED_NETWORKS: '127.0.0.0/8' }
    const app = await openApp(readSettings(settings))
    const brand = { partner_id: world.partnerId, host_name: 'reports.acme.example', updated_at: app.clock.now() }
    await app.store.write((tx) => tx.insertInto('brands').values(brand).execute())
    const limits = { schemes: ['http:'], redirects: 0, milliseconds: 20_000, maxBytes: 10, whenLonger: 'cut' } as const
    for (const host of ['marquee.example', 'reports.acme.example', '127.0.0.1:8080', '127.0.0.2:9464'])
      await assert.rejects(fetchGuarded(outgoingRules(app), { url: `http://${host}/`, ...limits }), {
        code: 'closed_address',
        message: 'The address leads to this service.',
      })
    await app.close()
  })
})
