/** Exports keywords: their data, their rankings with the ranked pages, and their clicks by day. */

import type { Kysely } from 'kysely'
import { momentText } from '../../../lib/time/moments.ts'
import {
  clickCountLayout,
  decodeClickCount,
  decodeRankedUrl,
  decodeRanking,
  rankedUrlLayout,
  rankingLayout,
  wordsOf,
} from '../../../store/packed-months.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { ExportedLine, ExportPlace, Put } from './export-lines.ts'

type Db = Kysely<Tables>
type KeywordMonths = 'ranking_months' | 'ranked_url_months' | 'click_count_months'

/** The page of each ranking, by time and source; null if it is known that there is none. */
type RankedPages = ReadonlyMap<string, string | null>

export async function exportKeywords(db: Db, place: ExportPlace, put: Put): Promise<void> {
  const { accountId, fields, subjectId } = place
  const keywords = await db
    .selectFrom('keywords')
    .select(['id', 'phrase', 'search_volume', 'tags'])
    .where('account_id', '=', accountId)
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute()
  await put(
    'keyword',
    keywords.map(({ id: _, phrase, ...facts }) => ({ ...fields, phrase, ...withoutNulls(facts) })),
  )
  const urls = await urlsOf(db, place)
  const [withUrls, withClicks] = [await ownersIn(db, place, 'ranked_url_months'), await ownersIn(db, place, 'click_count_months')]
  for (const { id, phrase } of keywords) {
    const ofKeyword = { ...place, fields: { ...fields, phrase } }
    const pages = withUrls.has(id) ? await pagesOf(db, accountId, id, urls) : new Map<string, null>()
    for (const words of await monthsOf(db, 'ranking_months', accountId, id)) await put('ranking', rankingLines(ofKeyword, words, pages))
    if (!withClicks.has(id)) continue
    for (const words of await monthsOf(db, 'click_count_months', accountId, id)) await put('click_count', clickLines(ofKeyword, words))
  }
}

function withoutNulls(facts: ExportedLine): ExportedLine {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null))
}

async function urlsOf(db: Db, { accountId, subjectId }: ExportPlace): Promise<Map<number, string>> {
  const urls = db.selectFrom('ranked_urls').select(['code', 'url']).where('account_id', '=', accountId)
  return new Map((await urls.where('subject_id', '=', subjectId).execute()).map(({ code, url }) => [code, url]))
}

/** The keywords of the subject with rows in this table; most have none. */
async function ownersIn(db: Db, { accountId, subjectId }: ExportPlace, table: KeywordMonths): Promise<Set<number>> {
  const keywords = db.selectFrom('keywords').select('id').where('account_id', '=', accountId).where('subject_id', '=', subjectId)
  const months = db.selectFrom(table as 'ranking_months').select('keyword_id')
  const owners = await months.distinct().where('account_id', '=', accountId).where('keyword_id', 'in', keywords).execute()
  return new Set(owners.map(({ keyword_id }) => keyword_id))
}

async function monthsOf(db: Db, table: KeywordMonths, accountId: number, keywordId: number): Promise<Uint32Array[]> {
  const months = db
    .selectFrom(table as 'ranking_months')
    .select('data')
    .where('account_id', '=', accountId)
  const chunks = await months.where('keyword_id', '=', keywordId).orderBy('starts_at').execute()
  return chunks.map(({ data }) => wordsOf(data))
}

async function pagesOf(db: Db, accountId: number, keywordId: number, urls: ReadonlyMap<number, string>): Promise<RankedPages> {
  const pages = new Map<string, string | null>()
  for (const words of await monthsOf(db, 'ranked_url_months', accountId, keywordId)) {
    for (let i = 0; i < words.length; i += rankedUrlLayout.words) {
      const { time, source, code } = decodeRankedUrl(words, i)
      pages.set(`${time} ${source}`, urls.get(code) ?? null)
    }
  }
  return pages
}

function rankingLines({ fields, names }: ExportPlace, words: Uint32Array, pages: RankedPages): ExportedLine[] {
  const lines: ExportedLine[] = []
  for (let i = 0; i < words.length; i += rankingLayout.words) {
    const { time, source, rank } = decodeRanking(words, i)
    const { engine, locale } = names.get(source) as { engine: string; locale: string }
    const ranked_at = momentText(time).replace('T', ' ').slice(0, 19)
    const url = pages.get(`${time} ${source}`)
    lines.push({ ...fields, search_engine: engine, locale, ranked_at, rank, ...(url !== undefined && { url }) })
  }
  return lines
}

function clickLines({ fields, names }: ExportPlace, words: Uint32Array): ExportedLine[] {
  const lines: ExportedLine[] = []
  for (let i = 0; i < words.length; i += clickCountLayout.words) {
    const { time, source, clicks, impressions } = decodeClickCount(words, i)
    lines.push({ ...fields, search_engine: names.get(source)?.engine, date: momentText(time).slice(0, 10), clicks, impressions })
  }
  return lines
}
