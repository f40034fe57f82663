/** All reviews of a site for a file: the same as on the page, newest first over all its pages, however long they are. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { ReaderCaller } from '../../../src/model/core/caller.ts'
import type { PageOwner } from '../../../src/model/dashboard/reputation/review-counts.ts'
import { eachReview, listReviews, type ReviewFilter, type ShownReview } from '../../../src/model/dashboard/reputation/review-list.ts'
import type { ShownSite } from '../../../src/model/people/visible-sites.ts'
import { onEachEngine } from '../../support/engines.ts'
import { observe } from '../../support/report-world.ts'
import { serviceOn } from '../../support/service.ts'

const everything: ReviewFilter = { from: '2026-01-01', to: '2026-12-31', stars: null, source: null, words: '' }
const sent = Array.from({ length: 1_300 }, (_, index) => ({
  type: 'review',
  site: 'plumbing.example',
  page_source: 'google',
  page_url: `https://maps.example/place/${index % 10 === 0 ? 2 : 1}`,
  source: 'google',
  ref: `r-${index}`,
  date: `2026-0${1 + (index % 3)}-0${1 + (index % 7)}`,
  rating: 1 + (index % 5),
  header: '',
  detail: `${index} ${index % 50 === 0 ? 'ü'.repeat(60_000) : index % 4 === 0 ? 'Zürich' : ''}`,
  user: '',
}))

onEachEngine('all reviews of a site', (place) => {
  const service = serviceOn(place)
  const at = {} as { person: ReaderCaller; site: ShownSite; pages: PageOwner[] }
  before(async () => {
    const acme = await service.partner('Acme')
    await observe(service, acme, sent)
    const { db } = service.app.store
    at.pages = (await db.selectFrom('pages').selectAll().execute()) as never
    at.person = { app: service.app } as ReaderCaller
    at.site = { account_id: acme.accountId } as ShownSite
  })

  const asOnThePage = async (filter: ReviewFilter) =>
    (await listReviews(at.person, at.site, at.pages, filter, { skip: 0, most: 10_000 })).reviews

  test('come newest first, whatever page they are of', async () => {
    const reviews = await asOnThePage(everything)
    const inOrder = reviews.toSorted((a, b) => (a.date === b.date ? b.id - a.id : a.date < b.date ? 1 : -1))
    assert.deepEqual(idsOf(reviews), idsOf(inOrder))
    assert.equal(reviews.length, sent.length)
    const some = await listReviews(at.person, at.site, at.pages, everything, { skip: 20, most: 5 })
    assert.deepEqual([some.total, idsOf(some.reviews)], [sent.length, idsOf(inOrder.slice(20, 25))])
  })

  test('are those of the page, in its order', async () => {
    for (const filter of [everything, { ...everything, stars: 2 }, { ...everything, words: 'ZÜRICH' }, { ...everything, to: '2026-01-31' }])
      assert.deepEqual(
        idsOf((await Array.fromAsync(eachReview(at.person, at.site, at.pages, filter))).flat()),
        idsOf(await asOnThePage(filter)),
      )
  })

  test('come a bounded number of characters at a time, and whole', async () => {
    const batches = await Array.fromAsync(eachReview(at.person, at.site, at.pages, everything))
    const texts = new Set(sent.map(({ detail }) => detail))
    assert.ok(batches.flat().every(({ detail }) => texts.has(detail)))
    assert.equal(batches.flat().length, sent.length)
    for (const batch of batches) assert.ok(batch.reduce((sum, { detail }) => sum + detail.length, 0) < 300_000)
  })
})

function idsOf(reviews: readonly ShownReview[]): number[] {
  return reviews.map(({ id }) => id)
}
