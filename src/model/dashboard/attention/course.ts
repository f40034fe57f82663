/** The course of a site within a period: what its two ends do not tell. Keywords that were lost and came back, and days without a measurement. */

import { dayText } from '../../../lib/time/days.ts'
import { type DayRange, type DaySpan, lastMeasured } from '../positions.ts'
import type { Source } from '../ranking-series.ts'
import { usualInterval } from '../slots.ts'
import { lastSeenRank } from '../standing.ts'

/** Keywords that were not found from one day to another, and are found again. */
export interface Loss extends DaySpan {
  /** The first day on which they were found again. */
  readonly back: string
  readonly days: number
  /** How many of these days were measured. */
  readonly misses: number
  readonly keywords: number
  /** Those of them that stood within `lastSeenRank` before. */
  readonly seenKeywords: number
  /** The engines on which they were lost; empty if those are all. */
  readonly engines: readonly string[]
}

/** Days without a measurement, although one was due. */
export interface Gap extends DaySpan {
  readonly days: number
  /** `first`: nothing is known of the time before; `last`: nothing was measured after. */
  readonly at: 'first' | 'between' | 'last'
  /** Where only one engine lacks them. */
  readonly engine: string | null
}

export interface Course {
  readonly losses: readonly Loss[]
  /** Keywords with a loss, each counted once. */
  readonly lostAndBack: number
  readonly gaps: readonly Gap[]
  readonly measuredDays: number
  readonly days: number
  /** The usual number of days from one measurement to the next. */
  readonly step: number
}

/** Of a site without measurements. */
export const noCourse: Course = { losses: [], lostAndBack: 0, gaps: [], measuredDays: 0, days: 0, step: 1 }

/** With fewer measured days nobody knows which interval is usual. */
const leastKnownDays = 5

/** A keyword that is missing once, or for two days, is a hiccup of the engine or of the measurement. */
const leastMisses = 2
const leastDays = 3

interface Run {
  readonly from: number
  readonly to: number
  readonly back: number
  readonly misses: number
  readonly isSeen: boolean
}

interface Group extends Omit<Run, 'isSeen'> {
  keywords: number
  seenKeywords: number
  phrase: string
  readonly engines: Set<string>
}

/** Lines of one keyword must be added one after the other, as they are read. */
export class CourseOf {
  readonly #range: DayRange
  readonly #groups = new Map<string, Group>()
  readonly #daysOf = new Map<string, Uint8Array>()
  #lostPhrase: string | undefined
  #lostAndBack = 0

  constructor(range: DayRange) {
    this.#range = range
  }

  add(phrase: string, { engine }: Source, ranks: Int32Array): void {
    const measured = this.#daysOf.get(engine) ?? new Uint8Array(this.#range.end)
    this.#daysOf.set(engine, measured)
    for (let day = 0; day < this.#range.end; day++) if ((ranks[day] as number) >= 0) measured[day] = 1
    const runs = runsLost(ranks, this.#range)
    for (const run of runs) this.#addRun(phrase, engine, run)
    if (runs.length > 0 && this.#lostPhrase !== phrase) this.#lostAndBack++
    if (runs.length > 0) this.#lostPhrase = phrase
  }

  #addRun(phrase: string, engine: string, { isSeen, ...run }: Run): void {
    const name = `${run.from} ${run.to} ${run.back}`
    const group = this.#groups.get(name) ?? { ...run, keywords: 0, seenKeywords: 0, phrase: '', engines: new Set<string>() }
    if (group.phrase !== phrase || group.keywords === 0) {
      group.keywords++
      if (isSeen) group.seenKeywords++
    }
    group.phrase = phrase
    group.engines.add(engine)
    this.#groups.set(name, group)
  }

  course(): Course {
    const { start, end } = this.#range
    const all = unionOf([...this.#daysOf.values()], end)
    const days = measuredIn(all, 0, end)
    return {
      losses: [...this.#groups.values()].map((group) => this.#lossOf(group)).toSorted((a, b) => b.keywords * b.days - a.keywords * a.days),
      lostAndBack: this.#lostAndBack,
      gaps: this.#gaps(days),
      measuredDays: measuredIn(all, start, end).length,
      days: end - start,
      step: usualInterval(days),
    }
  }

  #lossOf({ from, to, back, misses, keywords, seenKeywords, engines }: Group): Loss {
    const day = (index: number) => dayText(this.#range.first + index)
    const told = engines.size < this.#daysOf.size ? [...engines].sort() : []
    return { from: day(from), to: day(to), back: day(back), days: to - from + 1, misses, keywords, seenKeywords, engines: told }
  }

  /** Of the site, and of single engines that lack days on which others were measured. */
  #gaps(days: readonly number[]): Gap[] {
    const ofSite = gapsIn(days, this.#range).map((gap) => ({ ...gap, engine: null }))
    const within = (one: Gap) => ofSite.some(({ from, to }) => from <= one.from && to >= one.to)
    if (this.#daysOf.size < 2) return ofSite
    const ofEngines = [...this.#daysOf].flatMap(([engine, measured]) =>
      gapsIn(measuredIn(measured, 0, this.#range.end), this.#range).map((gap) => ({ ...gap, engine })),
    )
    return [...ofSite, ...ofEngines.filter((gap) => gap.at === 'between' && !within(gap))]
  }
}

/** The runs of days, begun in the period after a find, on which it was looked for in vain, up to the next find. */
function runsLost(ranks: Int32Array, { start, end }: DayRange): Run[] {
  const runs: Run[] = []
  let [rank, before, from, to, misses] = [lastRank(ranks, start), 0, 0, 0, 0]
  for (let day = start; day < end; day++) {
    const now = ranks[day] as number
    if (now < 0) continue
    if (now === 0) {
      if (rank > 0) [from, before, misses] = [day, rank, 0]
      ;[to, misses] = [day, misses + 1]
    } else if (before > 0 && rank === 0 && misses >= leastMisses && to - from + 1 >= leastDays)
      runs.push({ from, to, misses, back: day, isSeen: before <= lastSeenRank })
    rank = now
  }
  return runs
}

/** The last rank before a day: 0 if it was not found, -1 if it was not measured. */
function lastRank(ranks: Int32Array, end: number): number {
  return ranks[lastMeasured(ranks, 0, end)] ?? -1
}

function unionOf(some: readonly Uint8Array[], end: number): Uint8Array {
  const all = new Uint8Array(end)
  for (const one of some) for (let day = 0; day < end; day++) if (one[day] === 1) all[day] = 1
  return all
}

function measuredIn(measured: Uint8Array, from: number, to: number): number[] {
  const days: number[] = []
  for (let day = from; day < to; day++) if (measured[day] === 1) days.push(day)
  return days
}

/** Runs of unmeasured days of the period that are longer than usual. A running period may lack its last days. */
function gapsIn(days: readonly number[], { first, start, end }: DayRange): Omit<Gap, 'engine'>[] {
  const reach = usualInterval(days) * 1.5
  const gaps: Omit<Gap, 'engine'>[] = []
  const add = (from: number, to: number, at: Gap['at']) => {
    const begin = Math.max(from, start)
    if (to >= begin) gaps.push({ from: dayText(first + begin), to: dayText(first + to), days: to - begin + 1, at })
  }
  for (const [index, day] of days.entries()) {
    const before = days[index - 1]
    if (before === undefined) add(0, day - 1, 'first')
    else if (day - before > reach && days.length >= leastKnownDays) add(before + 1, day - 1, 'between')
  }
  const last = days.at(-1)
  if (last !== undefined && end - 1 - last > Math.max(leastDays, reach)) add(last + 1, end - 1, 'last')
  return gaps
}
