/** The rankings of one keyword, unpacked from its packed months into one number per source and day. */

import { dayNumber, startOfDay } from '../../lib/time/days.ts'
import { firstAfter, firstFrom, rankAt, rankingLayout, sourceAt, timeAt } from '../../store/packed-months.ts'

/** One keyword at one source: the last rank of each day, 0 if it was not found, -1 if it was not measured. */
export interface DailyRanks {
  readonly ranks: Int32Array
  /** The earlier measurements of days that have several; null if no day has. */
  readonly earlier: EarlierRanks | null
}

/** Added up by day, so that a keyword measured every second needs no more memory than one measured twice a day. */
export class EarlierRanks {
  readonly sum: Float64Array
  readonly found: Uint32Array
  readonly missing: Uint32Array
  /** The best earlier rank of each day; 0 if none was found. */
  readonly best: Uint32Array

  constructor(days: number) {
    this.sum = new Float64Array(days)
    this.found = new Uint32Array(days)
    this.missing = new Uint32Array(days)
    this.best = new Uint32Array(days)
  }

  add(day: number, rank: number): void {
    if (rank === 0) return void (this.missing[day] as number)++
    ;(this.found[day] as number)++
    this.sum[day] = (this.sum[day] as number) + rank
    const best = this.best[day] as number
    if (best === 0 || rank < best) this.best[day] = rank
  }
}

interface ZonedDays {
  readonly from: string
  readonly to: string
  readonly zone: string
}

const rowsPerBlock = 32

/** Nobody looks further; on pages a rank above this counts as not found, and they say so. */
export const lastShownRank = 1_000

/** The days that a page reads, and memory for rows of them: computed once for all keywords of a site. */
export class RankedDays {
  /** The first and the last second of the range. */
  readonly from: number
  readonly to: number
  /** For each day, the first second after it. */
  readonly ends: Float64Array
  readonly #sources: { has(code: number): boolean }
  #block = new Int32Array(0)
  #used = 0

  /** Measurements at other sources than these are skipped. */
  constructor({ from, to, zone }: ZonedDays, sources: { has(code: number): boolean }) {
    this.#sources = sources
    const first = dayNumber(from)
    this.ends = Float64Array.from({ length: dayNumber(to) - first + 1 }, (_, day) => startOfDay(first + day + 1, zone))
    this.from = startOfDay(first, zone)
    this.to = (this.ends.at(-1) ?? this.from) - 1
  }

  get count(): number {
    return this.ends.length
  }

  knows(code: number): boolean {
    return this.#sources.has(code)
  }

  /** A row of days without a measurement. Rows are cut from blocks, because one block costs less to allocate than many rows. */
  newRow(): Int32Array {
    if (this.#used + this.count > this.#block.length) {
      this.#block = new Int32Array(this.count * rowsPerBlock).fill(-1)
      this.#used = 0
    }
    this.#used += this.count
    return this.#block.subarray(this.#used - this.count, this.#used)
  }
}

interface Row {
  readonly code: number
  readonly place: number
  readonly ranks: Int32Array
  earlier: EarlierRanks | null
}

/** Takes the chunks of one keyword in the order of time. */
export class Unpacking {
  readonly keywordId: number
  readonly #days: RankedDays
  readonly #rows: Row[] = []
  /** Null for sources that are skipped. */
  readonly #byCode = new Map<number, Row | null>()
  #day = 0

  constructor(keywordId: number, days: RankedDays) {
    this.keywordId = keywordId
    this.#days = days
  }

  /** Sorted by the code of the source. */
  bySource(): (DailyRanks & { readonly code: number })[] {
    return this.#rows.toSorted((a, b) => a.code - b.code)
  }

  /** The hot loop of every page: it runs for each measurement of each keyword. */
  add(words: Uint32Array): void {
    const { ends, from, to } = this.#days
    const [rows, step, end] = [this.#rows, rankingLayout.words, firstAfter(words, rankingLayout, to)]
    let [day, place] = [this.#day, 0]
    for (let index = firstFrom(words, rankingLayout, from); index < end; index += step) {
      const time = timeAt(words, index)
      while (time >= (ends[day] as number)) day++
      const code = sourceAt(words, index)
      // Sources mostly come in the same order every day, so the next row is predicted before it is looked up.
      let row: Row | null | undefined = rows[place]
      if (row === undefined || row.code !== code) row = this.#rowOf(code)
      if (row === null) continue
      place = row.place + 1 === rows.length ? 0 : row.place + 1
      // Entries come in the order of time, so the last one of a day remains in `ranks`.
      const before = row.ranks[day] as number
      if (before >= 0) this.#addEarlier(row, day, before)
      const rank = rankAt(words, index)
      row.ranks[day] = rank > lastShownRank ? 0 : rank
    }
    this.#day = day
  }

  #addEarlier(row: Row, day: number, rank: number): void {
    row.earlier ??= new EarlierRanks(this.#days.count)
    row.earlier.add(day, rank)
  }

  #rowOf(code: number): Row | null {
    const row = this.#byCode.get(code)
    return row === undefined ? this.#newRow(code) : row
  }

  #newRow(code: number): Row | null {
    const row = this.#days.knows(code) ? this.#emptyRow(code) : null
    this.#byCode.set(code, row)
    return row
  }

  #emptyRow(code: number): Row {
    const row = { code, place: this.#rows.length, ranks: this.#days.newRow(), earlier: null }
    this.#rows.push(row)
    return row
  }
}
