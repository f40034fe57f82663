/** How many keywords stood in each band at the end of each week. */

import { dayText, weekOf } from '../../lib/time/days.ts'
import { type DayRange, lastMeasured } from './positions.ts'

/** The last rank of each band; what was not found has a band of its own after the last. */
const bandBounds = [1, 3, 10, 20, 50, 100, Number.POSITIVE_INFINITY]

/** The number of the band of a rank; 0 is looked for and not found. */
export function bandOf(rank: number): number {
  return rank === 0 ? bandBounds.length : bandBounds.findIndex((bound) => rank <= bound)
}

export interface WeekBands {
  /** The Monday. */
  readonly week: string
  /** One amount per band. */
  readonly amounts: readonly number[]
}

export class WeekStats {
  readonly #range: DayRange
  readonly #first: number
  readonly #weeks: number[][]

  constructor(range: DayRange) {
    const { first, start, end } = range
    this.#range = range
    this.#first = weekOf(first + start)
    const count = (weekOf(first + end - 1) - this.#first) / 7 + 1
    this.#weeks = Array.from({ length: count }, () => new Array<number>(bandBounds.length + 1).fill(0))
  }

  /** Counts where a keyword stood when it was last measured in each week. */
  add(ranks: Int32Array): void {
    const { first, start, end } = this.#range
    for (let week = 0; week < this.#weeks.length; week++) {
      const monday = this.#first + week * 7 - first
      const day = lastMeasured(ranks, Math.max(start, monday), Math.min(monday + 7, end))
      if (day < 0) continue
      const [amounts, band] = [this.#weeks[week] as number[], bandOf(ranks[day] as number)]
      amounts[band] = (amounts[band] as number) + 1
    }
  }

  weeks(): WeekBands[] {
    return this.#weeks.map((amounts, index) => ({ week: dayText(this.#first + index * 7), amounts }))
  }
}
