/** Reviews of pages in a range of days, by date. */

import type { Batches } from '../fields/flow.ts'
import { type Review, review } from '../resources/reputation.ts'
import type { Days } from './report-days.ts'
import type { PageInReport } from './report-pages.ts'
import { Ahead, oneOrAmong, type Reading } from './report-reading.ts'

const atOnce = 2_000
const columns = Object.keys(review) as (keyof Review)[]

export function readReviews(reading: Reading, days: Days, pages: readonly PageInReport[]): (page: PageInReport) => Batches<Review> {
  const ahead = new Ahead<Review>({
    ids: pages.map(({ id }) => id),
    first: pages.length,
    read: (ids) => read(reading, days, pages, ids).limit(atOnce).execute(),
    groupOf: ({ page_id }) => page_id,
    limit: atOnce,
    load: atOnce,
  })
  return (page) => inBatches(ahead, reading, days, page)
}

async function* inBatches(ahead: Ahead<Review>, reading: Reading, days: Days, page: PageInReport): AsyncGenerator<Review[]> {
  const together = await ahead.of(page.id)
  if (together === null) yield* alone(reading, days, page)
  else if (together.length > 0) yield together
}

/** A page with more reviews than are read at once. */
async function* alone(reading: Reading, days: Days, page: PageInReport): AsyncGenerator<Review[]> {
  let rows = await read(reading, days, [page], [page.id]).limit(atOnce).execute()
  while (rows.length > 0) {
    yield rows
    const { date, id } = rows.at(-1) as Review
    rows = await read(reading, { ...days, first: date }, [page], [page.id])
      .where((row) => row.or([row('date', '>', date), row('id', '>', id)]))
      .limit(atOnce)
      .execute()
  }
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
