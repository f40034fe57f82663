/** Reviews of pages in a range of days, by date. */

import type { Batches } from '../../fields/streaming.ts'
import { type Review, review } from '../../resources/reputation.ts'
import type { Days } from './days.ts'
import { Ahead, inPieces, oneOrAmong, type Reading } from './prefetch.ts'
import type { PageInReport } from './read-review-pages.ts'

const atOnce = 2_000
const columns = Object.keys(review) as (keyof Review)[]

export function readReviews(reading: Reading, days: Days, pages: readonly PageInReport[]): (page: PageInReport) => Batches<Review> {
  const ahead = new Ahead<Review>({
    ids: pages.map(({ id }) => id),
    first: pages.length,
    early: reading.answersLater,
    read: (ids) => read(reading, days, pages, ids).limit(atOnce).execute(),
    groupOf: ({ page_id }) => page_id,
    limit: atOnce,
    load: atOnce,
  })
  return (page) => inPieces(ahead, page.id, (last) => readAlone(reading, days, page, last))
}

function readAlone(reading: Reading, days: Days, page: PageInReport, last: Review | null): Promise<Review[]> {
  if (last === null) return read(reading, days, [page], [page.id]).limit(atOnce).execute()
  return read(reading, { ...days, first: last.date }, [page], [page.id])
    .where((row) => row.or([row('date', '>', last.date), row('id', '>', last.id)]))
    .limit(atOnce)
    .execute()
}

function read(reading: Reading, { first, last }: Days, pages: readonly PageInReport[], ids: readonly number[]) {
  return reading.db
    .selectFrom('reviews')
    .select(columns)
    .where(oneOrAmong(reading, 'account_id', new Set(pages.map(({ account_id }) => account_id))))
    .where(reading.among('page_id', ids))
    .where('date', '>=', first)
    .where('date', '<=', last)
    .orderBy('page_id')
    .orderBy('date')
    .orderBy('id')
}
