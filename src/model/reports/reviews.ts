/** Reviews of pages in a range of days, by date. */

import type { Batches } from '../../fields/streaming.ts'
import { type Review, review } from '../../resources/reputation.ts'
import type { ReportDays } from './days.ts'
import { inPieces, isOneOrMore, Prefetch, type SnapshotReader } from './prefetch.ts'
import type { PageInReport } from './read-review-pages.ts'

const atOnce = 2_000
const columns = Object.keys(review) as (keyof Review)[]

export function readReviews(
  reading: SnapshotReader,
  days: ReportDays,
  pages: readonly PageInReport[],
): (page: PageInReport) => Batches<Review> {
  const ahead = new Prefetch<Review>({
    ids: pages.map(({ id }) => id),
    first: pages.length,
    early: reading.isRemote,
    read: (ids) => read(reading, days, pages, ids).limit(atOnce).execute(),
    groupOf: ({ page_id }) => page_id,
    limit: atOnce,
    load: atOnce,
  })
  return (page) => inPieces(ahead, page.id, (last) => readAlone(reading, days, page, last))
}

function readAlone(reading: SnapshotReader, days: ReportDays, page: PageInReport, last: Review | null): Promise<Review[]> {
  if (last === null) return read(reading, days, [page], [page.id]).limit(atOnce).execute()
  return read(reading, { ...days, first: last.date }, [page], [page.id])
    .where((row) => row.or([row('date', '>', last.date), row('id', '>', last.id)]))
    .limit(atOnce)
    .execute()
}

function read(reading: SnapshotReader, { first, last }: ReportDays, pages: readonly PageInReport[], ids: readonly number[]) {
  return reading.db
    .selectFrom('reviews')
    .select(columns)
    .where(isOneOrMore(reading, 'account_id', new Set(pages.map(({ account_id }) => account_id))))
    .where(reading.isOneOf('page_id', ids))
    .where('date', '>=', first)
    .where('date', '<=', last)
    .orderBy('page_id')
    .orderBy('date')
    .orderBy('id')
}
