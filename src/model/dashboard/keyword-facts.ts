/** What is known of a site's keywords besides their ranks: search volume, tags, the ranked page, clicks and impressions. */

import type { Kysely } from 'kysely'
import { dayNumber, dayText } from '../../lib/time/days.ts'
import { byPreference, type Tracked } from '../../resources/tracked.ts'
import {
  clickCountLayout,
  decodeRankedUrl,
  firstAfter,
  firstFrom,
  monthOf,
  rankedUrlLayout,
  sourceAt,
  wordsOf,
} from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { padded } from '../imports/batches.ts'
import { type ClickChoice, type ClickDay, Clicks, isOfPlace, NamedSources, type OnDay } from './clicks.ts'
import { monthPieces } from './month-pieces.ts'
import type { ValueDay } from './own-figures.ts'
import type { DaySpan } from './positions.ts'

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
  /** Whether days without a total were summed over devices or places. */
  readonly isSummed: boolean
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
  isSummed: false,
  clickDays: [],
}

type Db = Kysely<Tables>

/** The subject whose keywords are read, or a single keyword. */
interface FactsOf {
  readonly accountId: number
  readonly subjectId: number
  readonly keywordId?: number
  /** Limits clicks to a device and a location. */
  readonly choice?: ClickChoice
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
        isSummed: counted?.isSummed ?? false,
        clickDays: counted?.days ?? noFacts.clickDays,
      })
    }
  }
  return facts
}

/** The clicks of all keywords of a subject together, by day. */
export async function readClickDays(db: Db, of: FactsOf, span: DaySpan): Promise<ValueDay[]> {
  const days = new Map<number, number>()
  const count: OnDay = (day, clicks) => days.set(day, (days.get(day) ?? 0) + clicks)
  for await (const keywords of keywordPieces(db, of)) {
    const ids = keywords.map(({ id }) => id)
    await readClicks(db, of, ids, secondsOf(span), count)
  }
  return [...days].toSorted(([a], [b]) => a - b).map(([day, value]) => ({ day: dayText(day), value }))
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
async function* piecesOf(
  db: Db,
  table: 'click_count_months' | 'ranked_url_months',
  { accountId }: FactsOf,
  ids: readonly number[],
  { first, last }: Seconds,
): AsyncGenerator<Entries[]> {
  for await (const months of monthPieces(db, { table, accountId, from: monthOf(first), before: last + 1 }, ids))
    yield months.map(({ owner, data }) => ({ id: owner, words: wordsOf(data) }))
}

interface Seconds {
  readonly first: number
  readonly last: number
}

function secondsOf({ from, to }: DaySpan): Seconds {
  return { first: dayNumber(from) * 86_400, last: (dayNumber(to) + 1) * 86_400 - 1 }
}

const anywhere: ClickChoice = { device: null, location: null }

/** Clicks belong to a date, independent of the time zone. */
async function readClicks(db: Db, of: FactsOf, ids: readonly number[], seconds: Seconds, counted?: OnDay): Promise<Map<number, Clicks>> {
  const found = new Map<number, Clicks>()
  const sources = new NamedSources(db, of.accountId)
  for await (const months of piecesOf(db, 'click_count_months', of, ids, seconds)) {
    await sources.know(codesIn(months, clickCountLayout.words))
    for (const { id, words } of months) {
      const clicks = found.get(id) ?? new Clicks(of.choice ?? anywhere, of.keywordId !== undefined, counted)
      clicks.add(words, sources, seconds.first, seconds.last)
      if (clicks.isCounted) found.set(id, clicks)
    }
  }
  return found
}

function codesIn(months: readonly Entries[], step: number): Set<number> {
  const codes = new Set<number>()
  for (const { words } of months) for (let at = 0; at < words.length; at += step) codes.add(sourceAt(words, at))
  return codes
}

/** Of the series that stands for the others, as in the figures: the page of a phone is no page of a desktop computer. */
async function readPages(db: Db, of: FactsOf, ids: readonly number[], { first, last }: Seconds): Promise<Map<number, string>> {
  const found = new Map<number, { readonly code: number; readonly tracked: Tracked }>()
  const [sources, choice] = [new NamedSources(db, of.accountId), of.choice ?? anywhere]
  for await (const months of piecesOf(db, 'ranked_url_months', of, ids, { first, last })) {
    await sources.know(codesIn(months, rankedUrlLayout.words))
    for (const { id, words } of months) {
      const end = firstAfter(words, rankedUrlLayout, last)
      for (let i = firstFrom(words, rankedUrlLayout, first); i < end; i += rankedUrlLayout.words) {
        const { source, code } = decodeRankedUrl(words, i)
        const [tracked, before] = [sources.of(source), found.get(id)]
        if (isOfPlace(tracked, choice) && (before === undefined || byPreference(tracked, before.tracked) <= 0))
          found.set(id, { code, tracked })
      }
    }
  }
  if (found.size === 0) return new Map()
  const urls = db.selectFrom('ranked_urls').select(['code', 'url']).where('account_id', '=', of.accountId)
  const wanted = urls
    .where('subject_id', '=', of.subjectId)
    .where('code', 'in', padded([...new Set(found.values().map(({ code }) => code))]))
  const byCode = new Map((await wanted.execute()).map(({ code, url }) => [code, url]))
  return new Map([...found].flatMap(([id, { code }]) => (byCode.has(code) ? [[id, byCode.get(code) as string]] : [])))
}
