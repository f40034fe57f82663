/** Reads rankings of subjects over a range of days, unpacked into one number per keyword, source and day. */

import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { memoByObject } from '../../lib/memo.ts'
import { dayNumber, startOfDay } from '../../lib/time/days.ts'
import { endOfSlice } from '../../lib/work/slices.ts'
import { monthOf, rankingLayout, timeAt, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { type NamedSource, sourcePieces } from '../core/source-pieces.ts'
import { keywordPieces } from '../core/subject-pieces.ts'
import { padded } from '../imports/batches.ts'
import { type DailyRanks, RankedDays, Unpacking } from './daily-ranks.ts'

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

export async function readSources(db: Kysely<Tables>, accountId: number): Promise<Source[]> {
  const sources: Source[] = []
  for await (const rows of sourcePieces(db, accountId)) for (const row of rows) if (row.locale !== '') sources.push(row)
  return sources
}

/** Calls `visit` for everything with entries in the range. Keywords and their months are read in pieces, however many there are. */
export async function eachRanking(db: Kysely<Tables>, query: RankingQuery, sources: readonly Source[], visit: OnRankings): Promise<void> {
  const [known, days] = [byCode(sources), new RankedDays(query)]
  for await (const keywords of wantedKeywords(db, query)) {
    const byId = new Map(keywords.map((one) => [one.id, one]))
    for await (const unpacked of unpackedKeywords(db, query, days, [...byId.keys()])) {
      for (const daily of unpacked.bySource()) {
        const [keyword, source] = [byId.get(unpacked.keywordId), known.get(daily.code)]
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
  let current: Unpacking | undefined
  for await (const chunks of chunkPieces(db, query, ids)) {
    for (const { keyword_id, data } of chunks) {
      if (current !== undefined && current.keywordId !== keyword_id) yield current
      if (current?.keywordId !== keyword_id) current = new Unpacking(keyword_id, days)
      current.add(wordsOf(data))
    }
    await endOfSlice()
  }
  if (current !== undefined) yield current
}

interface KeywordChunk {
  readonly keyword_id: number
  readonly starts_at: number
  readonly data: Uint8Array
}

const chunksPerRead = 500

/** Ordered by keyword and time. */
async function* chunkPieces(db: Kysely<Tables>, query: RankingQuery, ids: readonly number[]): AsyncGenerator<readonly KeywordChunk[]> {
  const all = db
    .selectFrom('ranking_months')
    .select(['keyword_id', 'starts_at', 'data'])
    .where('account_id', '=', query.accountId)
    .where('starts_at', '>=', monthOf(startOfDay(dayNumber(query.from), query.zone)))
    .where('starts_at', '<', startOfDay(dayNumber(query.to) + 1, query.zone))
    .orderBy('keyword_id')
    .orderBy('starts_at')
    .limit(chunksPerRead)
  let last: KeywordChunk | undefined
  for (let rest = ids; rest.length > 0; ) {
    const some = all.where('keyword_id', 'in', padded(rest))
    const rows: KeywordChunk[] = await (last === undefined ? some : some.where(behind(last))).execute()
    yield rows
    last = rows.at(-1)
    const reached = last?.keyword_id ?? 0
    rest = rows.length < chunksPerRead ? [] : rest.filter((id) => id >= reached)
  }
}

function behind({ keyword_id, starts_at }: KeywordChunk): RawBuilder<SqlBool> {
  return sql<SqlBool>`(keyword_id, starts_at) > (${keyword_id}, ${starts_at})`
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
    await endOfSlice()
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
