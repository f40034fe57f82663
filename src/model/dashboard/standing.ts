/** The standing of a site: visibility, keywords in the top 10 and average position, now and at the end of the previous period. */

/**
 * The worth of a rank, from 100 for the first place to 0 beyond the hundredth or if not found: 100 x (1 - log rank / log 101). The third place is worth 76,
 * the tenth 50, the twentieth 35, the fiftieth 15.
 */
export function visibilityOf(rank: number): number {
  return rank < 1 || rank > 100 ? 0 : 100 * (1 - Math.log(rank) / Math.log(101))
}

/** Numbers are of pairs of a keyword and a source (an engine in a locale), unless the name says keywords. */
export interface Standing {
  readonly pairs: number
  readonly found: number
  readonly top10: number
  readonly keywords: number
  /** Keywords that have this rank at one source at least. */
  readonly keywordsTop3: number
  readonly keywordsTop10: number
  readonly keywordsFound: number
  /** Null if nothing was measured. */
  readonly visibility: number | null
  /** The average over the pairs that were found. */
  readonly average: number | null
}

export interface Standings {
  readonly now: Standing
  /** Both ends, over the pairs measured at both so that they can be compared; null if there are none. */
  readonly compared: {
    readonly now: Standing
    readonly before: Standing
    /** Keywords that entered and left the top 10. */
    readonly entered: number
    readonly left: number
    /** Keywords that were found before and no longer are. */
    readonly lost: number
  } | null
}

export class StandingsOf {
  readonly #now = new Count()
  readonly #sharedNow = new Count()
  readonly #sharedBefore = new Count()

  add(phrase: string, now: number | null, before: number | null): void {
    if (now !== null) this.#now.add(phrase, now)
    if (now === null || before === null) return
    this.#sharedNow.add(phrase, now)
    this.#sharedBefore.add(phrase, before)
  }

  standings(): Standings {
    return { now: this.#now.standing(), compared: this.#sharedNow.isEmpty() ? null : this.#compared() }
  }

  #compared(): Standings['compared'] {
    const [now, before] = [this.#sharedNow, this.#sharedBefore]
    const moved = (to: Count, from: Count, most: number) =>
      now.phrases().filter((one) => to.isWithin(one, most) && !from.isWithin(one, most))
    return {
      now: now.standing(),
      before: before.standing(),
      entered: moved(now, before, 10).length,
      left: moved(before, now, 10).length,
      lost: moved(before, now, Number.POSITIVE_INFINITY).length,
    }
  }
}

class Count {
  /** The best rank of each keyword over its sources; 0 if it is found at none. */
  readonly #best = new Map<string, number>()
  #pairs = 0
  #found = 0
  #top10 = 0
  #sum = 0
  #visibility = 0

  add(phrase: string, rank: number): void {
    const best = this.#best.get(phrase)
    if (best === undefined || (rank > 0 && (best === 0 || rank < best))) this.#best.set(phrase, rank)
    this.#pairs++
    if (rank === 0) return
    this.#found++
    this.#sum += rank
    this.#visibility += visibilityOf(rank)
    if (rank <= 10) this.#top10++
  }

  isEmpty(): boolean {
    return this.#pairs === 0
  }

  phrases(): string[] {
    return [...this.#best.keys()]
  }

  isWithin(phrase: string, most: number): boolean {
    const best = this.#best.get(phrase) ?? 0
    return best > 0 && best <= most
  }

  standing(): Standing {
    const within = (most: number) => this.phrases().filter((phrase) => this.isWithin(phrase, most)).length
    return {
      pairs: this.#pairs,
      found: this.#found,
      top10: this.#top10,
      keywords: this.#best.size,
      keywordsTop3: within(3),
      keywordsTop10: within(10),
      keywordsFound: within(Number.POSITIVE_INFINITY),
      visibility: this.#pairs === 0 ? null : this.#visibility / this.#pairs,
      average: this.#found === 0 ? null : this.#sum / this.#found,
    }
  }
}
