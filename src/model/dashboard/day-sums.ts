/** Reviews added up by day: the sums between any two days are found without going through the days again. */

export interface Amount {
  readonly count: number
  readonly sum: number
}

const nothing: Amount = { count: 0, sum: 0 }

/** The days in order, and how much there was up to each of them. */
interface Sorted {
  readonly days: Float64Array
  readonly counts: Float64Array
  readonly sums: Float64Array
}

export class DaySums {
  readonly #byDay = new Map<number, { count: number; sum: number }>()
  #sorted: Sorted | undefined

  add(day: number, { count, sum }: Amount): void {
    this.#sorted = undefined
    const own = this.#byDay.get(day)
    if (own === undefined) this.#byDay.set(day, { count, sum })
    else {
      own.count += count
      own.sum += sum
    }
  }

  addAll(other: DaySums): void {
    for (const [day, amount] of other.#byDay) this.add(day, amount)
  }

  /** Both days are included. */
  between(first: number, last: number): Amount {
    if (last < first) return nothing
    const [start, end] = [this.#until(first - 1), this.#until(last)]
    return { count: end.count - start.count, sum: end.sum - start.sum }
  }

  /** The last day up to this one; null if there is none. */
  lastUntil(last: number): number | null {
    return this.sort().days.findLast((day) => day <= last) ?? null
  }

  /** Must be called before sums of many days are asked for: the first question would sort them otherwise. */
  sort(): Sorted {
    this.#sorted ??= this.#inOrder()
    return this.#sorted
  }

  #until(day: number): Amount {
    const { days, counts, sums } = this.sort()
    let [low, high] = [0, days.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((days[middle] as number) <= day) low = middle + 1
      else high = middle
    }
    return low === 0 ? nothing : { count: counts[low - 1] as number, sum: sums[low - 1] as number }
  }

  #inOrder(): Sorted {
    const days = new Float64Array(this.#byDay.keys()).sort()
    const [counts, sums] = [new Float64Array(days.length), new Float64Array(days.length)]
    let [count, sum] = [0, 0]
    for (let index = 0; index < days.length; index += 1) {
      const own = this.#byDay.get(days[index] as number) as Amount
      count += own.count
      sum += own.sum
      counts[index] = count
      sums[index] = sum
    }
    return { days, counts, sums }
  }
}
