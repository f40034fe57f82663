/** The competitors of a site on its search page: each compared with the site, and a few drawn beside it. */

import type { DailyRanks } from './daily-ranks.ts'
import { isMeasured } from './own-lines.ts'
import { type DayRange, PositionStats, rankBefore, rankNow } from './positions.ts'
import { visibilityOf } from './standing.ts'

export interface RankedSubject {
  readonly id: number
  readonly domain: string
}

/** A competitor compared with the site, over the pairs of keyword and source that are currently measured for both. */
export interface Rival {
  readonly subjectId: number
  readonly domain: string
  readonly compared: number
  /** How many pairs rank better than the site's. */
  readonly ahead: number
  readonly visibility: number | null
  readonly ownVisibility: number | null
  /** The averages over the pairs that are found for both. */
  /** Its visibility now and then, on the pairs that were measured for both at both ends; null if there are none. */
  readonly since: { readonly now: number; readonly before: number } | null
  readonly average: number | null
  readonly ownAverage: number | null
}

/** Compares each competitor while its lines are read. */
export class RivalLines {
  readonly #range: DayRange
  readonly #own: ReadonlyMap<string, EndRanks>
  readonly #byId: ReadonlyMap<number, Comparison>

  constructor(range: DayRange, own: ReadonlyMap<string, EndRanks>, rivals: readonly RankedSubject[]) {
    this.#range = range
    this.#own = own
    this.#byId = new Map(rivals.map(({ id }) => [id, new Comparison()]))
  }

  add(subjectId: number, pair: string, { ranks }: DailyRanks): void {
    const [their, own] = [rankNow(ranks, this.#range), this.#own.get(pair)]
    if (their === null || own === undefined || own.now === null) return
    const comparison = this.#byId.get(subjectId)
    comparison?.add(own.now, their)
    const theirBefore = rankBefore(ranks, this.#range)
    if (theirBefore !== null && own.before !== null) comparison?.addThen(their, theirBefore)
  }

  of({ id, domain }: RankedSubject): Rival {
    return { subjectId: id, domain, ...(this.#byId.get(id) ?? new Comparison()).figures() }
  }
}

/** Of a pair of the site itself: 0 is not found, null not measured. */
export interface EndRanks {
  readonly now: number | null
  readonly before: number | null
}

class Comparison {
  readonly #then = { pairs: 0, now: 0, before: 0 }
  readonly #sums = { compared: 0, ahead: 0, visibility: 0, ownVisibility: 0, found: 0, rank: 0, ownRank: 0 }

  /** A rank of 0 means not found, which is worse than every rank. */
  add(our: number, their: number): void {
    const sums = this.#sums
    sums.compared++
    sums.visibility += visibilityOf(their)
    sums.ownVisibility += visibilityOf(our)
    if (their > 0 && (our === 0 || their < our)) sums.ahead++
    if (their === 0 || our === 0) return
    sums.found++
    sums.rank += their
    sums.ownRank += our
  }

  addThen(now: number, before: number): void {
    this.#then.pairs++
    this.#then.now += visibilityOf(now)
    this.#then.before += visibilityOf(before)
  }

  figures() {
    const { pairs, now, before } = this.#then
    const { compared, ahead, visibility, ownVisibility, found, rank, ownRank } = this.#sums
    const average = (sum: number, count: number) => (count === 0 ? null : sum / count)
    return {
      compared,
      ahead,
      visibility: average(visibility, compared),
      ownVisibility: average(ownVisibility, compared),
      since: pairs === 0 ? null : { now: now / pairs, before: before / pairs },
      average: average(rank, found),
      ownAverage: average(ownRank, found),
    }
  }
}

/** Lines of a chart that can be compared: over the pairs measured in the period for the site and all of these competitors. */
export interface SharedLines {
  readonly pairs: number
  readonly own: PositionStats
  readonly rivals: readonly { readonly domain: string; readonly stats: PositionStats }[]
}

/** So many days of keywords are kept to draw competitors, 4 bytes each; a larger site is drawn alone. */
const mostKeptDays = 8_000_000

type Days = Map<string, DailyRanks>

/** The days of the site and of a few competitors, kept until it is known which pairs all of them share. */
export class SharedDays {
  readonly #range: DayRange
  readonly #rivals: readonly RankedSubject[]
  readonly #own: Days = new Map()
  readonly #bySubject: Map<number, Days>
  #kept = 0

  constructor(range: DayRange, own: number, rivals: readonly RankedSubject[]) {
    this.#range = range
    this.#rivals = rivals
    const all = rivals.length === 0 ? [] : [[own, this.#own] as const, ...rivals.map(({ id }) => [id, new Map()] as const)]
    this.#bySubject = new Map(all)
  }

  add(subjectId: number, pair: string, daily: DailyRanks): void {
    const days = this.#bySubject.get(subjectId)
    if (days === undefined || !isMeasured(daily, this.#range)) return
    days.set(pair, daily)
    this.#kept += daily.ranks.length
    if (this.#kept <= mostKeptDays) return
    this.#bySubject.clear()
    this.#own.clear()
  }

  lines(all: { readonly own: PositionStats; readonly pairs: number }): SharedLines | null {
    const ranked = this.#rivals
      .map(({ id, domain }) => ({ domain, days: this.#bySubject.get(id) ?? new Map() }))
      .filter(({ days }) => days.keys().some((pair) => this.#own.has(pair)))
    const pairs = [...this.#own.keys()].filter((pair) => ranked.every(({ days }) => days.has(pair)))
    if (ranked.length === 0 || pairs.length === 0) return null
    const rivals = ranked.map(({ domain, days }) => ({ domain, stats: this.#statsOf(pairs, days) }))
    const own = pairs.length === all.pairs ? all.own : this.#statsOf(pairs, this.#own)
    return { pairs: pairs.length, own, rivals }
  }

  #statsOf(pairs: readonly string[], days: Days): PositionStats {
    const stats = new PositionStats(this.#range)
    for (const pair of pairs) stats.add(days.get(pair) as DailyRanks)
    return stats
  }
}
