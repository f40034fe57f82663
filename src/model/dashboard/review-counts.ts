/** Reviews added up by page and day: as the source counts them if it does, otherwise as they are listed. */

import type { Kysely } from 'kysely'
import { dayNumber, dayText, weekOf } from '../../lib/time/days.ts'
import { decodeReviewCount, firstAfter, reviewCountLayout, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'

const secondsPerDay = 86_400
/** As many as are read and added up within a time slice. */
const pagesPerRead = 500

export interface Amount {
  readonly count: number
  readonly sum: number
}

interface Entry extends Amount {
  readonly pageId: number
  readonly source: string
  readonly day: number
}

interface Listed extends Entry {
  readonly rating: number
}

/** How many reviews gave each number of stars, from one to five. */
export type Stars = readonly [number, number, number, number, number]

export class ReviewStats {
  readonly #counted: Entry[] = []
  readonly #listed: Listed[] = []
  #entries: Entry[] | undefined
  /** By period: a page asks for the same few periods for each source. */
  readonly #totals = new Map<string, Totals>()

  static together(all: readonly ReviewStats[]): ReviewStats {
    const one = new ReviewStats()
    for (const stats of all) {
      for (const entry of stats.#counted) one.#counted.push(entry)
      for (const entry of stats.#listed) one.#listed.push(entry)
    }
    return one
  }

  addCounted(entry: Entry): void {
    this.#counted.push(entry)
  }

  addListed(entry: Listed): void {
    this.#listed.push(entry)
  }

  /** The reviews up to a day, or between two days; of one source, or of all. */
  total(to: string, from?: string, source?: string): Amount {
    const period = `${from ?? ''} ${to}`
    const totals = this.#totals.get(period) ?? totalsOf(this.#known(), to, from)
    this.#totals.set(period, totals)
    return totals.get(source) ?? nothing
  }

  /** The reviews that are listed with stars and text, which may be fewer than are counted. */
  listed(to: string, from?: string): Amount {
    return totalsOf(this.#listed, to, from).get(undefined) ?? nothing
  }

  stars(from: string, to: string): Stars {
    const stars: [number, number, number, number, number] = [0, 0, 0, 0, 0]
    for (const { day, rating, count } of this.#listed)
      if (day >= dayNumber(from) && day <= dayNumber(to)) stars[rating - 1] = (stars[rating - 1] ?? 0) + count
    return stars
  }

  sources(): string[] {
    return [...new Set(this.#known().map((entry) => entry.source))]
  }

  /** For the end of each week: the rating of all reviews so far, and the number of that week's reviews within the span. */
  weeks(from: string, to: string): { week: string; rating: number | null; count: number }[] {
    const [first, last] = [dayNumber(from), dayNumber(to)]
    const start = weekOf(first)
    const weeks = Array.from({ length: (weekOf(last) - start) / 7 + 1 }, () => ({ count: 0, all: 0, sum: 0 }))
    let [all, sum] = [0, 0]
    for (const entry of this.#known()) {
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

  /** For a day of a page that the source has counted, uses the count; for any other day, the listed reviews. */
  #known(): readonly Entry[] {
    if (this.#entries) return this.#entries
    const counted = new Set(this.#counted.map(keyOf))
    this.#entries = [...this.#counted, ...this.#listed.filter((entry) => !counted.has(keyOf(entry)))]
    return this.#entries
  }
}

/** A number instead of a text, because a page computes thousands of keys. */
function keyOf({ pageId, day }: Entry): number {
  return pageId * 10_000_000 + day
}

/** By source; all together under undefined. */
type Totals = ReadonlyMap<string | undefined, Amount>

const nothing: Amount = { count: 0, sum: 0 }

function totalsOf(entries: readonly Entry[], to: string, from?: string): Totals {
  const [last, first] = [dayNumber(to), from === undefined ? Number.NEGATIVE_INFINITY : dayNumber(from)]
  const all = { count: 0, sum: 0 }
  const totals = new Map<string | undefined, { count: number; sum: number }>([[undefined, all]])
  for (const { day, source, count, sum } of entries) {
    if (day > last || day < first) continue
    const own = totals.get(source) ?? { count: 0, sum: 0 }
    totals.set(source, own)
    for (const amount of [all, own]) {
      amount.count += count
      amount.sum += sum
    }
  }
  return totals
}

export function ratingOf({ count, sum }: Amount): number | null {
  return count === 0 ? null : sum / count
}

/** The reviews up to a day for each owner of pages (`owners` maps a page to its owner), with a few statements for several hundred pages. */
export async function readReviewStats(
  db: Kysely<Tables>,
  owners: ReadonlyMap<number, number>,
  accountId: number,
  to: string,
): Promise<Map<number, ReviewStats>> {
  const stats = new Map([...owners.values()].map((owner) => [owner, new ReviewStats()]))
  if (owners.size === 0) return stats
  const of = (pageId: number) => stats.get(owners.get(pageId) ?? -1)
  const end = (dayNumber(to) + 1) * secondsPerDay
  const names = await readReviewSources(db, accountId)
  const all = [...owners.keys()]
  for (let start = 0; start < all.length; start += pagesPerRead) {
    const pageIds = all.slice(start, start + pagesPerRead)
    for (const { page_id, data } of await readChunks(db, accountId, pageIds, end))
      for (const entry of entriesOf(page_id, wordsOf(data), end, names)) of(page_id)?.addCounted(entry)
    for (const entry of await readListed(db, accountId, pageIds, to)) of(entry.pageId)?.addListed(entry)
  }
  return stats
}

async function readReviewSources(db: Kysely<Tables>, accountId: number): Promise<Map<number, string>> {
  const sources = db.selectFrom('sources').select(['code', 'engine']).where('account_id', '=', accountId).where('locale', '=', '')
  return new Map((await sources.execute()).map((row) => [row.code, row.engine]))
}

function readChunks(db: Kysely<Tables>, accountId: number, pageIds: readonly number[], end: number) {
  const months = db.selectFrom('review_count_months').select(['page_id', 'data']).where('account_id', '=', accountId)
  return months.where('page_id', 'in', pageIds).where('starts_at', '<', end).execute()
}

function* entriesOf(pageId: number, words: Uint32Array, end: number, names: ReadonlyMap<number, string>): Generator<Entry> {
  const stop = firstAfter(words, reviewCountLayout, end - 1)
  for (let index = 0; index < stop; index += reviewCountLayout.words) {
    const { time, source, count, ratingSum } = decodeReviewCount(words, index)
    yield { pageId, source: names.get(source) ?? '', day: Math.floor(time / secondsPerDay), count, sum: ratingSum }
  }
}

async function readListed(db: Kysely<Tables>, accountId: number, pageIds: readonly number[], to: string): Promise<Listed[]> {
  const rows = await db
    .selectFrom('reviews')
    .select((eb) => ['page_id', 'source', 'date', 'rating', eb.fn.countAll<number>().as('amount')])
    .where('account_id', '=', accountId)
    .where('page_id', 'in', pageIds)
    .where('date', '<=', to)
    .groupBy(['page_id', 'source', 'date', 'rating'])
    .execute()
  return rows.map(({ page_id, source, date, rating, amount }) => {
    const count = Number(amount)
    return { pageId: page_id, source, day: dayNumber(date), rating, count, sum: rating * count }
  })
}
