/** Reads rankings of subjects over a range of days, unpacked into one number per keyword, source and day. */

import type { Kysely } from 'kysely'
import { memoByObject } from '../../lib/memo.ts'
import { dayNumber, startOfDay } from '../../lib/time/days.ts'
import { monthOf, rankingLayout, timeAt, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { type NamedSource, sourcePieces } from '../core/source-pieces.ts'
import { keywordPieces } from '../core/subject-pieces.ts'
import { padded } from '../imports/batches.ts'
import { type DailyRanks, RankedDays, Unpacking } from './daily-ranks.ts'
import { monthPieces } from './month-pieces.ts'

export type Source = NamedSource

export interface Keyword {
  readonly id: number
  readonly subject_id: number
  readonly phrase: string
}

export type OnRankings = (keyword: Keyword, source: Source, daily: DailyRanks) => void

export interface RankingQuery {
  readonly accountId: number
  readonly subjectIds: readonly number[]
  readonly from: string
  readonly to: string
  /** The time zone in which days are counted. */
  readonly zone: string
  /** Limits the query to one keyword. */
  readonly phrase?: string
}

/** What a page asks for; null means all. */
export interface SourceChoice {
  readonly engine: string | null
  readonly locale: string | null
}

/** A page knows at most this many engines with their locales, the first by name and the first of the choice; reports contain all. */
export const mostSources = 100

export async function readSources(db: Kysely<Tables>, accountId: number, choice?: SourceChoice): Promise<Source[]> {
  const [first, chosen]: [Source[], Source[]] = [[], []]
  const isNarrow = choice !== undefined && (choice.engine !== null || choice.locale !== null)
  for await (const rows of sourcePieces(db, accountId)) {
    for (const row of rows) {
      if (row.locale === '') continue
      if (first.length < mostSources) first.push(row)
      else if (isNarrow && chosen.length < mostSources && isChosen(row, choice)) chosen.push(row)
    }
    if (first.length === mostSources && (!isNarrow || chosen.length === mostSources)) break
  }
  return [...first, ...chosen]
}

export function isChosen(source: Source, { engine, locale }: SourceChoice): boolean {
  return (engine === null || source.engine === engine) && (locale === null || source.locale === locale)
}

/** Calls `visit` for everything with entries in the range. Keywords and their months are read in pieces, however many there are. */
export async function eachRanking(db: Kysely<Tables>, query: RankingQuery, sources: readonly Source[], visit: OnRankings): Promise<void> {
  const known = byCode(sources)
  const days = new RankedDays(query, known)
  for await (const keywords of wantedKeywords(db, query)) {
    const byId = new Map(keywords.map((one) => [one.id, one]))
    for await (const unpacked of unpackedKeywords(db, query, days, [...byId.keys()])) {
      const keyword = byId.get(unpacked.keywordId)
      for (const daily of unpacked.bySource()) {
        const source = known.get(daily.code)
        if (keyword && source) visit(keyword, source, daily)
      }
    }
  }
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
