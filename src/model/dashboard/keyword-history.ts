/** One keyword of a site: its ranks day by day at each source, or at one source compared with the site's competitors. */

import type { Kysely } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import { dayNumber, dayText } from '../../lib/time/days.ts'
import { isPlain } from '../../resources/tracked.ts'
import type { PeriodRow } from '../../store/rows/measurements.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { ReaderCaller } from '../core/caller.ts'
import type { ShownSite } from '../people/visible-sites.ts'
import { type AverageLine, keywordAverages } from './average-positions.ts'
import { type KeywordFacts, noFacts, readKeywordFacts } from './keyword-facts.ts'
import type { Period } from './positions.ts'
import { eachRanking, isChosen, readSources, type Source, type SourceChoice } from './ranking-series.ts'
import { readRankedSubjects } from './search.ts'

export interface DayRank {
  readonly day: string
  /** 0 if it was looked for and not found. */
  readonly rank: number
}

export interface KeywordHistory {
  readonly phrase: string
  readonly facts: KeywordFacts
  /** The sources at which the keyword was measured in the period. */
  readonly sources: readonly Source[]
  /** The requested source, or the only one there is. */
  readonly source: Source | null
  readonly own: readonly { readonly source: Source; readonly ranks: readonly DayRank[] }[]
  /** The competitors' ranks at that source. */
  readonly rivals: readonly { readonly domain: string; readonly ranks: readonly DayRank[] }[]
  /** Average positions, which are no ranks, on each engine for which they are told. */
  readonly averages: readonly AverageLine[]
  /** Figures of several days together that end or begin in the period, the latest first. */
  readonly periods: readonly KeywordPeriod[]
}

export type KeywordPeriod = Omit<PeriodRow, 'account_id' | 'keyword_id' | 'key_hash'>

const mostPeriods = 100

export interface KeywordQuestion extends SourceChoice {
  readonly keywordId: number
  readonly period: Period
  readonly zone: string
}

interface Series {
  readonly subjectId: number
  readonly source: Source
  readonly ranks: readonly DayRank[]
}

export async function keywordHistory(reader: ReaderCaller, site: ShownSite, question: KeywordQuestion): Promise<KeywordHistory> {
  const { db } = reader.app.store
  const { own, rivals } = await readRankedSubjects(db, site)
  const keywords = db
    .selectFrom('keywords')
    .select('phrase')
    .where('account_id', '=', site.account_id)
    .where('id', '=', question.keywordId)
    .where('subject_id', '=', own ?? -1)
  const { phrase } = (await keywords.executeTakeFirst()) ?? notFound('page')
  const { period, zone } = question
  const series: Series[] = []
  const subjectIds = [own ?? -1, ...rivals.map((rival) => rival.id)]
  const query = { accountId: site.account_id, subjectIds, from: period.from, to: period.to, zone, phrase }
  await eachRanking(db, query, await readSources(db, site.account_id), ({ subject_id }, source, { ranks }) => {
    series.push({ subjectId: subject_id, source, ranks: ranksFrom(period.from, ranks) })
  })
  const keyword = { accountId: site.account_id, subjectId: own ?? -1, keywordId: question.keywordId, choice: question }
  const facts = await readKeywordFacts(db, keyword, period)
  const beside = { averages: await keywordAverages(db, keyword, period), periods: await readPeriods(db, keyword, period) }
  return { phrase, facts: facts.get(question.keywordId) ?? noFacts, ...beside, ...chosenFrom(series, own ?? -1, rivals, question) }
}

function readPeriods(
  db: Kysely<Tables>,
  { accountId, keywordId }: { readonly accountId: number; readonly keywordId: number },
  { from, to }: Period,
): Promise<KeywordPeriod[]> {
  const columns = [
    'start_date',
    'end_date',
    'search_engine',
    'locale',
    'device',
    'location',
    'clicks',
    'impressions',
    'average_position',
  ] as const
  const ofKeyword = db.selectFrom('periods').select(columns).where('account_id', '=', accountId).where('keyword_id', '=', keywordId)
  const within = ofKeyword.where('start_date', '<=', to).where('end_date', '>=', from)
  return within.orderBy('end_date', 'desc').orderBy('start_date', 'desc').orderBy('key_hash').limit(mostPeriods).execute()
}

function chosenFrom(series: readonly Series[], own: number, rivals: readonly { id: number; domain: string }[], question: KeywordQuestion) {
  const mine = series.filter(({ subjectId }) => subjectId === own)
  const shown = exactly(
    mine.filter(({ source }) => isChosen(source, question)),
    question,
  )
  const only = shown.length === 1 ? (shown[0] as Series).source : null
  const ofRival = (id: number) => series.find((one) => one.subjectId === id && one.source.code === only?.code)?.ranks ?? []
  return {
    sources: mine.map(({ source }) => source),
    source: only,
    own: shown,
    rivals: only ? rivals.map(({ id, domain }) => ({ domain, ranks: ofRival(id) })).filter(({ ranks }) => ranks.length > 0) : [],
  }
}

/** Where an engine and locale are chosen without device and location, their plain series is meant if there is one. */
function exactly(chosen: readonly Series[], { engine, locale, device, location }: KeywordQuestion): readonly Series[] {
  const plain = chosen.filter(({ source }) => isPlain(source))
  const isVague = engine !== null && locale !== null && device === null && location === null
  return isVague && plain.length > 0 ? plain : chosen
}

function ranksFrom(from: string, ranks: Int32Array): DayRank[] {
  const first = dayNumber(from)
  return [...ranks].flatMap((rank, index) => (rank < 0 ? [] : [{ day: dayText(first + index), rank }]))
}
