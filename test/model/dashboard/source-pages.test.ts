/** The pages at each source: how many, which are linked, which one is doubtful, and when the source was last read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pagesBySource, type ReviewPage } from '../../../src/model/dashboard/reputation.ts'

function page(id: number, changes: Partial<ReviewPage> = {}): ReviewPage {
  const page_url = `https://reviews.example/${id}`
  return { id, subject_id: 1, source: 'yelp', page_url, match_confidence: 100, last_updated: '2026-11-01', ...changes }
}

describe('pages by source', () => {
  test('no more are linked than wanted, and all are counted', async () => {
    const pages = [...Array.from({ length: 100 }, (_, index) => page(index)), page(200, { source: 'google' })]
    const bySource = await pagesBySource(pages, 3)
    assert.deepEqual([...bySource.keys()], ['yelp', 'google'])
    const { linked, count } = bySource.get('yelp') ?? {}
    assert.deepEqual([linked?.map(({ id }) => id), count], [[0, 1, 2], 100])
    assert.deepEqual(bySource.get('google')?.linked, [page(200, { source: 'google' })])
  })

  test('the first doubtful page and the latest day are told, wherever they are', async () => {
    const doubtful = page(5, { match_confidence: 79 })
    const pages = [
      page(1),
      page(2, { last_updated: '2026-11-09' }),
      doubtful,
      page(6, { match_confidence: 10 }),
      page(7, { match_confidence: 80 }),
    ]
    const yelp = (await pagesBySource(pages, 1)).get('yelp')
    assert.deepEqual([yelp?.doubtful, yelp?.lastUpdated], [doubtful, '2026-11-09'])
    assert.equal((await pagesBySource([page(1)], 1)).get('yelp')?.doubtful, null)
    assert.equal((await pagesBySource([], 1)).size, 0)
  })
})
