/** Review counts of pages in a range of days, unpacked from their months: by date, then by source. */

import type { Batches } from '../../fields/streaming.ts'
import { dayText } from '../../lib/days.ts'
import { momentText } from '../../lib/moments.ts'
import type { ReviewCount } from '../../resources/reputation.ts'
import { firstAfter, firstFrom, monthOf, reviewCountLayout, wordsOf } from '../../store/packed-months.ts'
import type { ReportDays } from './days.ts'
import { Prefetch, type SnapshotReader } from './prefetch.ts'
import type { PageInReport } from './read-review-pages.ts'

interface Month {
  readonly page_id: number
  readonly starts_at: number
  readonly data: Uint8Array
}

const bytesAtOnce = 1 << 20
const secondsPerDay = 86_400

export async function readReviewCounts(reading: SnapshotReader, days: ReportDays, accountId: number, pages: readonly PageInReport[]) {
  const sources = await reading.db.selectFrom('sources').select(['code', 'engine']).where('account_id', '=', accountId).execute()
  const names = new Map(sources.map(({ code, engine }) => [code, engine]))
  const ahead = monthsAhead(reading, days, accountId, pages)
  return async function* ({ id }: PageInReport): AsyncGenerator<ReviewCount[]> {
    const months = (await ahead.of(id)) ?? []
    for (const month of months.sort((a, b) => a.starts_at - b.starts_at)) {
      const counts = unpack(month, days, names)
      if (counts.length > 0) yield counts
    }
  } satisfies (page: PageInReport) => Batches<ReviewCount>
}

function monthsAhead(
  reading: SnapshotReader,
  { from, to }: ReportDays,
  accountId: number,
  pages: readonly PageInReport[],
): Prefetch<Month> {
  return new Prefetch<Month>({
    ids: pages.map(({ id }) => id),
    first: 32,
    early: reading.isRemote,
    read: (ids) =>
      reading.db
        .selectFrom('review_count_months')
        .select(['page_id', 'starts_at', 'data'])
        .where('account_id', '=', accountId)
        .where(reading.isOneOf('page_id', ids))
        .where('starts_at', '>=', monthOf(Math.max(from, 0)))
        .where('starts_at', '<=', to)
        .execute(),
    groupOf: ({ page_id }) => page_id,
    load: bytesAtOnce,
    weightOf: ({ data }) => data.length,
  })
}

function unpack({ page_id, data }: Month, { from, to }: ReportDays, names: ReadonlyMap<number, string>): ReviewCount[] {
  const words = wordsOf(data)
  const at = (index: number) => words[index] as number
  const end = firstAfter(words, reviewCountLayout, to)
  const counts: ReviewCount[] = []
  for (let i = firstFrom(words, reviewCountLayout, from); i < end; i += reviewCountLayout.words) {
    counts.push({
      created_at: momentText(at(i + 4)),
      page_id,
      date: dayText(at(i) / secondsPerDay),
      count: at(i + 2),
      rating_sum: at(i + 3),
      source: names.get(at(i + 1) >>> 16) ?? '',
    })
  }
  return counts
}
