/** The suppression list over the API: of the whole partner, for keys that reach all of it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Marquee, NotFoundError, PermissionError } from '../../src/client/client.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'
import { suppress } from '../support/suppressed.ts'

onEachEngine('suppressed addresses over the API', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
  })

  test('are listed without the address, found by it, and taken off by their own partner alone', async () => {
    const id = await suppress(house.operator, acme.id, 'dana@harbor.example')
    const other = await suppress(house.operator, acme.id, 'kim@harbor.example')
    const found = await Array.fromAsync(acme.client.listSuppressions({ email: 'DANA@harbor.example' }))
    assert.deepEqual(
      found.map(({ id, address }) => [id, address]),
      [[id, 'd…@harbor.example']],
    )
    await assert.rejects(globex.client.endSuppression(id), NotFoundError)
    assert.equal((await acme.client.endSuppression(id)).reason, 'unsubscribed')
    await assert.rejects(acme.client.showSuppression(id), NotFoundError)
    assert.deepEqual(
      (await Array.fromAsync(acme.client.listSuppressions())).map((one) => one.id),
      [other],
    )
  })

  test('are not for keys that are limited to accounts', async () => {
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['provision'], account_ids: String(acme.accountId) })
    const limited = new Marquee({ url: house.url, key, password })
    await assert.rejects(limited.listSuppressions().first(), PermissionError)
  })
})
