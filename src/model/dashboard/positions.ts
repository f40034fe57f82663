/** Positions added up: per day, per week in bands, and what a keyword's line on a page needs. Nothing here reads the store. */

import { dayNumber, dayText, weekOf } from '../../lib/days.ts'

/** A stretch of days and the one of the same length before it. */
export interface Period {
  readonly from: string
  readonly to: string
  readonly before: { readonly from: string; readonly to: string }
}

export interface DayPosition {
  readonly day: string
  /** Of the keywords found. */
  readonly average: number | null
  readonly found: number
  readonly missing: number
}

export interface KeywordPosition {
  /** 0: looked for and not found; null: not measured. */
  readonly now: number | null
  readonly before: number | null
  readonly best: number | null
  readonly bestOn: string | null
  readonly measuredOn: string | null
  readonly slots: readonly (number | null)[]
}

const slotCount = 24

/** A period and the one before it as places in a series that begins with the period before. */
export interface DayRange {
  /** The number of the first day of all. */
  readonly first: number
  /** Where the period begins in the series, and where it ends. */
  readonly start: number
  readonly end: number
}

export function dayRangeOf(period: Period): DayRange {
  const first = dayNumber(period.before.from)
  return { first, start: dayNumber(period.from) - first, end: dayNumber(period.to) - first + 1 }
}

/** Averages per day over a period; series are laid out from the first day of the period before. */
export class PositionStats {
  readonly stretch: DayRange
  readonly #sum: Float64Array
  readonly #found: Uint32Array
  readonly #missing: Uint32Array
  #days: DayPosition[] | undefined

  constructor(stretch: DayRange) {
    this.stretch = stretch
    this.#sum = new Float64Array(stretch.end)
    this.#found = new Uint32Array(stretch.end)
    this.#missing = new Uint32Array(stretch.end)
  }

  add(ranks: Int16Array): void {
    const [sum, found, missing] = [this.#sum, this.#found, this.#missing]
    for (let day = 0; day < sum.length; day++) {
      const rank = ranks[day] as number
      if (rank > 0) {
        sum[day] = (sum[day] as number) + rank
        found[day] = (found[day] as number) + 1
      } else if (rank === 0) missing[day] = (missing[day] as number) + 1
    }
  }

  /** Days on which something was measured; asked for once everything is added. */
  days(): readonly DayPosition[] {
    this.#days ??= this.#measuredDays()
    return this.#days
  }

  #measuredDays(): DayPosition[] {
    const { first, start, end } = this.stretch
    const days: DayPosition[] = []
    for (let day = start; day < end; day++) {
      const [found, missing] = [this.#found[day] as number, this.#missing[day] as number]
      if (found + missing > 0)
        days.push({ day: dayText(first + day), average: found ? (this.#sum[day] as number) / found : null, found, missing })
    }
    return days
  }

  average(): number | null {
    return this.#averageOf(this.stretch.start, this.stretch.end)
  }

  averageBefore(): number | null {
    return this.#averageOf(0, this.stretch.start)
  }

  lastDay(): string | null {
    const { first, start, end } = this.stretch
    for (let day = end - 1; day >= start; day--) {
      if ((this.#found[day] as number) + (this.#missing[day] as number) > 0) return dayText(first + day)
    }
    return null
  }

  slots(): (number | null)[] {
    const { start, end } = this.stretch
    const count = Math.min(slotCount, end - start)
    const length = (end - start) / count
    return Array.from({ length: count }, (_, slot) =>
      this.#averageOf(Math.floor(start + slot * length), Math.floor(start + (slot + 1) * length)),
    )
  }

  #averageOf(from: number, to: number): number | null {
    let [sum, found] = [0, 0]
    for (let day = from; day < to; day++) {
      sum += this.#sum[day] as number
      found += this.#found[day] as number
    }
    return found === 0 ? null : sum / found
  }
}

export function keywordPositionOf(ranks: Int16Array, { first, start, end }: DayRange): KeywordPosition {
  const last = lastMeasured(ranks, start, end)
  const before = lastMeasured(ranks, 0, start)
  const best = bestOf(ranks, start, end)
  return {
    now: last < 0 ? null : (ranks[last] as number),
    before: before < 0 ? null : (ranks[before] as number),
    best: best < 0 ? null : (ranks[best] as number),
    bestOn: best < 0 ? null : dayText(first + best),
    measuredOn: last < 0 ? null : dayText(first + last),
    slots: slotsOf(ranks, start, end),
  }
}

/** The last place measured in the period: 0 not found, null not measured. */
export function placeNow(ranks: Int16Array, { start, end }: DayRange): number | null {
  const last = lastMeasured(ranks, start, end)
  return last < 0 ? null : (ranks[last] as number)
}

/** The last place measured in the period before. */
export function placeBefore(ranks: Int16Array, { start }: DayRange): number | null {
  const last = lastMeasured(ranks, 0, start)
  return last < 0 ? null : (ranks[last] as number)
}

function lastMeasured(ranks: Int16Array, from: number, to: number): number {
  for (let day = to - 1; day >= from; day--) if ((ranks[day] as number) >= 0) return day
  return -1
}

function bestOf(ranks: Int16Array, from: number, to: number): number {
  let best = -1
  for (let day = from; day < to; day++) {
    const rank = ranks[day] as number
    if (rank > 0 && (best < 0 || rank < (ranks[best] as number))) best = day
  }
  return best
}

/** The last found place of each slot. */
function slotsOf(ranks: Int16Array, from: number, to: number): (number | null)[] {
  const count = Math.min(slotCount, to - from)
  const slots: (number | null)[] = new Array(count).fill(null)
  const scale = count / (to - from)
  for (let day = from; day < to; day++) {
    const rank = ranks[day] as number
    if (rank > 0) slots[Math.floor((day - from) * scale)] = rank
  }
  return slots
}

/** How many keywords stood in each band at the end of each week; bands by their upper bounds, not found last. */
export class WeekStats {
  readonly #stretch: DayRange
  readonly #first: number
  readonly #weeks: number[][]
  readonly #bounds: readonly number[]

  constructor(stretch: DayRange, bounds: readonly number[]) {
    const { first, start, end } = stretch
    this.#stretch = stretch
    this.#bounds = bounds
    this.#first = weekOf(first + start)
    const count = (weekOf(first + end - 1) - this.#first) / 7 + 1
    this.#weeks = Array.from({ length: count }, () => new Array<number>(bounds.length + 1).fill(0))
  }

  add(ranks: Int16Array): void {
    const { first, start, end } = this.#stretch
    for (let week = 0; week < this.#weeks.length; week++) {
      const monday = this.#first + week * 7 - first
      const day = lastMeasured(ranks, Math.max(start, monday), Math.min(monday + 7, end))
      if (day >= 0) this.#count(this.#weeks[week] as number[], ranks[day] as number)
    }
  }

  weeks(): { week: string; amounts: readonly number[] }[] {
    return this.#weeks.map((amounts, index) => ({ week: dayText(this.#first + index * 7), amounts }))
  }

  #count(amounts: number[], rank: number): void {
    const band = rank === 0 ? this.#bounds.length : this.#bounds.findIndex((bound) => rank <= bound)
    amounts[band] = (amounts[band] as number) + 1
  }
}
