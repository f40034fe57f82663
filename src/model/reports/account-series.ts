/** The series of an account's rankings: which of them a report prints, and under which names. */

import { bySubstitution, isPlain, type Tracked, trackedName } from '../../resources/tracked.ts'
import { rankingLayout, sourceAt, timeAt } from '../../store/packed-months.ts'
import { betweenWords, trackedIn } from '../../store/series.ts'
import type { RankingChoice } from './question.ts'
import type { SnapshotReader } from './snapshot-reader.ts'
import type { Label, PackedRankings } from './write-rankings.ts'

const step = rankingLayout.words
const secondsPerDay = 86_400

/** How a series is printed: by itself, in place of one that has nothing on a day, or not at all. */
type Part = 'itself' | 'substitute' | 'nothing'

interface Series extends Tracked {
  readonly part: Part
  /** What the series stands for: its engine and locale. */
  readonly pair: string
}

export class AccountSeries {
  /** By the code of a series; only those that are printed are loaded, because an account may have tens of thousands. */
  readonly labels: Label[] = []
  readonly #series: Series[] = []
  /** 1 for each code that is loaded. */
  #known = new Uint8Array(64)
  readonly #reading: SnapshotReader
  readonly #accountId: number
  readonly #choice: RankingChoice
  /** Whether any of the loaded series is not just printed as it is stored. */
  #isChosen = false

  constructor(reading: SnapshotReader, accountId: number, choice: RankingChoice) {
    this.#reading = reading
    this.#accountId = accountId
    this.#choice = choice
  }

  /** Loads the series of these rankings, if any is unknown. */
  know(spans: readonly PackedRankings[]): Promise<void> | undefined {
    const [unknown, known] = [new Set<number>(), this.#known]
    // This runs for every ranking of every report; a code beyond the end is unknown too.
    for (const { words, from, to } of spans)
      for (let at = from; at < to; at += step) if (known[sourceAt(words, at)] !== 1) unknown.add(sourceAt(words, at))
    return unknown.size === 0 ? undefined : this.#load([...unknown])
  }

  /** Whether a long keyword must be read twice, because its substitutes must be known before the first ranking is printed. */
  async mayChoose(): Promise<boolean> {
    if (this.#choice.series === 'all') return false
    const ranked = this.#reading.db.selectFrom('sources').select('code').where('account_id', '=', this.#accountId).where('locale', '!=', '')
    return (await ranked.where('engine', 'like', `%${betweenWords}%`).limit(1).execute()).length > 0
  }

  substitutes(): Substitutes {
    return new Substitutes(this.#series)
  }

  /** Without substitutes, these are all rankings of a keyword. */
  printed(spans: readonly PackedRankings[], known?: Substitutes): readonly PackedRankings[] {
    if (!this.#isChosen) return spans
    const substitutes = known ?? this.#substitutesIn(spans)
    return spans.flatMap((span) => {
      const words = this.#inPrintedOrder(substitutes.kept(span))
      return words.length === 0 ? [] : [{ ...span, words, from: 0, to: words.length }]
    })
  }

  #substitutesIn(spans: readonly PackedRankings[]): Substitutes {
    const substitutes = this.substitutes()
    substitutes.find(spans)
    substitutes.findDays(spans)
    return substitutes
  }

  async #load(codes: readonly number[]): Promise<void> {
    const { db, isOneOf } = this.#reading
    const sources = db.selectFrom('sources').select(['code', 'engine', 'locale']).where('account_id', '=', this.#accountId)
    for (const { code, engine, locale } of await sources.where(isOneOf('code', codes)).execute()) {
      const tracked = trackedIn(engine)
      const part = this.#partOf(tracked)
      this.#series[code] = { ...tracked, part, pair: tracked.engine + betweenWords + locale }
      this.labels[code] = this.#labelOf(tracked, locale)
      this.#isChosen ||= part !== 'itself' || !isPlain(tracked)
    }
    this.#note(codes)
  }

  #note(codes: readonly number[]): void {
    const last = codes.reduce((most, code) => Math.max(most, code), 0)
    if (last >= this.#known.length) {
      const more = new Uint8Array(2 ** Math.ceil(Math.log2(last + 1)))
      more.set(this.#known)
      this.#known = more
    }
    for (const code of codes) this.#known[code] = 1
  }

  #partOf(tracked: Tracked): Part {
    const { series, device, location } = this.#choice
    if ((device ?? tracked.device) !== tracked.device || (location ?? tracked.location) !== tracked.location) return 'nothing'
    return series === 'all' || isPlain(tracked) ? 'itself' : 'substitute'
  }

  #labelOf(tracked: Tracked, locale: string): Label {
    const { engine, device, location } = tracked
    if (this.#choice.series === 'one' || isPlain(tracked)) return { locale, search_engine: engine }
    return { locale, search_engine: trackedName(tracked), device, location }
  }

  /** Rankings of one second are stored by the names of their series, which may be printed otherwise. */
  #inPrintedOrder(words: Uint32Array): Uint32Array {
    for (let at = step; at < words.length; at += step)
      for (let to = at; to > 0 && timeAt(words, to - step) === timeAt(words, to) && this.#isAfter(words, to - step, to); to -= step)
        exchange(words, to - step, to)
    return words
  }

  #isAfter(words: Uint32Array, one: number, other: number): boolean {
    const [a, b] = [this.labels[sourceAt(words, one)] as Label, this.labels[sourceAt(words, other)] as Label]
    return a.search_engine === b.search_engine ? comesAfter(a.locale, b.locale) : comesAfter(a.search_engine, b.search_engine)
  }
}

/** The substitutes of one keyword, each chosen once for all days, and the days on which they are not needed. */
export class Substitutes {
  readonly #series: readonly Series[]
  /** The code of the substitute by what it stands for. */
  readonly #codes = new Map<string, number>()
  readonly #days = new Map<string, Set<number>>()

  constructor(series: readonly Series[]) {
    this.#series = series
  }

  find(spans: readonly PackedRankings[]): void {
    const seen = new Set<number>()
    for (const { words, from, to } of spans) for (let at = from; at < to; at += step) seen.add(sourceAt(words, at))
    for (const code of seen) this.#consider(code)
  }

  #consider(code: number): void {
    const { part, pair } = this.#of(code)
    if (part !== 'substitute') return
    const chosen = this.#codes.get(pair)
    if (chosen === undefined || bySubstitution(this.#of(code), this.#of(chosen)) < 0) this.#codes.set(pair, code)
  }

  /** Call it after all substitutes were found. */
  findDays(spans: readonly PackedRankings[]): void {
    if (this.#codes.size === 0) return
    for (const { words, from, to } of spans)
      for (let at = from; at < to; at += step) {
        const { part, pair } = this.#of(sourceAt(words, at))
        if (part === 'itself' && this.#codes.has(pair)) this.#addDay(pair, dayAt(words, at))
      }
  }

  #addDay(pair: string, day: number): void {
    const days = this.#days.get(pair)
    if (days === undefined) this.#days.set(pair, new Set([day]))
    else days.add(day)
  }

  /** A copy of the rankings that are printed. */
  kept({ words, from, to }: PackedRankings): Uint32Array {
    const kept = new Uint32Array(to - from)
    let end = 0
    for (let at = from; at < to; at += step) {
      if (!this.#isKept(words, at)) continue
      for (let word = 0; word < step; word++) kept[end + word] = words[at + word] as number
      end += step
    }
    return kept.subarray(0, end)
  }

  #isKept(words: Uint32Array, at: number): boolean {
    const code = sourceAt(words, at)
    const { part, pair } = this.#of(code)
    if (part !== 'substitute') return part === 'itself'
    return this.#codes.get(pair) === code && this.#days.get(pair)?.has(dayAt(words, at)) !== true
  }

  #of(code: number): Series {
    return this.#series[code] as Series
  }
}

function dayAt(words: Uint32Array, at: number): number {
  return Math.floor(timeAt(words, at) / secondsPerDay)
}

function exchange(words: Uint32Array, one: number, other: number): void {
  for (let word = 0; word < step; word++) {
    const kept = words[one + word] as number
    words[one + word] = words[other + word] as number
    words[other + word] = kept
  }
}

/** By code points, as both databases order names; code units differ from them only above U+D800. */
function comesAfter(one: string, other: string): boolean {
  return one !== other && (/[\ud800-\uffff]/.test(one + other) ? Buffer.compare(Buffer.from(one), Buffer.from(other)) > 0 : one > other)
}
