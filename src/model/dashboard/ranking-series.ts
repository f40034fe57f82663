/** Rankings of subjects over a range of days, unpacked into one number per keyword, source and day. */

import type { Kysely } from 'kysely'
import { dayNumber, startOfDay } from '../../lib/time/days.ts'
import { firstAfter, firstFrom, monthOf, rankAt, rankingLayout, sourceAt, timeAt, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'

export interface Source {
  readonly code: number
  readonly engine: string
  readonly locale: string
}

export interface Keyword {
  readonly id: number
  readonly subject_id: number
  readonly phrase: string
}

/** One keyword at one source: the last rank of each day, 0 where it was looked for and not found, -1 where it was not measured. */
export interface DailyRanks {
  readonly ranks: Int32Array
  /** Earlier measurements of days that have several, as pairs of day and rank. */
  readonly earlier: readonly number[]
}

export type OnRankings = (keyword: Keyword, source: Source, daily: DailyRanks) => void

export interface RankingQuery {
  readonly accountId: number
  readonly subjectIds: readonly number[]
  readonly from: string
  readonly to: string
  /** A day of a ranking is a day in this time zone. */
  readonly zone: string
  /** One keyword alone. */
  readonly phrase?: string
}

export async function readSources(db: Kysely<Tables>, accountId: number): Promise<Source[]> {
  const sources = db
    .selectFrom('sources')
    .select(['code', 'engine', 'locale'])
    .where('account_id', '=', accountId)
    .where('locale', '!=', '')
  return sources.orderBy('engine').orderBy('locale').execute()
}

/** Reads with two statements, however many keywords there are, and visits only what has entries in the range. */
export async function eachRanking(db: Kysely<Tables>, query: RankingQuery, sources: readonly Source[], visit: OnRankings): Promise<void> {
  if (query.subjectIds.length === 0) return
  const keywords = await keywordsOf(db, query).select(['id', 'subject_id', 'phrase']).execute()
  const chunks = await readChunks(db, query)
  const [byId, byCode] = [new Map(keywords.map((one) => [one.id, one])), new Map(sources.map((one) => [one.code, one]))]
  for (const [keywordId, ofKeyword] of inRuns(chunks)) {
    const keyword = byId.get(keywordId)
    if (!keyword) continue
    for (const [code, daily] of unpack(ofKeyword, query).entries()) {
      const source = byCode.get(code)
      if (daily && source) visit(keyword, source, daily)
    }
  }
}

function keywordsOf(db: Kysely<Tables>, { accountId, subjectIds, phrase }: RankingQuery) {
  const keywords = db.selectFrom('keywords').where('account_id', '=', accountId).where('subject_id', 'in', subjectIds)
  return phrase === undefined ? keywords : keywords.where('phrase', '=', phrase)
}

interface KeywordChunk {
  readonly keyword_id: number
  readonly data: Uint8Array
}

function readChunks(db: Kysely<Tables>, query: RankingQuery): Promise<KeywordChunk[]> {
  return db
    .selectFrom('ranking_months')
    .select(['keyword_id', 'data'])
    .where('account_id', '=', query.accountId)
    .where('keyword_id', 'in', keywordsOf(db, query).select('id'))
    .where('starts_at', '>=', monthOf(startOfDay(dayNumber(query.from), query.zone)))
    .where('starts_at', '<', startOfDay(dayNumber(query.to) + 1, query.zone))
    .orderBy('keyword_id')
    .orderBy('starts_at')
    .execute()
}

/** Chunks come by keyword, so those of one keyword follow each other. */
function* inRuns(chunks: readonly KeywordChunk[]): Generator<[keywordId: number, chunks: KeywordChunk[]]> {
  for (let start = 0; start < chunks.length; ) {
    const id = (chunks[start] as KeywordChunk).keyword_id
    let end = start + 1
    while (chunks[end]?.keyword_id === id) end++
    yield [id, chunks.slice(start, end)]
    start = end
  }
}

interface Unpacked {
  readonly ranks: Int32Array
  readonly earlier: number[]
}

/** By the code of the source: there are a handful, which an array finds quicker than a map, once for every ranking. */
function unpack(chunks: readonly KeywordChunk[], { from, to, zone }: RankingQuery): (Unpacked | undefined)[] {
  const first = dayNumber(from)
  const days = dayNumber(to) - first + 1
  const [since, until, step] = [startOfDay(first, zone), startOfDay(first + days, zone) - 1, rankingLayout.words]
  const rows: (Unpacked | undefined)[] = []
  let day = 0
  let dayEnd = startOfDay(first + 1, zone)
  for (const chunk of chunks) {
    const words = wordsOf(chunk.data)
    const end = firstAfter(words, rankingLayout, until)
    for (let index = firstFrom(words, rankingLayout, since); index < end; index += step) {
      while (timeAt(words, index) >= dayEnd) dayEnd = startOfDay(first + ++day + 1, zone)
      const code = sourceAt(words, index)
      let row = rows[code]
      if (row === undefined) {
        row = { ranks: new Int32Array(days).fill(-1), earlier: [] }
        rows[code] = row
      }
      // Entries come by time, so the last of a day is the one that stays in front.
      const { ranks } = row
      const before = ranks[day] as number
      if (before >= 0) row.earlier.push(day, before)
      ranks[day] = rankAt(words, index)
    }
  }
  return rows
}

/** When each subject was last ranked at all, whatever the period: as a second since 1970. */
export async function lastRankedAt(db: Kysely<Tables>, accountId: number, subjectIds: readonly number[]): Promise<Map<number, number>> {
  const last = new Map<number, number>()
  if (subjectIds.length === 0) return last
  const months = db
    .selectFrom('keywords')
    .innerJoin('ranking_months', (join) =>
      join.onRef('ranking_months.keyword_id', '=', 'keywords.id').onRef('ranking_months.account_id', '=', 'keywords.account_id'),
    )
    .where('keywords.account_id', '=', accountId)
    .where('keywords.subject_id', 'in', subjectIds)
  const newest = months.select((eb) => ['keywords.subject_id', eb.fn.max('ranking_months.starts_at').as('starts_at')])
  for (const { subject_id, starts_at } of await newest.groupBy('keywords.subject_id').execute()) {
    const chunks = months.select('ranking_months.data').where('keywords.subject_id', '=', subject_id)
    const rows = await chunks.where('ranking_months.starts_at', '>=', monthOf(Number(starts_at))).execute()
    last.set(subject_id, Math.max(...rows.map(({ data }) => lastTime(wordsOf(data)))))
  }
  return last
}

function lastTime(words: Uint32Array): number {
  return words.length === 0 ? 0 : timeAt(words, words.length - rankingLayout.words)
}
