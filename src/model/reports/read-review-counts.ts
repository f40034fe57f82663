/** Review counts of pages in a range of days, unpacked from their months: by date, then by source. */

import { dayText } from '../../lib/time/days.ts'
import { momentText } from '../../lib/time/moments.ts'
import type { ReviewCount } from '../../resources/reputation.ts'
import { decodeReviewCount, firstAfter, firstFrom, monthOf, reviewCountLayout, sourceAt, wordsOf } from '../../store/packed-months.ts'
import { Prefetch } from './prefetch.ts'
import type { ReportDays } from './question.ts'
import type { DatedRows } from './read-dated-rows.ts'
import { type SnapshotReader, statement } from './snapshot-reader.ts'

interface CountMonth {
  readonly page_id: number
  readonly starts_at: number
  readonly data: Uint8Array
}

const monthsAtOnce = 256
const pagesAtFirst = 32
const secondsPerDay = 86_400

export function readReviewCounts(reading: SnapshotReader, days: ReportDays, accountId: number): DatedRows<ReviewCount> {
  const first = monthOf(Math.max(days.from, 0))
  const read = (pageIds: readonly number[], behind = -1) =>
    monthsFrom(reading, pageIds, { accountId, first: Math.max(first, behind + 1), to: days.to })
  const ahead = new Prefetch<CountMonth>({
    first: pagesAtFirst,
    early: reading.isRemote,
    read: (pageIds) => read(pageIds),
    readOn: (pageId, { starts_at }) => read([pageId], starts_at),
    groupOf: ({ page_id }) => page_id,
    limit: monthsAtOnce,
  })
  const names = new Map<number, string>()
  return {
    expect: (pageIds) => ahead.expect(pageIds),
    async *of(pageId) {
      for await (const months of ahead.of(pageId)) {
        await knowSources(reading, accountId, months, names)
        for (const month of months) {
          const counts = unpack(month, days, names)
          if (counts.length > 0) yield counts
        }
      }
    },
  }
}

/** Only those of these months: an account may have tens of thousands, most of them of rankings. */
async function knowSources(
  { db, isOneOf }: SnapshotReader,
  accountId: number,
  months: readonly CountMonth[],
  names: Map<number, string>,
): Promise<void> {
  const unknown = new Set<number>()
  for (const { data } of months) {
    const words = wordsOf(data)
    for (let i = 0; i < words.length; i += reviewCountLayout.words) if (!names.has(sourceAt(words, i))) unknown.add(sourceAt(words, i))
  }
  if (unknown.size === 0) return
  const sources = db.selectFrom('sources').select(['code', 'engine']).where('account_id', '=', accountId)
  for (const { code, engine } of await sources.where(isOneOf('code', [...unknown])).execute()) names.set(code, engine)
}

const monthsFrom = statement<{ accountId: number; first: number; to: number }, CountMonth>({
  group: 'page_id',
  order: ['starts_at'],
  limit: monthsAtOnce,
  select: ({ db, param }) =>
    db
      .selectFrom('review_count_months')
      .select(['page_id', 'starts_at', 'data'])
      .where('account_id', '=', param('accountId'))
      .where('starts_at', '>=', param('first'))
      .where('starts_at', '<=', param('to')),
})

function unpack({ page_id, data }: CountMonth, { from, to }: ReportDays, names: ReadonlyMap<number, string>): ReviewCount[] {
  const words = wordsOf(data)
  const end = firstAfter(words, reviewCountLayout, to)
  const counts: ReviewCount[] = []
  for (let i = firstFrom(words, reviewCountLayout, from); i < end; i += reviewCountLayout.words) {
    const { time, source, count, ratingSum, createdAt } = decodeReviewCount(words, i)
    const date = dayText(time / secondsPerDay)
    counts.push({ created_at: momentText(createdAt), page_id, date, count, rating_sum: ratingSum, source: names.get(source) ?? '' })
  }
  return counts
}
