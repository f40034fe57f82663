/** Date-times of users and businesses are written in the zone of the service, with its offset. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPerson, xmlOf } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn } from '../support/service.ts'
import { xmlTexts } from '../support/xml.ts'

onEachEngine('a service in Los Angeles', (place) => {
  const house = serviceOn(place, { TIME_ZONE: 'America/Los_Angeles' })

  test('writes its own time, and the moment is the same', async () => {
    const acme = await house.partner('Acme')
    const before = Date.now()
    const user = await acme.post('/api/users.xml', xmlOf('user', newPerson(acme.accountId)))
    const business = await acme.post('/businesses.xml', xmlOf('business', { name: 'Bob' }))
    for (const written of [...xmlTexts(user.text, '/user/created-at'), ...xmlTexts(business.text, '/business/updated-at')]) {
      assert.match(written, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[78]:00$/)
      assert.ok(Math.abs(Date.parse(written) - before) < 10_000)
    }
    const { text } = await acme.get('/api/businesses.json')
    assert.match(text, /"created_at":"[^"]+-0[78]:00"/)
  })
})
