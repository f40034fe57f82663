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
import { padded } from '../imports/batches.ts'
import { monthPieces } from './month-pieces.ts'
import type { DaySpan } from './positions.ts'

export interface ClickDay {
  readonly day: string
  readonly clicks: number
  readonly impressions: number
}

/** Null means unknown. */
export interface KeywordFacts {
  readonly phrase: string
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

export const noFacts: KeywordFacts = {
  phrase: '',
  searchVolume: null,
  tags: [],
  page: null,
  clicks: null,
  impressions: null,
  clickDays: [],
}

type Db = Kysely<Tables>

/** The subject whose keywords are read, or a single keyword. */
interface FactsOf {
  readonly accountId: number
  readonly subjectId: number
  readonly keywordId?: number
}

/** In pieces of some hundred keywords. A keyword of which nothing is known is missing in the result. */
export async function readKeywordFacts(db: Db, of: FactsOf, span: DaySpan): Promise<Map<number, KeywordFacts>> {
  const facts = new Map<number, KeywordFacts>()
  const seconds = secondsOf(span)
  for await (const keywords of keywordPieces(db, of)) {
    const ids = keywords.map(({ id }) => id)
    const [clicks, pages] = [await readClicks(db, of, ids, seconds), await readPages(db, of, ids, seconds)]
    for (const { id, phrase, search_volume, tags } of keywords) {
      const counted = clicks.get(id)
      if (search_volume === null && tags === null && counted === undefined && !pages.has(id)) continue
      facts.set(id, {
        phrase,
        searchVolume: search_volume,
        tags: tags?.split(',') ?? noFacts.tags,
        page: pages.get(id) ?? null,
        clicks: counted?.clicks ?? null,
        impressions: counted?.impressions ?? null,
        clickDays: counted === undefined ? noFacts.clickDays : [...counted.days.values()],
      })
    }
  }
  return facts
}

const keywordsPerRead = 500

async function* keywordPieces(db: Db, { accountId, subjectId, keywordId }: FactsOf) {
  const all = db.selectFrom('keywords').where('account_id', '=', accountId).where('subject_id', '=', subjectId)
  const wanted = keywordId === undefined ? all : all.where('id', '=', keywordId)
  const ordered = wanted.select(['id', 'phrase', 'search_volume', 'tags']).orderBy('phrase').limit(keywordsPerRead)
  for (let rows = await ordered.execute(); rows.length > 0; ) {
    yield rows
    const last = rows.length < keywordsPerRead ? undefined : rows.at(-1)
    rows = last === undefined ? [] : await ordered.where('phrase', '>', last.phrase).execute()
  }
}

interface Entries {
  readonly id: number
  readonly words: Uint32Array
}

/** The packed months that overlap the period, in order. */
async function* monthsOf(
  db: Db,
  table: 'click_count_months' | 'ranked_url_months',
  { accountId }: FactsOf,
  ids: readonly number[],
  { first, last }: Seconds,
): AsyncGenerator<Entries> {
  for await (const months of monthPieces(db, { table, accountId, from: monthOf(first), before: last + 1 }, ids))
    for (const { owner, data } of months) yield { id: owner, words: wordsOf(data) }
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
async function readClicks(db: Db, of: FactsOf, ids: readonly number[], { first, last }: Seconds): Promise<Map<number, Clicks>> {
  const found = new Map<number, Clicks>()
  for await (const { id, words } of monthsOf(db, 'click_count_months', of, ids, { first, last })) {
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

async function readPages(db: Db, of: FactsOf, ids: readonly number[], { first, last }: Seconds): Promise<Map<number, string>> {
  const codes = new Map<number, number>()
  for await (const { id, words } of monthsOf(db, 'ranked_url_months', of, ids, { first, last })) {
    const end = firstAfter(words, rankedUrlLayout, last)
    for (let i = firstFrom(words, rankedUrlLayout, first); i < end; i += rankedUrlLayout.words)
      codes.set(id, decodeRankedUrl(words, i).code)
  }
  if (codes.size === 0) return new Map()
  const urls = db.selectFrom('ranked_urls').select(['code', 'url']).where('account_id', '=', of.accountId)
  const wanted = urls.where('subject_id', '=', of.subjectId).where('code', 'in', padded([...new Set(codes.values())]))
  const byCode = new Map((await wanted.execute()).map(({ code, url }) => [code, url]))
  return new Map([...codes].flatMap(([id, code]) => (byCode.has(code) ? [[id, byCode.get(code) as string]] : [])))
}
