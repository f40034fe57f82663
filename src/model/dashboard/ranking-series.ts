/** Rankings of subjects over a stretch of days, unpacked into one number per keyword, source and day. */

import type { Kysely } from 'kysely'
import { dayNumber } from '../../lib/days.ts'
import { firstAfter, firstFrom, monthOf, rankAt, rankingLayout, sourceAt, timeAt, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'

const secondsPerDay = 86_400

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

/** The place of a keyword on each day: 0 is looked for and not found, -1 not measured. Only valid during the visit. */
export type OnRankings = (keyword: Keyword, source: Source, ranks: Int16Array) => void

export interface RankingQuery {
  readonly accountId: number
  readonly subjectIds: readonly number[]
  readonly from: string
  readonly to: string
  readonly isWanted: (source: Source) => boolean
}

export async function readSources(db: Kysely<Tables>, accountId: number): Promise<Source[]> {
  const sources = db
    .selectFrom('sources')
    .select(['code', 'engine', 'locale'])
    .where('account_id', '=', accountId)
    .where('locale', '!=', '')
  return sources.orderBy('engine').orderBy('locale').execute()
}

/** Two statements whatever the number of keywords. */
export async function eachRanking(db: Kysely<Tables>, reach: RankingQuery, sources: readonly Source[], visit: OnRankings): Promise<void> {
  if (reach.subjectIds.length === 0) return
  const keywords = await db
    .selectFrom('keywords')
    .select(['id', 'subject_id', 'phrase'])
    .where('account_id', '=', reach.accountId)
    .where('subject_id', 'in', reach.subjectIds)
    .execute()
  const chunks = await readChunks(db, reach)
  unpack(
    new Map(keywords.map((keyword) => [keyword.id, keyword])),
    chunks,
    new Map(sources.map((source) => [source.code, source])),
    reach,
    visit,
  )
}

interface KeywordChunk {
  readonly keyword_id: number
  readonly data: Uint8Array
}

function readChunks(db: Kysely<Tables>, { accountId, subjectIds, from, to }: RankingQuery): Promise<KeywordChunk[]> {
  const wanted = db.selectFrom('keywords').select('id').where('account_id', '=', accountId).where('subject_id', 'in', subjectIds)
  return db
    .selectFrom('ranking_months')
    .select(['keyword_id', 'data'])
    .where('account_id', '=', accountId)
    .where('keyword_id', 'in', wanted)
    .where('starts_at', '>=', monthOf(dayNumber(from) * secondsPerDay))
    .where('starts_at', '<', (dayNumber(to) + 1) * secondsPerDay)
    .orderBy('keyword_id')
    .orderBy('starts_at')
    .execute()
}

function unpack(
  keywords: ReadonlyMap<number, Keyword>,
  chunks: readonly KeywordChunk[],
  sources: ReadonlyMap<number, Source>,
  reach: RankingQuery,
  visit: OnRankings,
): void {
  const first = dayNumber(reach.from)
  const days = dayNumber(reach.to) - first + 1
  // By code: a handful of places, found quicker than in a map, once for every ranking.
  const rows: (Int16Array | undefined)[] = []
  const finish = (id: number) => {
    const keyword = keywords.get(id)
    for (const [code, ranks] of rows.entries()) {
      if (ranks === undefined) continue
      const source = sources.get(code)
      if (keyword && source && reach.isWanted(source)) visit(keyword, source, ranks)
      ranks.fill(-1)
    }
  }
  let current = -1
  for (const chunk of chunks) {
    if (chunk.keyword_id !== current) {
      if (current !== -1) finish(current)
      current = chunk.keyword_id
    }
    lay(wordsOf(chunk.data), first, days, rows)
  }
  if (current !== -1) finish(current)
}

/** Entries come by time, so the last of a day stays. */
function lay(words: Uint32Array, first: number, days: number, rows: (Int16Array | undefined)[]): void {
  const end = firstAfter(words, rankingLayout, (first + days) * secondsPerDay - 1)
  for (let index = firstFrom(words, rankingLayout, first * secondsPerDay); index < end; index += rankingLayout.words) {
    const source = sourceAt(words, index)
    const ranks = rows[source] ?? newRow(rows, source, days)
    ranks[((timeAt(words, index) / secondsPerDay) | 0) - first] = Math.min(rankAt(words, index), 32_767)
  }
}

function newRow(rows: (Int16Array | undefined)[], code: number, days: number): Int16Array {
  const row = new Int16Array(days).fill(-1)
  rows[code] = row
  return row
}
