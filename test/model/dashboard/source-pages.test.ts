/** The pages at each source: how many, which are linked, which one is doubtful, and when the source was last read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mostLinkedPages, PagesBySource, type ReviewPage } from '../../../src/model/dashboard/reputation/reputation.ts'

function page(id: number, changes: Partial<ReviewPage> = {}): ReviewPage {
  const page_url = `https://reviews.example/${id}`
  return { id, subject_id: 1, source: 'yelp', page_url, match_confidence: 100, last_updated: '2026-11-01', ...changes }
}

function bySource(pages: readonly ReviewPage[]) {
  const all = new PagesBySource()
  for (const one of pages) all.add(one)
  return all.sources
}

describe('pages by source', () => {
  test('no more are linked than wanted, and all are counted', () => {
    const pages = [...Array.from({ length: 100 }, (_, index) => page(index)), page(200, { source: 'google' })]
    const sources = bySource(pages)
    assert.deepEqual([...sources.keys()], ['yelp', 'google'])
    const { linked, count } = sources.get('yelp') ?? {}
    assert.deepEqual([linked?.map(({ id }) => id), count], [Array.from({ length: mostLinkedPages }, (_, index) => index), 100])
    assert.deepEqual(sources.get('google')?.linked, [page(200, { source: 'google' })])
  })

  test('the first doubtful page and the latest day are told, wherever they are', () => {
    const doubtful = page(5, { match_confidence: 79 })
    const pages = [
      page(1),
      page(2, { last_updated: '2026-11-09' }),
      doubtful,
      page(6, { match_confidence: 10 }),
      page(7, { match_confidence: 80 }),
    ]
    const yelp = bySource(pages).get('yelp')
    assert.deepEqual([yelp?.doubtful, yelp?.lastUpdated], [doubtful, '2026-11-09'])
    assert.equal(bySource([page(1)]).get('yelp')?.doubtful, null)
    assert.equal(bySource([]).size, 0)
  })
})
