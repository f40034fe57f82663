/** The visibility of a site over a period, day by day. An average of positions would rise when bad keywords are lost. */

import { dayNumber, dayText } from '../../lib/time/days.ts'
import type { DayRange, DaySpan } from './positions.ts'
import { slotsOf } from './slots.ts'
import { visibilityOf } from './standing.ts'

/** Computed once, because this is looked up for each day of each keyword. */
const worthOf = Float64Array.from({ length: 102 }, (_, rank) => visibilityOf(rank))

export interface DayVisibility {
  readonly day: string
  readonly visibility: number
}

export class VisibilityTrend {
  readonly #range: DayRange
  readonly #first: number
  readonly #worth: Float64Array
  readonly #pairs: Uint32Array

  /** Only the days of the period are counted, unless others are asked for: a list of many sites needs no more. */
  constructor(range: DayRange, first = range.start) {
    this.#range = range
    this.#first = first
    this.#worth = new Float64Array(range.end)
    this.#pairs = new Uint32Array(range.end)
  }

  add(ranks: Int32Array): void {
    const [worth, pairs] = [this.#worth, this.#pairs]
    const { end } = this.#range
    for (let day = this.#first; day < end; day++) {
      const rank = ranks[day] as number
      if (rank < 0) continue
      worth[day] = (worth[day] as number) + (worthOf[Math.min(rank, 101)] as number)
      pairs[day] = (pairs[day] as number) + 1
    }
  }

  /** The period in equal parts: the visibility in each, 0 if nothing was found, null if nothing was measured, `notDue` if nothing was due. */
  slots(): (number | null)[] {
    const { start, end } = this.#range
    return slotsOf({
      start,
      end,
      valueIn: (from, to) => this.#averageOf(from, to),
      isMeasured: (day) => (this.#pairs[day] as number) > 0,
    })
  }

  /** Over all measurements of the period; null if there are none. */
  mean(): number | null {
    return this.#averageOf(this.#range.start, this.#range.end)
  }

  /** Of each day of a span with a measurement. */
  days({ from, to }: DaySpan): DayVisibility[] {
    const { first, end } = this.#range
    const days: DayVisibility[] = []
    for (let day = Math.max(0, dayNumber(from) - first); day < Math.min(end, dayNumber(to) - first + 1); day++) {
      const visibility = this.#averageOf(day, day + 1)
      if (visibility !== null) days.push({ day: dayText(first + day), visibility })
    }
    return days
  }

  #averageOf(from: number, to: number): number | null {
    let [worth, pairs] = [0, 0]
    for (let day = from; day < to; day++) {
      worth += this.#worth[day] as number
      pairs += this.#pairs[day] as number
    }
    return pairs === 0 ? null : worth / pairs
  }
}
