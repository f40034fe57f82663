/** Whether and why a user sees something, over HTTP. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { matchesGolden } from '../support/golden.ts'
import { refusedInBoth } from '../support/refusals.ts'
import { type Reply, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine("a user's access", (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let user: number
  let business: number
  let site: number

  before(async () => {
    acme = await house.partner('Acme')
    user = (await acme.client.createUser(newPerson(acme.accountId))).id
    business = (await acme.client.createBusiness({ name: 'Shop' })).id
    site = (await acme.client.createSite({ business_id: business, domain: 'shop.example' })).id
  })

  test('is explained in XML and JSON, and changes with the abilities', async () => {
    const address = (format: string) => `/api/users/${user}/access.${format}?scope_type=Site&scope_id=${site}`
    const fixed = ({ text }: Reply) => text.replaceAll(/(id(?: type="integer")?[">:]+|user |site |business |account )\d+/gi, '$1{id}')
    for (const format of ['xml', 'json']) matchesGolden(`no-access.${format}`, fixed(await acme.get(address(format))))
    await acme.client.updateUserAbilities(user, [{ key: 'show', scope_type: 'Business', scope_id: business }])
    for (const format of ['xml', 'json']) matchesGolden(`access.${format}`, fixed(await acme.get(address(format))))
    await acme.client.deactivateBusiness(business)
    const { allowed, obstacles } = await acme.client.explainUserAccess(user, { scope_type: 'Site', scope_id: site })
    assert.deepEqual([allowed, obstacles.map(({ code }) => code)], [false, ['business_deactivated']])
    const onBusiness = await acme.client.explainUserAccess(user, { scope_type: 'Business', scope_id: business })
    assert.deepEqual([onBusiness.allowed, onBusiness.obstacles], [allowed, obstacles])
  })

  test('needs both parameters, and knows no more of a foreign scope than of an absent one', async () => {
    const at = `/api/users/${user}/access`
    const missing = await refusedInBoth(acme, 'GET', at, 400, ['bad_request'])
    assert.match(missing.text, /The parameter scope_type is needed: one of Account, Business, Site/)
    await refusedInBoth(acme, 'GET', `${at}?scope_type=Site`, 400, ['bad_request'])
    await refusedInBoth(acme, 'GET', `${at}?scope_type=site&scope_id=1`, 400, ['bad_request'])
    await refusedInBoth(acme, 'GET', `${at}?scope_type=Site&scope_id=0`, 400, ['bad_request'])
    const globex = await house.partner('Globex')
    await refusedInBoth(globex, 'GET', `${at}?scope_type=Site&scope_id=${site}`, 404, ['not_found'])
    const foreign = await refusedInBoth(acme, 'GET', `${at}?scope_type=Account&scope_id=${globex.accountId}`, 404, ['not_found'])
    assert.match(foreign.text, /Account not found/)
  })
})
