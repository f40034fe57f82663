/** Review counts added up by page, source and day, from their packed months. */

import type { Kysely } from 'kysely'
import { dayNumber, dayText, weekOf } from '../../lib/days.ts'
import { decodeReviewCount, firstAfter, reviewCountLayout, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'

const secondsPerDay = 86_400

export interface Amount {
  readonly count: number
  readonly sum: number
}

interface Entry {
  readonly pageId: number
  readonly source: number
  readonly day: number
  readonly count: number
  readonly sum: number
}

export class ReviewStats {
  readonly #entries: Entry[] = []

  static together(tallies: readonly ReviewStats[]): ReviewStats {
    const one = new ReviewStats()
    for (const tally of tallies) for (const entry of tally.#entries) one.add(entry)
    return one
  }

  add(entry: Entry): void {
    this.#entries.push(entry)
  }

  /** All reviews from the first to a day, or between two days; of one source, or of all. */
  total(to: string, from?: string, source?: number): Amount {
    const [last, first] = [dayNumber(to), from === undefined ? Number.NEGATIVE_INFINITY : dayNumber(from)]
    let [count, sum] = [0, 0]
    for (const entry of this.#entries) {
      if (entry.day > last || entry.day < first || (source !== undefined && entry.source !== source)) continue
      count += entry.count
      sum += entry.sum
    }
    return { count, sum }
  }

  sources(): number[] {
    return [...new Set(this.#entries.map((entry) => entry.source))]
  }

  /** At the end of each week of a span: the rating of all reviews so far, and how many of the week's own lie in the span. */
  weeks(from: string, to: string): { week: string; rating: number | null; count: number }[] {
    const [first, last] = [dayNumber(from), dayNumber(to)]
    const start = weekOf(first)
    const weeks = Array.from({ length: (weekOf(last) - start) / 7 + 1 }, () => ({ count: 0, all: 0, sum: 0 }))
    let [all, sum] = [0, 0]
    for (const entry of this.#entries) {
      if (entry.day > last) continue
      const week = weeks[(weekOf(entry.day) - start) / 7]
      if (week === undefined) {
        all += entry.count
        sum += entry.sum
      } else {
        week.all += entry.count
        week.sum += entry.sum
        if (entry.day >= first) week.count += entry.count
      }
    }
    return weeks.map((week, index) => {
      all += week.all
      sum += week.sum
      return { week: dayText(start + index * 7), rating: all === 0 ? null : sum / all, count: week.count }
    })
  }
}

export function ratingOf({ count, sum }: Amount): number | null {
  return count === 0 ? null : sum / count
}

/** One tally for each owner of pages, in one statement. */
export async function readReviewStats(
  db: Kysely<Tables>,
  owners: ReadonlyMap<number, number>,
  accountId: number,
  to: string,
): Promise<Map<number, ReviewStats>> {
  const tallies = new Map([...owners.values()].map((owner) => [owner, new ReviewStats()]))
  if (owners.size === 0) return tallies
  const end = (dayNumber(to) + 1) * secondsPerDay
  const chunks = await readChunks(db, [...owners.keys()], accountId, end)
  for (const chunk of chunks) {
    const tally = tallies.get(owners.get(chunk.page_id) ?? -1)
    if (tally) addChunk(tally, chunk.page_id, wordsOf(chunk.data), end)
  }
  return tallies
}

async function readChunks(db: Kysely<Tables>, pageIds: readonly number[], accountId: number, end: number) {
  const chunks: { page_id: number; data: Uint8Array }[] = []
  // Slices: a statement takes a bounded number of parameters.
  for (let start = 0; start < pageIds.length; start += 5_000) {
    const months = db.selectFrom('review_count_months').select(['page_id', 'data']).where('account_id', '=', accountId)
    chunks.push(
      ...(await months
        .where('page_id', 'in', pageIds.slice(start, start + 5_000))
        .where('starts_at', '<', end)
        .execute()),
    )
  }
  return chunks
}

function addChunk(tally: ReviewStats, pageId: number, words: Uint32Array, end: number): void {
  const stop = firstAfter(words, reviewCountLayout, end - 1)
  for (let index = 0; index < stop; index += reviewCountLayout.words) {
    const { time, source, count, ratingSum } = decodeReviewCount(words, index)
    tally.add({ pageId, source, day: Math.floor(time / secondsPerDay), count, sum: ratingSum })
  }
}
