/** Reviews added up by page and day: as the source counts them if it does, otherwise as they are listed. */

import type { Kysely } from 'kysely'
import { dayNumber, dayText, weekOf } from '../../../lib/time/days.ts'
import { decodeReviewCount, firstAfter, reviewCountLayout, wordsOf } from '../../../store/packed-months.ts'
import { readBehind } from '../../../store/read-behind.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { pieces } from '../../core/subject-pieces.ts'
import { type Amount, DaySums } from '../day-sums.ts'
import { monthPieces } from '../month-pieces.ts'

const secondsPerDay = 86_400
/** As many as are read and added up in some milliseconds, so that others of the thread go first soon. */
const pagesPerRead = 500
/** Few, because the texts of a review stand before its source and may be long. */
const reviewsPerRead = 200

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

const ever = Number.NEGATIVE_INFINITY

/** A page tells at most this many sources apart; the reviews of all others are counted together. */
export const mostReviewSources = 100
const otherSources = 'other'

export class ReviewStats {
  readonly #known = new DaySums()
  readonly #bySource = new Map<string, DaySums>()
  readonly #listed = new DaySums()
  readonly #stars = [new DaySums(), new DaySums(), new DaySums(), new DaySums(), new DaySums()] as const
  /** The days of pages that the source has counted. */
  readonly #counted = new Set<number>()

  static together(all: readonly ReviewStats[]): ReviewStats {
    const one = new ReviewStats()
    for (const stats of all) one.#known.addAll(stats.#known)
    return one
  }

  /** For a day of a page that the source has counted, the count is used; for any other day, the listed reviews. */
  addCounted(entry: Entry): void {
    this.#counted.add(keyOf(entry))
    this.#addKnown(entry)
  }

  /** All counts of its page must have been added before. */
  addListed(entry: Listed): void {
    this.#listed.add(entry.day, entry)
    this.#stars[entry.rating - 1]?.add(entry.day, entry)
    if (!this.#counted.has(keyOf(entry))) this.#addKnown(entry)
  }

  #addKnown(entry: Entry): void {
    this.#known.add(entry.day, entry)
    const isNamed = this.#bySource.has(entry.source) || this.#bySource.size < mostReviewSources
    const name = isNamed ? entry.source : otherSources
    const own = this.#bySource.get(name) ?? new DaySums()
    this.#bySource.set(name, own)
    own.add(entry.day, entry)
  }

  /** Must be called once all is added, so that no question has to sort the days of many sources at once. */
  sort(): void {
    for (const sums of [this.#known, this.#listed, ...this.#stars, ...this.#bySource.values()]) sums.sort()
  }

  /** The reviews up to a day, or between two days; of one source, or of all. */
  total(to: string, from?: string, source?: string): Amount {
    const sums = source === undefined ? this.#known : this.#bySource.get(source)
    return (sums ?? new DaySums()).between(from === undefined ? ever : dayNumber(from), dayNumber(to))
  }

  /** The day of the last review up to a day; null if there is none. */
  lastDay(to: string): string | null {
    const day = this.#known.lastUntil(dayNumber(to))
    return day === null ? null : dayText(day)
  }

  /** The reviews that are listed with stars and text, which may be fewer than are counted. */
  listed(to: string, from?: string): Amount {
    return this.#listed.between(from === undefined ? ever : dayNumber(from), dayNumber(to))
  }

  stars(from: string, to: string): Stars {
    const [first, last] = [dayNumber(from), dayNumber(to)]
    const [one, two, three, four, five] = this.#stars
    const count = (sums: DaySums) => sums.between(first, last).count
    return [count(one), count(two), count(three), count(four), count(five)]
  }

  sources(): string[] {
    return [...this.#bySource.keys()]
  }

  /** For the end of each week: the rating of all reviews so far, and the number of that week's reviews within the span. */
  weeks(from: string, to: string): { week: string; rating: number | null; count: number }[] {
    const [first, last] = [dayNumber(from), dayNumber(to)]
    const start = weekOf(first)
    return Array.from({ length: (weekOf(last) - start) / 7 + 1 }, (_, index) => {
      const monday = start + index * 7
      const end = Math.min(monday + 6, last)
      return {
        week: dayText(monday),
        rating: ratingOf(this.#known.between(ever, end)),
        count: this.#known.between(Math.max(first, monday), end).count,
      }
    })
  }
}

/** A number instead of a text, because a page computes thousands of keys. */
function keyOf({ pageId, day }: Entry): number {
  return pageId * 10_000_000 + day
}

export function ratingOf({ count, sum }: Amount): number | null {
  return count === 0 ? null : sum / count
}

/** A page and the subject it belongs to. */
export interface PageOwner {
  readonly id: number
  readonly subject_id: number
}

/** The reviews up to a day for each subject that has pages, with a few statements for several hundred pages. */
export async function readReviewStats(
  db: Kysely<Tables>,
  pages: readonly PageOwner[],
  accountId: number,
  to: string,
): Promise<Map<number, ReviewStats>> {
  const stats = new Map<number, ReviewStats>()
  if (pages.length === 0) return stats
  const end = (dayNumber(to) + 1) * secondsPerDay
  const names = await readReviewSources(db, accountId)
  for (let start = 0; start < pages.length; start += pagesPerRead) {
    const some = pages.slice(start, start + pagesPerRead)
    const owners = new Map(some.map(({ id, subject_id }) => [id, statsOf(stats, subject_id)]))
    const of = (pageId: number) => owners.get(pageId) as ReviewStats
    const pageIds = [...owners.keys()]
    const query = { table: 'review_count_months', accountId, before: end } as const
    for await (const months of monthPieces(db, query, pageIds))
      for (const { owner, data } of months) for (const entry of entriesOf(owner, wordsOf(data), end, names)) of(owner).addCounted(entry)
    for await (const listed of listedPieces(db, accountId, pageIds, to)) for (const entry of listed) of(entry.pageId).addListed(entry)
  }
  for (const own of stats.values()) own.sort()
  return stats
}

function statsOf(stats: Map<number, ReviewStats>, subjectId: number): ReviewStats {
  const own = stats.get(subjectId) ?? new ReviewStats()
  stats.set(subjectId, own)
  return own
}

async function readReviewSources(db: Kysely<Tables>, accountId: number): Promise<Map<number, string>> {
  const sources = db.selectFrom('sources').select(['code', 'engine']).where('account_id', '=', accountId).where('locale', '=', '')
  return new Map((await sources.execute()).map((row) => [row.code, row.engine]))
}

function* entriesOf(pageId: number, words: Uint32Array, end: number, names: ReadonlyMap<number, string>): Generator<Entry> {
  const stop = firstAfter(words, reviewCountLayout, end - 1)
  for (let index = 0; index < stop; index += reviewCountLayout.words) {
    const { time, source, count, ratingSum } = decodeReviewCount(words, index)
    yield { pageId, source: names.get(source) ?? '', day: Math.floor(time / secondsPerDay), count, sum: ratingSum }
  }
}

async function* listedPieces(db: Kysely<Tables>, accountId: number, pageIds: readonly number[], to: string): AsyncGenerator<Listed[]> {
  const all = db
    .selectFrom('reviews')
    .select(['id', 'page_id', 'source', 'date', 'rating'])
    .where('account_id', '=', accountId)
    .where('date', '<=', to)
    .limit(reviewsPerRead)
  type Row = Awaited<ReturnType<typeof all.execute>>[number]
  const read = (owners: readonly number[], last?: Row) => {
    const some = all.where('page_id', 'in', owners)
    const ordered = owners.length === 1 ? some.orderBy('date').orderBy('id') : some
    if (last === undefined) return ordered.execute()
    const restOfDay = ordered.where('date', '=', last.date).where('id', '>', last.id)
    return readBehind(
      reviewsPerRead,
      () => restOfDay.execute(),
      () => ordered.where('date', '>', last.date).execute(),
    )
  }
  for await (const rows of pieces<Row>(pageIds, read, reviewsPerRead))
    yield rows.map(({ page_id, source, date, rating }) => ({
      pageId: page_id,
      source,
      day: dayNumber(date),
      rating,
      count: 1,
      sum: rating,
    }))
}
