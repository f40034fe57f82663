/** Reviews added up by day: the sums between any two days are found without going through the days again. */

export interface Amount {
  readonly count: number
  readonly sum: number
}

const nothing: Amount = { count: 0, sum: 0 }

export class DaySums {
  readonly #byDay = new Map<number, { count: number; sum: number }>()
  #sorted: { readonly days: readonly number[]; readonly until: readonly Amount[] } | undefined

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

  #until(day: number): Amount {
    this.#sorted ??= this.#sort()
    const { days, until } = this.#sorted
    let [low, high] = [0, days.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((days[middle] as number) <= day) low = middle + 1
      else high = middle
    }
    return low === 0 ? nothing : (until[low - 1] as Amount)
  }

  #sort() {
    const days = [...this.#byDay.keys()].sort((a, b) => a - b)
    let [count, sum] = [0, 0]
    const until = days.map((day) => {
      const own = this.#byDay.get(day) as Amount
      count += own.count
      sum += own.sum
      return { count, sum }
    })
    return { days, until }
  }
}
