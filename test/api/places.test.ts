/** Locations and pages with reviews over the API: a partner adds them before anything is measured, and the reports list them at once. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { InvalidRequestError, type Marquee, NotFoundError } from '../../src/client/client.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { onEachEngine } from '../support/engines.ts'
import { codes } from '../support/refusals.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('locations and pages', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let client: Marquee
  let businessId: number
  let count = 0

  before(async () => {
    acme = await house.partner('Acme')
    client = acme.client
    businessId = (await client.createBusiness({ name: 'Harbor' })).id
  })

  const newSite = async () => (await client.createSite({ business_id: businessId, domain: `site-${++count}.example` })).id
  const detail = async () => (await acme.get(`/api/accounts/${acme.accountId}/reputation_report/detail.json`)).text
  const tag = async () => (await acme.get(`/api/accounts/${acme.accountId}/reputation_report/counts.json`)).headers.etag
  const audits = async (action: string) =>
    (await house.app.store.db.selectFrom('audit_entries').select('id').where('action', '=', action).execute()).length

  test('acme adds locations to two sites at once, finds them, and the report lists the sites', async () => {
    const [one, two] = [await newSite(), await newSite()]
    const wanted = [{ site_id: two, twitter_page: ' https://twitter.example/two ' }, { site_id: one }, { site_id: two, twitter_page: 'x' }]
    const [second, first, ...more] = await client.addLocations(wanted)
    assert.deepEqual(more, [])
    assert.deepEqual([first?.site_id, first?.twitter_page, first?.account_id], [one, null, acme.accountId])
    assert.deepEqual([second?.site_id, second?.twitter_page], [two, 'https://twitter.example/two'])
    assert.deepEqual(await client.listLocations({ site_id: one }).toArray(), [first])
    assert.deepEqual(
      await client.listLocations({ account_id: acme.accountId }).toArray(),
      [first, second].toSorted((a, b) => (a?.id ?? 0) - (b?.id ?? 0)),
    )
    assert.deepEqual(await client.showLocation(second?.id ?? 0), second)
    assert.match(await detail(), new RegExp(`"location":\\{"id":${second?.id},`))
    const [known, made] = [await tag(), await audits('location.create')]
    assert.deepEqual(await client.addLocations([{ site_id: two, twitter_page: 'other' }]), [second])
    assert.deepEqual([await tag(), await audits('location.create')], [known, made])
  })

  test('a site that acme does not have leaves nothing added', async () => {
    const site = await newSite()
    const reply = await acme.post('/api/locations.json', { locations: [{ site_id: site }, { site_id: 999_999_999 }] })
    assert.deepEqual(codes(reply, 422), ['locations does_not_exist'])
    assert.match(reply.text, /\/locations\/1\/site_id/)
    assert.deepEqual(await client.listLocations({ site_id: site }).toArray(), [])
  })

  test('acme changes a location, a repetition is nothing, and an empty text takes a page away', async () => {
    const [location] = await client.addLocations([{ site_id: await newSite(), facebook_page: 'https://facebook.example/a' }])
    const id = location?.id ?? 0
    const old = await tag()
    const changed = await client.changeLocation(id, { twitter_page: 'https://twitter.example/a' })
    assert.deepEqual(changed, { ...location, twitter_page: 'https://twitter.example/a' })
    const [known, made] = [await tag(), await audits('location.change')]
    assert.notEqual(known, old)
    assert.deepEqual(await client.changeLocation(id, { twitter_page: 'https://twitter.example/a' }), changed)
    assert.deepEqual([await tag(), await audits('location.change')], [known, made])
    assert.equal((await client.changeLocation(id, { facebook_page: '' })).facebook_page, null)
    const xml = await acme.put(`/api/locations/${id}.xml`, '<location><twitter-page>two</twitter-page></location>')
    assert.match(xml.text, /<twitter-page>two<\/twitter-page>/)
  })

  test('a location goes only when no pages hang on it, a page of a competitor included', async () => {
    const site = await newSite()
    const [rival] = await client.addCompetitors(site, [{ domain: 'rival.example' }])
    const [page] = await client.addReviewPages(site, [
      { competitor_id: rival?.id ?? 0, source: 'google', page_url: 'https://maps.example/r' },
    ])
    const [location] = await client.listLocations({ site_id: site }).toArray()
    const id = location?.id ?? 0
    const refusal = await acme.ask('DELETE', `/api/locations/${id}.json`)
    assert.equal(refusal.status, 409)
    assert.match(refusal.text, /https:\/\/maps\.example\/r/)
    await client.deleteReviewPage(site, page?.id ?? 0)
    const tried = await acme.ask('DELETE', `/api/locations/${id}.json?dry_run=1`)
    assert.equal(tried.headers['dry-run'], 'true')
    assert.deepEqual(await client.deleteLocation(id), location)
    await assert.rejects(client.showLocation(id), NotFoundError)
    await assert.rejects(client.deleteLocation(id), NotFoundError)
    assert.doesNotMatch(await detail(), new RegExp(`"location":\\{"id":${id},`))
  })

  test('acme adds pages of its own and of a competitor; those that an import knows are the same pages', async () => {
    const site = await newSite()
    const domain = `site-${count}.example`
    const [rival] = await client.addCompetitors(site, [{ domain: 'rival.example' }])
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['ingest'] })
    const push = { type: 'page', site: domain, source: 'google', page_url: 'https://maps.example/own', match_confidence: 70 }
    await house.stranger.post('/api/observations.json', [push], { credentials: `${key}:${password}` })
    const own = { source: 'google', page_url: 'https://maps.example/own' }
    const theirs = { ...own, competitor_id: rival?.id ?? 0 }
    const fresh = { source: 'bing', page_url: 'https://bing.example/own' }
    const [one, two, three, ...more] = await client.addReviewPages(site, [theirs, own, fresh, own])
    assert.deepEqual(more, [])
    assert.deepEqual([one?.competitor_id, one?.match_confidence], [rival?.id, 100])
    assert.deepEqual([two?.competitor_id, two?.match_confidence], [null, 70])
    assert.deepEqual([three?.source, three?.site_id], ['bing', site])
    assert.equal((await client.listReviewPages(site).toArray()).length, 3)
    assert.deepEqual(await client.showReviewPage(site, three?.id ?? 0), three)
    assert.match(await detail(), /https:\/\/bing\.example\/own/)
    const [known, made] = [await tag(), await audits('page.create')]
    assert.deepEqual(await client.addReviewPages(site, [fresh]), [three])
    assert.deepEqual([await tag(), await audits('page.create')], [known, made])
    await house.stranger.post('/api/observations.json', [{ type: 'page', site: domain, ...fresh }], { credentials: `${key}:${password}` })
    assert.equal((await client.listReviewPages(site).toArray()).length, 3)
  })

  test('pages at fault are told apart by their place, and nothing of the request stays', async () => {
    const [site, other] = [await newSite(), await newSite()]
    const [rival] = await client.addCompetitors(other, [{ domain: 'rival.example' }])
    const good = { source: 'google', page_url: 'https://maps.example/good' }
    const wrong = await acme.post(`/api/sites/${site}/pages.json`, { pages: [good, { source: ' ', page_url: 'maps' }] })
    assert.deepEqual(codes(wrong, 422), ['pages blank', 'pages invalid'])
    const elsewhere = await acme.post(`/api/sites/${site}/pages.json`, { pages: [good, { ...good, competitor_id: rival?.id }] })
    assert.deepEqual(codes(elsewhere, 422), ['pages does_not_exist'])
    assert.match(elsewhere.text, /\/pages\/1\/competitor_id/)
    const xml = '<pages type="array"><page><source>google</source><page-url>https://maps.example/x</page-url></page></pages>'
    assert.equal((await acme.post(`/api/sites/${site}/pages.xml?dry_run=1`, xml)).status, 200)
    assert.deepEqual(await client.listReviewPages(site).toArray(), [])
    assert.deepEqual(await client.listLocations({ site_id: site }).toArray(), [])
    assert.match((await acme.post(`/api/sites/${site}/pages.xml`, xml)).text, /<competitor-id type="integer" nil="true">/)
  })

  test('a key that is limited to another account finds no location', async () => {
    const [location] = await client.addLocations([{ site_id: await newSite() }])
    const account = await client.createAccount({ name: 'Elsewhere' })
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['provision'], account_ids: String(account.id) })
    const limited = house.client({ key, password })
    assert.deepEqual(await limited.listLocations().toArray(), [])
    await assert.rejects(limited.deleteLocation(location?.id ?? 0), NotFoundError)
    await assert.rejects(limited.addLocations([{ site_id: location?.site_id ?? 0 }]), InvalidRequestError)
  })
})
