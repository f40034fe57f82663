/** The keywords of a site on its search page: counted while they are read, so that their days need not be kept. */

import { dayText } from '../../lib/time/days.ts'
import { isPlain } from '../../resources/tracked.ts'
import { CourseOf } from './attention/course.ts'
import type { DailyRanks } from './daily-ranks.ts'
import { type KeywordFacts, noFacts } from './keyword-facts.ts'
import { type DayRange, type KeywordPosition, keywordPositionOf, lastMeasured, PositionStats } from './positions.ts'
import { isChosen, type Keyword, type Source, type SourceChoice } from './ranking-series.ts'
import { StandingsOf } from './standing.ts'
import { VisibilityTrend } from './visibility-trend.ts'
import { WeekStats } from './week-bands.ts'

/** One keyword at one source. */
export interface KeywordLine extends KeywordPosition {
  readonly keywordId: number
  readonly phrase: string
  readonly source: Source
  readonly facts: KeywordFacts
}

/** A page lists and compares at most this many pairs of keyword and source; reports contain all. */
export const mostLines = 200_000

/** Each device and location may be a line of its own; the figures count one for each engine and locale all the same. */
export interface LineChoice extends SourceChoice {
  readonly isSplit: boolean
}

export class OwnLines {
  /** The ranks of each pair that is listed, at both ends. */
  readonly ranks = new Map<string, { readonly now: number | null; readonly before: number | null }>()
  /** The codes of all sources with measurements, whatever was requested. */
  readonly measuredAt = new Set<number>()
  /** The series with a device or location that stand for an engine in the figures. */
  readonly standing = new Map<number, Source>()
  readonly #range: DayRange
  readonly #facts: ReadonlyMap<number, KeywordFacts>
  readonly #choice: LineChoice
  readonly #own: PositionStats
  readonly #weeks: WeekStats
  readonly #standings = new StandingsOf()
  readonly #course: CourseOf
  readonly #trend: VisibilityTrend
  readonly #keywords: KeywordLine[] = []
  #pairs = 0
  #last = -1

  constructor(range: DayRange, facts: ReadonlyMap<number, KeywordFacts>, choice: LineChoice) {
    this.#range = range
    this.#facts = facts
    this.#choice = choice
    this.#own = new PositionStats(range)
    this.#weeks = new WeekStats(range)
    this.#course = new CourseOf(range)
    this.#trend = new VisibilityTrend(range, 0)
  }

  add(keyword: Keyword, source: Source, daily: DailyRanks, isHeadline: boolean): void {
    this.measuredAt.add(source.code)
    this.#last = Math.max(this.#last, lastMeasured(daily.ranks, 0, this.#range.end))
    if (isChosen(source, this.#choice) && (isHeadline || this.#choice.isSplit)) this.#addChosen(keyword, source, daily, isHeadline)
  }

  #addChosen({ id, phrase }: Keyword, source: Source, daily: DailyRanks, isHeadline: boolean): void {
    const position = keywordPositionOf(daily, this.#range)
    if (isHeadline) this.#count(phrase, source, daily, position)
    if (this.#keywords.length === mostLines) return
    this.#keywords.push({ keywordId: id, phrase, source, ...position, facts: this.#facts.get(id) ?? noFacts })
    if (isHeadline) this.ranks.set(pairOf(phrase, source), position)
  }

  #count(phrase: string, source: Source, daily: DailyRanks, { now, before }: KeywordPosition): void {
    this.#own.add(daily)
    this.#weeks.add(daily.ranks)
    this.#standings.add(phrase, now, before)
    this.#course.add(phrase, source, daily.ranks)
    this.#trend.add(daily.ranks)
    if (!isPlain(source)) this.standing.set(source.code, source)
    if (isMeasured(daily, this.#range)) this.#pairs++
  }

  /** Lists keywords that were shown or clicked and never ranked. They are counted in no figure, and left out where an engine, locale, device or location was chosen. */
  addClicked(): void {
    const { engine, locale, device, location } = this.#choice
    if ([engine, locale, device, location].some((wanted) => wanted !== null)) return
    const ranked = new Set(this.#keywords.map(({ keywordId }) => keywordId))
    const unranked = { ranks: new Int32Array(this.#range.end).fill(-1), earlier: null }
    const position = keywordPositionOf(unranked, this.#range)
    for (const [keywordId, facts] of this.#facts) {
      if (facts.clicks === null || ranked.has(keywordId) || this.#keywords.length === mostLines) continue
      this.#keywords.push({ keywordId, phrase: facts.phrase, source: noSource, ...position, facts })
    }
  }

  figures() {
    const [standings, weeks] = [this.#standings.standings(), this.#weeks.weeks()]
    const [course, trend] = [this.#course.course(), this.#trend]
    return { own: this.#own, pairs: this.#pairs, standings, course, trend, weeks, keywords: this.#keywords }
  }

  /** The last day with a measurement at any source, within the days that were read. */
  lastDay(): string | null {
    return this.#last < 0 ? null : dayText(this.#range.first + this.#last)
  }
}

/** Of a keyword that was never ranked. */
export const noSource: Source = { code: -1, engine: '', locale: '', device: '', location: '' }

/** The name of a pair of keyword and source. */
export function pairOf(phrase: string, { code }: Source): string {
  return `${code} ${phrase}`
}

/** Whether there is a measurement in the period. */
export function isMeasured({ ranks }: DailyRanks, { start, end }: DayRange): boolean {
  for (let day = start; day < end; day++) if ((ranks[day] as number) >= 0) return true
  return false
}
