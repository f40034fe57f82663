/** Reviews are read by their bytes: however long they are, no more than a piece is held at a time, and each comes whole. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { daysOf } from '../../../src/model/reports/question.ts'
import { readReviews } from '../../../src/model/reports/read-dated-rows.ts'
import { snapshotReader } from '../../../src/model/reports/snapshot-reader.ts'
import type { Review } from '../../../src/resources/reputation.ts'
import { onEachEngine } from '../../support/engines.ts'
import { observe } from '../../support/report-world.ts'
import { serviceOn, type TestPartner } from '../../support/service.ts'

const maxPieceCharacters = 300_000
const days = daysOf({ startDate: null, endDate: null })

/** By date and then as they were sent, more on one day than are read at once; some are as long as a review may be. */
const sent = Array.from({ length: 2_300 }, (_, index) => ({
  type: 'review',
  site: 'plumbing.example',
  page_source: 'google',
  source: 'google',
  page_url: 'https://maps.example/place/1',
  ref: `r-${index}`,
  date: index < 2_100 ? '2026-03-01' : '2026-03-02',
  rating: 5,
  header: index % 5 === 0 ? 'h'.repeat(10_000) : 'Quick',
  detail: `${index} ${index % 7 === 0 && (index < 500 || index > 2_200) ? 'ü'.repeat(99_000) : 'They came.'}`,
  user: '',
}))

onEachEngine('reviews of a page', (place) => {
  const service = serviceOn(place)
  const at = {} as { acme: TestPartner; pageId: number }
  before(async () => {
    at.acme = await service.partner('Acme')
    const page = { type: 'page', site: 'plumbing.example', source: 'google', page_url: 'https://maps.example/place/1' }
    await observe(service, at.acme, [page, ...sent])
    const { id } = await service.app.store.db.selectFrom('pages').select('id').executeTakeFirstOrThrow()
    at.pageId = id
  })

  test('come in order and whole, in pieces of a bounded length', async () => {
    const { store } = service.app
    await store.snapshot(async (db) => {
      const reviews = readReviews(snapshotReader(db, store.engine), days, at.acme.accountId)
      reviews.expect([at.pageId])
      let [index, longest] = [0, 0]
      for await (const piece of reviews.of(at.pageId)) {
        longest = Math.max(longest, lengthOf(piece))
        for (const { header, detail } of piece) assert.deepEqual({ header, detail }, textsOf(index++))
      }
      assert.equal(index, sent.length)
      assert.ok(longest < maxPieceCharacters, `a piece of ${longest} characters`)
    })
  })
})

function textsOf(index: number) {
  const { header, detail } = sent[index] as (typeof sent)[number]
  return { header, detail }
}

function lengthOf(piece: readonly Review[]): number {
  return piece.reduce((sum, { header, detail }) => sum + header.length + detail.length, 0)
}
