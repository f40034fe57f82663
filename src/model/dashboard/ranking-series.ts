/** Reads rankings of subjects over a range of days, unpacked into one number per keyword, source and day. */

import type { Kysely } from 'kysely'
import { memoByObject } from '../../lib/memo.ts'
import { dayNumber, startOfDay } from '../../lib/time/days.ts'
import { byPreference, type Tracked } from '../../resources/tracked.ts'
import { monthOf, rankingLayout, timeAt, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { betweenWords, trackedIn } from '../../store/series.ts'
import { type NamedSource, sourcePieces } from '../core/source-pieces.ts'
import { keywordPieces } from '../core/subject-pieces.ts'
import { padded } from '../imports/batches.ts'
import { isOfPlace } from './clicks.ts'
import { type DailyRanks, RankedDays, Unpacking } from './daily-ranks.ts'
import { monthPieces } from './month-pieces.ts'

/** An engine with a locale, and with a device and a location if they are told. */
export type Source = NamedSource & Tracked

export interface Keyword {
  readonly id: number
  readonly subject_id: number
  readonly phrase: string
}

/** `isHeadline` of one series for each engine and locale: the one without device and location, or the one that stands for it. */
export type OnRankings = (keyword: Keyword, source: Source, daily: DailyRanks, isHeadline: boolean) => void

export interface RankingQuery {
  readonly accountId: number
  readonly subjectIds: readonly number[]
  readonly from: string
  readonly to: string
  /** The time zone in which days are counted. */
  readonly zone: string
  /** Limits the query to one keyword. */
  readonly phrase?: string
  /** Headlines are only taken from series of this device and location. */
  readonly choice?: SourceChoice
}

/** What a page asks for; null means all. */
export interface SourceChoice {
  readonly engine: string | null
  readonly locale: string | null
  readonly device: string | null
  readonly location: string | null
}

/** A page knows at most this many engines with their locales, the first by name and the first of the choice, with so many devices and locations in all; reports contain all. */
export const mostSources = 100
const mostSeries = 1_000

export async function readSources(db: Kysely<Tables>, accountId: number, choice?: SourceChoice): Promise<Source[]> {
  const [first, chosen] = [new KnownSources(), new KnownSources()]
  const isNarrow = choice !== undefined && Object.values(choice).some((wanted) => wanted !== null)
  for await (const rows of sourcePieces(db, accountId)) {
    for (const row of rows) {
      if (row.locale === '') continue
      const source = { ...row, ...trackedIn(row.engine) }
      if (!first.add(source) && isNarrow && isChosen(source, choice)) chosen.add(source)
    }
    if (first.isFull && (!isNarrow || chosen.isFull)) break
  }
  return [...first.all, ...chosen.all]
}

class KnownSources {
  readonly all: Source[] = []
  readonly #pairs = new Set<string>()

  /** False if there is no room for it. */
  add(source: Source): boolean {
    const pair = pairOf(source)
    if (this.all.length >= mostSeries || (this.#pairs.size >= mostSources && !this.#pairs.has(pair))) return false
    this.#pairs.add(pair)
    this.all.push(source)
    return true
  }

  get isFull(): boolean {
    return this.all.length >= mostSeries || this.#pairs.size >= mostSources
  }
}

function pairOf({ engine, locale }: Source): string {
  return engine + betweenWords + locale
}

export function isChosen(source: Source, choice: SourceChoice): boolean {
  return (
    (choice.engine ?? source.engine) === source.engine && (choice.locale ?? source.locale) === source.locale && isOfPlace(source, choice)
  )
}

/** Calls `visit` for everything with entries in the range. Keywords and their months are read in pieces, however many there are. */
export async function eachRanking(db: Kysely<Tables>, query: RankingQuery, sources: readonly Source[], visit: OnRankings): Promise<void> {
  const known = byCode(sources)
  const days = new RankedDays(query, known)
  for await (const keywords of wantedKeywords(db, query)) {
    const byId = new Map(keywords.map((one) => [one.id, one]))
    for await (const unpacked of unpackedKeywords(db, query, days, [...byId.keys()])) {
      const keyword = byId.get(unpacked.keywordId)
      const found = unpacked.bySource().map((daily) => ({ daily, source: known.get(daily.code) as Source }))
      const headlines = headlinesAmong(found, query.choice)
      for (const { daily, source } of found) if (keyword) visit(keyword, source, daily, headlines.get(pairOf(source)) === source)
    }
  }
}

/** The series of each engine and locale that stands for all of its devices and locations. */
function headlinesAmong(found: readonly { readonly source: Source }[], choice: SourceChoice | undefined): ReadonlyMap<string, Source> {
  const headlines = new Map<string, Source>()
  for (const { source } of found) {
    if (choice !== undefined && !isOfPlace(source, choice)) continue
    const before = headlines.get(pairOf(source))
    if (before === undefined || byPreference(source, before) < 0) headlines.set(pairOf(source), source)
  }
  return headlines
}

/** Cached, because many sites of an account are read one after the other with the same sources. */
const byCode = memoByObject((sources: readonly Source[]) => new Map(sources.map((one) => [one.code, one])))

async function* wantedKeywords(db: Kysely<Tables>, { accountId, subjectIds, phrase }: RankingQuery): AsyncGenerator<readonly Keyword[]> {
  if (phrase === undefined) return yield* keywordPieces(db, accountId, subjectIds)
  for (let start = 0; start < subjectIds.length; start += subjectsPerRead)
    yield await db
      .selectFrom('keywords')
      .select(['id', 'subject_id', 'phrase'])
      .where('account_id', '=', accountId)
      .where('subject_id', 'in', subjectIds.slice(start, start + subjectsPerRead))
      .where('phrase', '=', phrase)
      .execute()
}

const subjectsPerRead = 500

async function* unpackedKeywords(db: Kysely<Tables>, query: RankingQuery, days: RankedDays, ids: readonly number[]) {
  const { accountId, zone } = query
  const from = monthOf(startOfDay(dayNumber(query.from), zone))
  const before = startOfDay(dayNumber(query.to) + 1, zone)
  let current: Unpacking | undefined
  for await (const months of monthPieces(db, { table: 'ranking_months', accountId, from, before }, ids)) {
    for (const { owner, data } of months) {
      if (current !== undefined && current.keywordId !== owner) yield current
      if (current?.keywordId !== owner) current = new Unpacking(owner, days)
      current.add(wordsOf(data))
    }
  }
  if (current !== undefined) yield current
}

/** When each subject was last ranked at all, in any period, as a Unix time. */
export async function lastRankedAt(db: Kysely<Tables>, accountId: number, subjectIds: readonly number[]): Promise<Map<number, number>> {
  const last = new Map<number, number>()
  for await (const keywords of keywordPieces(db, accountId, subjectIds)) {
    const subjectOf = new Map(keywords.map(({ id, subject_id }) => [id, subject_id]))
    const known = keywords.map(({ subject_id }) => last.get(subject_id) ?? 0)
    for (const { keyword_id, data } of await lastChunks(db, accountId, [...subjectOf.keys()], monthOf(Math.min(...known)))) {
      const subjectId = subjectOf.get(keyword_id) as number
      last.set(subjectId, Math.max(last.get(subjectId) ?? 0, lastTime(wordsOf(data))))
    }
  }
  return last
}

/** The newest packed month of each of these keywords that has one since then. */
function lastChunks(db: Kysely<Tables>, accountId: number, keywordIds: readonly number[], since: number) {
  const months = db
    .selectFrom('ranking_months')
    .where('account_id', '=', accountId)
    .where('keyword_id', 'in', padded(keywordIds))
    .where('starts_at', '>=', since)
  const newest = months.select((eb) => ['keyword_id', eb.fn.max('starts_at').as('starts_at')]).groupBy('keyword_id')
  return months
    .select(['keyword_id', 'data'])
    .where((eb) => eb(eb.refTuple('keyword_id', 'starts_at'), 'in', newest.$asTuple('keyword_id', 'starts_at')))
    .execute()
}

function lastTime(words: Uint32Array): number {
  return words.length === 0 ? 0 : timeAt(words, words.length - rankingLayout.words)
}
