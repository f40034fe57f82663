/** Annotations over the API: a partner pins sentences to days of its sites, and the page of the site shows them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { InvalidRequestError, type Marquee, NotFoundError } from '../../src/client/client.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('annotations', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let client: Marquee
  let siteId: number

  before(async () => {
    acme = await house.partner('Acme')
    client = acme.client
    const business = await client.createBusiness({ name: 'Harbor' })
    siteId = (await client.createSite({ business_id: business.id, domain: 'harbor.example' })).id
  })

  test('acme pins two, finds them by day, and takes one off again', async () => {
    const first = await client.addAnnotation({ site_id: siteId, day: '2026-10-01', text: '  New   home page ' })
    assert.equal(first.text, 'New home page')
    const second = await client.addAnnotation({ site_id: siteId, day: '2026-11-01', text: 'Campaign' })
    assert.deepEqual(await client.listAnnotations({ site_id: siteId }).toArray(), [first, second])
    assert.deepEqual(await client.listAnnotations({ start_date: '2026-10-02' }).toArray(), [second])
    assert.deepEqual(await client.listAnnotations({ end_date: '2026-10-31' }).toArray(), [first])
    assert.deepEqual(await client.showAnnotation(first.id), first)
    assert.deepEqual(await client.deleteAnnotation(first.id), first)
    await assert.rejects(client.showAnnotation(first.id), NotFoundError)
    await assert.rejects(client.deleteAnnotation(first.id), NotFoundError)
  })

  test('acme is told what is wrong with one', async () => {
    const wrong = client.addAnnotation({ site_id: 999_999, day: '2026-02-30', text: 'x'.repeat(201) })
    await assert.rejects(wrong, (error: unknown) => {
      assert.ok(error instanceof InvalidRequestError)
      assert.deepEqual([error.codeOf('site_id'), error.codeOf('day'), error.codeOf('text')], ['does_not_exist', 'invalid', 'too_long'])
      return true
    })
  })

  test('acme pins one in XML, with an address that answers', async () => {
    const { status, headers, text } = await acme.post(
      '/api/annotations.xml',
      `<annotation><site-id type="integer">${siteId}</site-id><day>2026-11-02</day><text>Moved</text></annotation>`,
    )
    assert.equal(status, 201)
    assert.match(text, /<day type="date">2026-11-02<\/day>/)
    const { pathname } = new URL(String(headers.location))
    assert.match(pathname, /^\/api\/annotations\/\d+\.xml$/)
    assert.equal((await acme.get(pathname)).text, text)
  })
})
