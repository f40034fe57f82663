/** What is known of a site's keywords besides their ranks: search volume, tags, the ranked page, clicks and impressions. */

import type { Kysely } from 'kysely'
import { dayNumber, dayText } from '../../lib/time/days.ts'
import {
  clickCountLayout,
  decodeClickCount,
  decodeRankedUrl,
  firstAfter,
  firstFrom,
  monthOf,
  rankedUrlLayout,
  wordsOf,
} from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { DaySpan } from './positions.ts'

export interface ClickDay {
  readonly day: string
  readonly clicks: number
  readonly impressions: number
}

/** Null means unknown. */
export interface KeywordFacts {
  readonly searchVolume: number | null
  readonly tags: readonly string[]
  /** The page that was ranked last in the period. */
  readonly page: string | null
  /** The sum over the period and all engines. */
  readonly clicks: number | null
  readonly impressions: number | null
  /** Filled only if a single keyword was requested. */
  readonly clickDays: readonly ClickDay[]
}

export const noFacts: KeywordFacts = { searchVolume: null, tags: [], page: null, clicks: null, impressions: null, clickDays: [] }

type Db = Kysely<Tables>

/** The subject whose keywords are read, or a single keyword. */
interface FactsOf {
  readonly accountId: number
  readonly subjectId: number
  readonly keywordId?: number
}

export async function readKeywordFacts(db: Db, of: FactsOf, span: DaySpan): Promise<Map<number, KeywordFacts>> {
  const keywords = await keywordsOf(db, of).select(['id', 'search_volume', 'tags']).execute()
  const [clicks, pages] = [await readClicks(db, of, span), await readPages(db, of, span)]
  return new Map(
    keywords.map(({ id, search_volume, tags }) => {
      const counted = clicks.get(id)
      const known = { searchVolume: search_volume, tags: tags?.split(',') ?? [], page: pages.get(id) ?? null }
      const clickDays = [...(counted?.days.values() ?? [])]
      return [id, { ...known, clicks: counted?.clicks ?? null, impressions: counted?.impressions ?? null, clickDays }]
    }),
  )
}

function keywordsOf(db: Db, { accountId, subjectId, keywordId }: FactsOf) {
  const keywords = db.selectFrom('keywords').where('account_id', '=', accountId).where('subject_id', '=', subjectId)
  return keywordId === undefined ? keywords : keywords.where('id', '=', keywordId)
}

interface Entries {
  readonly id: number
  readonly words: Uint32Array
}

/** The packed months that overlap the period, in order. */
async function monthsOf(
  db: Db,
  table: 'click_count_months' | 'ranked_url_months',
  of: FactsOf,
  { first, last }: Seconds,
): Promise<Entries[]> {
  const rows = await db
    .selectFrom(table as 'click_count_months')
    .select(['keyword_id as id', 'data'])
    .where('account_id', '=', of.accountId)
    .where('keyword_id', 'in', keywordsOf(db, of).select('id'))
    .where('starts_at', '>=', monthOf(first))
    .where('starts_at', '<=', last)
    .orderBy('starts_at')
    .execute()
  return rows.map(({ id, data }) => ({ id, words: wordsOf(data) }))
}

interface Seconds {
  readonly first: number
  readonly last: number
}

function secondsOf({ from, to }: DaySpan): Seconds {
  return { first: dayNumber(from) * 86_400, last: (dayNumber(to) + 1) * 86_400 - 1 }
}

interface Clicks {
  clicks: number
  impressions: number
  /** Filled only for a single keyword; for thousands it would be too much. */
  readonly days: Map<number, ClickDay>
}

/** Clicks belong to a date, independent of the time zone. */
async function readClicks(db: Db, of: FactsOf, span: DaySpan): Promise<Map<number, Clicks>> {
  const { first, last } = secondsOf(span)
  const found = new Map<number, Clicks>()
  for (const { id, words } of await monthsOf(db, 'click_count_months', of, { first, last })) {
    const end = firstAfter(words, clickCountLayout, last)
    for (let i = firstFrom(words, clickCountLayout, first); i < end; i += clickCountLayout.words) {
      const { time, clicks, impressions } = decodeClickCount(words, i)
      const sum = found.get(id) ?? { clicks: 0, impressions: 0, days: new Map<number, ClickDay>() }
      found.set(id, sum)
      sum.clicks += clicks
      sum.impressions += impressions
      if (of.keywordId !== undefined) addDay(sum.days, time, clicks, impressions)
    }
  }
  return found
}

function addDay(days: Map<number, ClickDay>, time: number, clicks: number, impressions: number): void {
  const before = days.get(time) ?? { clicks: 0, impressions: 0 }
  days.set(time, { day: dayText(time / 86_400), clicks: before.clicks + clicks, impressions: before.impressions + impressions })
}

async function readPages(db: Db, of: FactsOf, span: DaySpan): Promise<Map<number, string>> {
  const { first, last } = secondsOf(span)
  const codes = new Map<number, number>()
  for (const { id, words } of await monthsOf(db, 'ranked_url_months', of, { first, last })) {
    const end = firstAfter(words, rankedUrlLayout, last)
    for (let i = firstFrom(words, rankedUrlLayout, first); i < end; i += rankedUrlLayout.words)
      codes.set(id, decodeRankedUrl(words, i).code)
  }
  if (codes.size === 0) return new Map()
  const urls = db.selectFrom('ranked_urls').select(['code', 'url']).where('account_id', '=', of.accountId)
  const byCode = new Map((await urls.where('subject_id', '=', of.subjectId).execute()).map(({ code, url }) => [code, url]))
  return new Map([...codes].flatMap(([id, code]) => (byCode.has(code) ? [[id, byCode.get(code) as string]] : [])))
}
