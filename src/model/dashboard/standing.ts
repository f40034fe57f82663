/** The standing of a site: visibility, keywords in the top 10 and average position, now and at the end of the previous period. */

/**
 * The worth of a rank, from 100 for the first place to 0 beyond the hundredth or if not found: 100 x (1 - log rank / log 101). The third place is worth 76,
 * the tenth 50, the twentieth 35, the fiftieth 15.
 */
export function visibilityOf(rank: number): number {
  return rank < 1 || rank > 100 ? 0 : 100 * (1 - Math.log(rank) / Math.log(101))
}

/** Further down nobody looks, and keywords come and go by themselves. */
export const lastSeenRank = 50

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
    /** The averages over the pairs that were found at both ends: a keyword that is lost must not better the average. Null if there are none. */
    readonly averages: { readonly now: number; readonly before: number } | null
    /** Keywords that entered and left the top 10. */
    readonly entered: number
    readonly left: number
    /** Keywords that were found before and no longer are. */
    readonly lost: number
    /** Those of them that stood where somebody looks. */
    readonly lostSeen: number
  } | null
}

/** Lines of one keyword must be added one after the other, as they are read. */
export class StandingsOf {
  readonly #now = new Count()
  readonly #sharedNow = new Count()
  readonly #sharedBefore = new Count()
  readonly #foundAtBoth = { pairs: 0, now: 0, before: 0 }
  readonly #moves = { entered: 0, left: 0, lost: 0, lostSeen: 0 }
  #phrase: string | undefined

  add(phrase: string, now: number | null, before: number | null): void {
    if (phrase !== this.#phrase) this.#endKeyword()
    this.#phrase = phrase
    if (now !== null) this.#now.add(now)
    if (now === null || before === null) return
    this.#sharedNow.add(now)
    this.#sharedBefore.add(before)
    if (now > 0 && before > 0) this.#addFound(now, before)
  }

  #addFound(now: number, before: number): void {
    const both = this.#foundAtBoth
    both.pairs++
    both.now += now
    both.before += before
  }

  #endKeyword(): void {
    this.#now.endKeyword()
    const [now, before] = [this.#sharedNow.endKeyword(), this.#sharedBefore.endKeyword()]
    if (isWithin(now, 10) && !isWithin(before, 10)) this.#moves.entered++
    if (isWithin(before, 10) && !isWithin(now, 10)) this.#moves.left++
    const isLost = isWithin(before, Number.POSITIVE_INFINITY) && !isWithin(now, Number.POSITIVE_INFINITY)
    if (isLost) this.#moves.lost++
    if (isLost && isWithin(before, lastSeenRank)) this.#moves.lostSeen++
    this.#phrase = undefined
  }

  standings(): Standings {
    this.#endKeyword()
    return { now: this.#now.standing(), compared: this.#sharedNow.isEmpty() ? null : this.#compared() }
  }

  #compared(): Standings['compared'] {
    const { pairs, now, before } = this.#foundAtBoth
    const averages = pairs === 0 ? null : { now: now / pairs, before: before / pairs }
    return { now: this.#sharedNow.standing(), before: this.#sharedBefore.standing(), averages, ...this.#moves }
  }
}

/** A rank of 0 means not found, null that the keyword was not measured. */
function isWithin(rank: number | null, most: number): boolean {
  return rank !== null && rank > 0 && rank <= most
}

class Count {
  /** The best rank of the current keyword over its sources. */
  #best: number | null = null
  readonly #keywords = { all: 0, top3: 0, top10: 0, found: 0 }
  #pairs = 0
  #found = 0
  #top10 = 0
  #sum = 0
  #visibility = 0

  add(rank: number): void {
    if (this.#best === null || (rank > 0 && (this.#best === 0 || rank < this.#best))) this.#best = rank
    this.#pairs++
    if (rank === 0) return
    this.#found++
    this.#sum += rank
    this.#visibility += visibilityOf(rank)
    if (rank <= 10) this.#top10++
  }

  /** Returns the best rank of the keyword that ends here. */
  endKeyword(): number | null {
    const [best, keywords] = [this.#best, this.#keywords]
    this.#best = null
    if (best !== null) keywords.all++
    if (isWithin(best, 3)) keywords.top3++
    if (isWithin(best, 10)) keywords.top10++
    if (isWithin(best, Number.POSITIVE_INFINITY)) keywords.found++
    return best
  }

  isEmpty(): boolean {
    return this.#pairs === 0
  }

  standing(): Standing {
    return {
      pairs: this.#pairs,
      found: this.#found,
      top10: this.#top10,
      keywords: this.#keywords.all,
      keywordsTop3: this.#keywords.top3,
      keywordsTop10: this.#keywords.top10,
      keywordsFound: this.#keywords.found,
      visibility: this.#pairs === 0 ? null : this.#visibility / this.#pairs,
      average: this.#found === 0 ? null : this.#sum / this.#found,
    }
  }
}
