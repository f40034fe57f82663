/** Positions of keywords over a period: the current position of each, and averages by day. This file does not read the store. */

import { dayNumber, daysLater, dayText } from '../../lib/time/days.ts'
import type { DailyRanks } from './daily-ranks.ts'
import { slotsOf } from './slots.ts'

export interface DaySpan {
  readonly from: string
  readonly to: string
}

/** The days that a page shows, and the days with which they are compared, if any. */
export interface Period extends DaySpan {
  readonly before: DaySpan | null
}

/** A period as indexes into arrays of days, which begin early enough to know the position of each keyword at both ends. */
export interface DayRange {
  /** The day number of the first element. */
  readonly first: number
  /** The indexes of the first day of the period and of the day after the last. */
  readonly start: number
  readonly end: number
  /** The index after the period of comparison; 0 if there is none. */
  readonly beforeEnd: number
}

/** How many days before the period are read, so that keywords measured once a month count as measured. */
const lookBackDays = 62
/** A measurement counts for at least this many days: a daily keyword keeps its rank for a week, a weekly one for two weeks. */
const leastReach = 7

export function firstDayOf({ from, before }: Period): string {
  return daysLater(before && before.from < from ? before.from : from, -lookBackDays)
}

export function dayRangeOf(period: Period): DayRange {
  const first = dayNumber(firstDayOf(period))
  return {
    first,
    start: dayNumber(period.from) - first,
    end: dayNumber(period.to) - first + 1,
    beforeEnd: period.before ? dayNumber(period.before.to) - first + 1 : 0,
  }
}

/** The position of a keyword at one source. A rank of 0 means looked for and not found, null means not measured. */
export interface KeywordPosition {
  readonly now: number | null
  readonly before: number | null
  /** The best rank in the period, and its day. */
  readonly best: number | null
  readonly bestOn: string | null
  /** The last day with a measurement, even if it is too long ago to count as current. */
  readonly measuredOn: string | null
  /** Since when it has not been found, if it is not found now. */
  readonly lostSince: string | null
  /** The period in equal parts: the last rank found in each, 0 if it was looked for in vain, null if not measured, `notDue` if none was due. */
  readonly slots: readonly (number | null)[]
}

export function keywordPositionOf({ ranks, earlier }: DailyRanks, range: DayRange): KeywordPosition {
  const { first, start, end } = range
  const last = lastMeasured(ranks, 0, end)
  const now = rankAt(ranks, end)
  const best = bestOf(ranks, earlier, start, end)
  return {
    now,
    before: rankBefore(ranks, range),
    best: best?.rank ?? null,
    bestOn: best ? dayText(first + best.day) : null,
    measuredOn: last < 0 ? null : dayText(first + last),
    lostSince: now === 0 ? dayText(first + lostFrom(ranks, last)) : null,
    slots: slotsOf({
      start,
      end,
      valueIn: (from, to) => lastFound(ranks, from, to),
      isMeasured: (day) => (ranks[day] as number) >= 0,
    }),
  }
}

export function rankNow(ranks: Int32Array, { end }: DayRange): number | null {
  return rankAt(ranks, end)
}

export function rankBefore(ranks: Int32Array, { beforeEnd }: DayRange): number | null {
  return beforeEnd > 0 ? rankAt(ranks, beforeEnd) : null
}

/** The latest rank before a day, if it is no older than twice the keyword's usual interval. */
function rankAt(ranks: Int32Array, end: number): number | null {
  const last = lastMeasured(ranks, 0, end)
  if (last < 0) return null
  const age = end - 1 - last
  return age <= leastReach || age <= 2 * usualStep(ranks, last) ? (ranks[last] as number) : null
}

/** The median of the last eight intervals between measured days. */
function usualStep(ranks: Int32Array, last: number): number {
  const steps: number[] = []
  for (let day = last; steps.length < 8; ) {
    const before = lastMeasured(ranks, 0, day)
    if (before < 0) break
    steps.push(day - before)
    day = before
  }
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? leastReach
}

export function lastMeasured(ranks: Int32Array, from: number, to: number): number {
  for (let day = to - 1; day >= from; day--) if ((ranks[day] as number) >= 0) return day
  return -1
}

/** The first day of the latest run of measured days on which it was not found. */
function lostFrom(ranks: Int32Array, last: number): number {
  let from = last
  for (let day = last; day >= 0 && (ranks[day] as number) <= 0; day--) if (ranks[day] === 0) from = day
  return from
}

function bestOf(ranks: Int32Array, earlier: DailyRanks['earlier'], from: number, to: number): { day: number; rank: number } | null {
  const last = bestDay(ranks, from, to)
  const before = earlier === null ? null : bestDay(earlier.best, from, to)
  return last === null || (before !== null && before.rank < last.rank) ? before : last
}

/** The first day with the lowest rank; 0 and less are no ranks. */
function bestDay(ranks: Int32Array | Uint32Array, from: number, to: number): { day: number; rank: number } | null {
  let [best, bestOn] = [Number.POSITIVE_INFINITY, -1]
  for (let day = from; day < to; day++) {
    const rank = ranks[day] as number
    if (rank > 0 && rank < best) {
      best = rank
      bestOn = day
    }
  }
  return bestOn < 0 ? null : { day: bestOn, rank: best }
}

/** From the end, because the last rank found is mostly that of the last day. */
function lastFound(ranks: Int32Array, from: number, to: number): number | null {
  let wasMeasured = false
  for (let day = to - 1; day >= from; day--) {
    const rank = ranks[day] as number
    if (rank > 0) return rank
    wasMeasured ||= rank === 0
  }
  return wasMeasured ? 0 : null
}

export interface DayPosition {
  readonly day: string
  /** The average of the ranks found; null if none was found. */
  readonly average: number | null
  readonly found: number
  readonly missing: number
}

/** All measurements of some keywords, added up by day. */
export class PositionStats {
  readonly range: DayRange
  readonly #sum: Float64Array
  readonly #found: Uint32Array
  readonly #missing: Uint32Array
  #days: DayPosition[] | undefined

  constructor(range: DayRange) {
    this.range = range
    this.#sum = new Float64Array(range.end)
    this.#found = new Uint32Array(range.end)
    this.#missing = new Uint32Array(range.end)
  }

  /** Runs for each day of each keyword of each site shown. */
  add({ ranks, earlier }: DailyRanks): void {
    const [sum, found, missing] = [this.#sum, this.#found, this.#missing]
    const { start, end } = this.range
    for (let day = start; day < end; day++) {
      const rank = ranks[day] as number
      if (rank > 0) {
        sum[day] = (sum[day] as number) + rank
        found[day] = (found[day] as number) + 1
      } else if (rank === 0) missing[day] = (missing[day] as number) + 1
    }
    if (earlier !== null) this.#addEarlier(earlier)
  }

  #addEarlier({ sum, found, missing }: NonNullable<DailyRanks['earlier']>): void {
    for (let day = 0; day < this.range.end; day++) {
      this.#sum[day] = (this.#sum[day] as number) + (sum[day] as number)
      this.#found[day] = (this.#found[day] as number) + (found[day] as number)
      this.#missing[day] = (this.#missing[day] as number) + (missing[day] as number)
    }
  }

  /** The days of the period with measurements; call it after everything was added. */
  days(): readonly DayPosition[] {
    this.#days ??= this.#measuredDays()
    return this.#days
  }

  #measuredDays(): DayPosition[] {
    const { first, start, end } = this.range
    const days: DayPosition[] = []
    for (let day = start; day < end; day++) {
      const [found, missing] = [this.#found[day] as number, this.#missing[day] as number]
      if (found + missing > 0)
        days.push({ day: dayText(first + day), average: found ? (this.#sum[day] as number) / found : null, found, missing })
    }
    return days
  }
}
