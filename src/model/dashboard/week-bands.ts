/** Counts how many keywords were in each band of ranks at the end of each week. */

import { dayText, weekOf } from '../../lib/time/days.ts'
import { type DayRange, lastMeasured } from './positions.ts'

/** The last rank of each band; keywords that were not found have a band of their own after the last. */
const bandBounds = [1, 3, 10, 20, 50, 100, Number.POSITIVE_INFINITY]

export const bandNames = ['1', '2-3', '4-10', '11-20', '21-50', '51-100', '101', 'none'] as const

/** The index of the band of a rank; a rank of 0 means not found. */
export function bandOf(rank: number): number {
  return rank === 0 ? bandBounds.length : bandBounds.findIndex((bound) => rank <= bound)
}

export interface WeekBands {
  /** The Monday of the week. */
  readonly week: string
  /** One count per band. */
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

  /** Adds the band of a keyword's last measurement in each week. */
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
