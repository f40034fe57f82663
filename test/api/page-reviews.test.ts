/** Reviews over the API: a partner lists those of a page, finds each by its id in the report, and an erased reviewer is nowhere in them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Marquee, NotFoundError } from '../../src/client/client.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { eraseReviewer } from '../../src/model/people/personal-data.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('reviews of a page', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let client: Marquee
  let siteId: number
  let credentials: string

  before(async () => {
    acme = await house.partner('Acme')
    client = acme.client
    const business = await client.createBusiness({ name: 'Harbor' })
    siteId = (await client.createSite({ business_id: business.id, domain: 'harbor.example' })).id
    const { key, password } = await issueKey(house.operator, acme.id, { scopes: ['ingest'] })
    credentials = `${key}:${password}`
  })

  const newPage = async (name: string) => {
    const [page] = await client.addReviewPages(siteId, [{ source: 'google', page_url: `https://maps.example/${name}` }])
    return page?.id ?? 0
  }
  const push = async (name: string, reviews: readonly object[]) => {
    const common = { type: 'review', site: 'harbor.example', source: 'google', page_url: `https://maps.example/${name}`, rating: 4 }
    const records = reviews.map((review) => ({ ...common, date: '2026-11-14', ...review }))
    const reply = await house.stranger.post('/api/observations.json', records, { credentials })
    assert.equal(reply.status, 200, reply.text)
  }

  test('are listed by date, narrowed by days, and shown as the report shows them', async () => {
    const page = await newPage('dated')
    await push('dated', [
      { ref: 'late', date: '2026-11-03', user: 'Late' },
      { ref: 'early', date: '2026-11-01', user: 'Early' },
    ])
    const [early, late, ...more] = await client.listReviews(siteId, page).toArray()
    assert.deepEqual([early?.user, late?.user, more.length], ['Early', 'Late', 0])
    assert.deepEqual(await client.listReviews(siteId, page, { start_date: '2026-11-02' }).toArray(), [late])
    assert.deepEqual(await client.listReviews(siteId, page, { end_date: '2026-11-02' }).toArray(), [early])
    assert.deepEqual(await client.showReview(siteId, page, late?.id ?? 0), late)
    const report = await acme.get(`/api/accounts/${acme.accountId}/reputation_report/detail.json`)
    const { language: _, answer: __, ...reported } = late ?? assert.fail()
    assert.ok(report.text.includes(JSON.stringify(reported)), report.text)
    const xml = await acme.get(`/api/sites/${siteId}/pages/${page}/reviews/${late?.id}.xml`)
    assert.match(xml.text, /<review>[\s\S]*<user>Late<\/user>/)
  })

  test('come in pages of a hundred, none twice and none left out', async () => {
    const page = await newPage('many')
    await push(
      'many',
      Array.from({ length: 205 }, (_, n) => ({ ref: `r-${n}`, date: `2026-10-0${1 + (n % 7)}` })),
    )
    const first = await acme.get(`/api/sites/${siteId}/pages/${page}/reviews.json?start_date=2026-10-01`)
    assert.equal((first.json() as { reviews: object[] }).reviews.length, 100)
    assert.match(String(first.headers.link), /start_date=2026-10-01/)
    const all = await client.listReviews(siteId, page).toArray()
    assert.equal(new Set(all.map(({ id }) => id)).size, 205)
    const places = all.map(({ date, id }) => `${date} ${String(id).padStart(9, '0')}`)
    assert.deepEqual(places, places.toSorted())
    for (const cursor of ['nonsense', Buffer.from('after:7').toString('base64url')]) {
      assert.equal((await acme.get(`/api/sites/${siteId}/pages/${page}/reviews.json?after=${cursor}`)).status, 400)
    }
  })

  test('with long texts come fewer at a time', async () => {
    const page = await newPage('long')
    const texts = Array.from({ length: 25 }, (_, n) => ({ ref: `l-${n}`, detail: String.fromCharCode(97 + n).repeat(100_000) }))
    for (const text of texts) await push('long', [text])
    const first = await acme.get(`/api/sites/${siteId}/pages/${page}/reviews.json`)
    assert.equal((first.json() as { reviews: object[] }).reviews.length, 10)
    assert.ok(first.text.length < 1_100_000, String(first.text.length))
    assert.equal((await client.listReviews(siteId, page).toArray()).length, 25)
  })

  test('are not found below another page, and keep no word of a reviewer who was erased', async () => {
    const [page, other] = [await newPage('one'), await newPage('other')]
    await push('one', [{ ref: 'p', user: 'Pat Canary', detail: 'canary words', header: 'canary', answer: 'canary' }])
    const [review] = await client.listReviews(siteId, page).toArray()
    const id = review?.id ?? 0
    await assert.rejects(client.showReview(siteId, other, id), NotFoundError)
    await eraseReviewer(house.operator, 'Pat Canary')
    const listed = await acme.get(`/api/sites/${siteId}/pages/${page}/reviews.json`)
    assert.doesNotMatch(listed.text, /canary/i)
    assert.deepEqual(await client.showReview(siteId, page, id), { ...review, user: '', detail: '', header: '', url: '', answer: null })
  })
})
