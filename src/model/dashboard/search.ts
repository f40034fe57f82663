/** The figures of a site's search page: the current and past positions of its keywords, compared with its competitors. */

import type { Kysely } from 'kysely'
import { dayIn, dayText } from '../../lib/time/days.ts'
import { inSlices } from '../../store/in-slices.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { ReaderCaller } from '../core/caller.ts'
import type { ShownSite } from '../people/visible-sites.ts'
import type { DailyRanks } from './daily-ranks.ts'
import { type KeywordFacts, noFacts, readKeywordFacts } from './keyword-facts.ts'
import {
  type DayRange,
  dayRangeOf,
  firstDayOf,
  type KeywordPosition,
  keywordPositionOf,
  lastMeasured,
  type Period,
  PositionStats,
  rankNow,
} from './positions.ts'
import { eachRanking, lastRankedAt, readSources, type Source } from './ranking-series.ts'
import { type Standings, StandingsOf } from './standing.ts'
import { type WeekBands, WeekStats } from './week-bands.ts'

export interface SearchQuestion {
  readonly period: Period
  /** Null means all. */
  readonly engine: string | null
  readonly locale: string | null
  readonly zone: string
}

/** One keyword at one source. */
export interface KeywordLine extends KeywordPosition {
  readonly keywordId: number
  readonly phrase: string
  readonly source: Source
  readonly facts: KeywordFacts
}

/** A competitor compared with the site, over the pairs of keyword and source that are currently measured for both. */
export interface Rival {
  readonly subjectId: number
  readonly domain: string
  readonly compared: number
  /** How many pairs rank better than the site's. */
  readonly ahead: number
  readonly visibility: number | null
  readonly ownVisibility: number | null
  /** The averages over the pairs that are found for both. */
  readonly average: number | null
  readonly ownAverage: number | null
}

/** Lines of a chart that can be compared: over the pairs measured in the period for the site and all of these competitors. */
export interface SharedLines {
  readonly pairs: number
  readonly own: PositionStats
  readonly rivals: readonly { readonly domain: string; readonly stats: PositionStats }[]
}

export interface SearchFigures {
  /** The sources at which the site was measured, whatever was requested. */
  readonly sources: readonly Source[]
  readonly own: PositionStats
  /** The number of pairs of keyword and source measured in the period. */
  readonly pairs: number
  readonly standings: Standings
  readonly weeks: readonly WeekBands[]
  readonly keywords: readonly KeywordLine[]
  readonly rivals: readonly Rival[]
  readonly shared: SharedLines | null
  /** The last day on which any ranking was measured, in any period. */
  readonly measuredOn: string | null
}

export interface RankedSubject {
  readonly id: number
  readonly domain: string
}

/** A page compares at most this many competitors, the oldest ones; reports contain all. */
export const mostRivals = 200

/** As many competitors as a chart can distinguish. */
export const mostRivalLines = 3

/** The site's own subject (null before its first measurement) and its competitors. */
export async function readRankedSubjects(db: Kysely<Tables>, site: ShownSite): Promise<{ own: number | null; rivals: RankedSubject[] }> {
  const subjects = db
    .selectFrom('subjects')
    .select(['id', 'domain'])
    .where('account_id', '=', site.account_id)
    .where('site_id', '=', site.id)
  const own = await subjects.where('domain', '=', '').executeTakeFirst()
  const rivals = subjects.where('domain', '!=', '').orderBy('id').limit(mostRivals)
  return { own: own?.id ?? null, rivals: await rivals.execute() }
}

interface Line {
  readonly keywordId: number
  readonly phrase: string
  readonly source: Source
  readonly daily: DailyRanks
}

/** The lines of one subject by pair: the source and the phrase. */
type Lines = ReadonlyMap<string, Line>

export async function searchFigures(reader: ReaderCaller, site: ShownSite, question: SearchQuestion): Promise<SearchFigures> {
  const db = inSlices(reader.app.store.db)
  const [sources, subjects] = [await readSources(db, site.account_id), await readRankedSubjects(db, site)]
  const range = dayRangeOf(question.period)
  const all = await readLines(db, site, question, sources, [subjects.own ?? -1, ...subjects.rivals.map(({ id }) => id)])
  const everywhere = [...(all.get(subjects.own ?? -1) ?? new Map<string, Line>()).values()]
  const measured = new Set(everywhere.map(({ source }) => source.code))
  const mine = wanted(all.get(subjects.own ?? -1), question)
  const theirs = subjects.rivals.map((rival) => ({ rival, lines: wanted(all.get(rival.id), question) }))
  const facts = await readKeywordFacts(db, { accountId: site.account_id, subjectId: subjects.own ?? -1 }, question.period)
  const figures = ownFigures(mine, range, facts)
  return {
    ...figures,
    sources: sources.filter(({ code }) => measured.has(code)),
    rivals: theirs.map(({ rival, lines }) => rivalOf(rival, mine, lines, range)),
    shared: sharedLines(mine, figures, theirs.slice(0, mostRivalLines), range),
    measuredOn: await lastDay(db, site, subjects.own, question, everywhere, range),
  }
}

async function readLines(
  db: Kysely<Tables>,
  site: ShownSite,
  { period, zone }: SearchQuestion,
  sources: readonly Source[],
  subjectIds: readonly number[],
): Promise<Map<number, Map<string, Line>>> {
  const all = new Map(subjectIds.map((id) => [id, new Map<string, Line>()]))
  const query = { accountId: site.account_id, subjectIds, from: firstDayOf(period), to: period.to, zone }
  await eachRanking(db, query, sources, (keyword, source, daily) => {
    const line = { keywordId: keyword.id, phrase: keyword.phrase, source, daily }
    all.get(keyword.subject_id)?.set(`${source.code} ${keyword.phrase}`, line)
  })
  return all
}

function wanted(lines: Lines = new Map(), { engine, locale }: SearchQuestion): Lines {
  if (engine === null && locale === null) return lines
  const isWanted = ({ source }: Line) => (engine === null || source.engine === engine) && (locale === null || source.locale === locale)
  return new Map([...lines].filter(([, line]) => isWanted(line)))
}

function ownFigures(mine: Lines, range: DayRange, facts: ReadonlyMap<number, KeywordFacts>) {
  const [own, weeks, standings] = [new PositionStats(range), new WeekStats(range), new StandingsOf()]
  const keywords: KeywordLine[] = []
  for (const { daily, ...named } of mine.values()) {
    const position = keywordPositionOf(daily, range)
    own.add(daily)
    weeks.add(daily.ranks)
    standings.add(named.phrase, position.now, position.before)
    keywords.push({ ...named, ...position, facts: facts.get(named.keywordId) ?? noFacts })
  }
  const pairs = [...mine.values()].filter(({ daily }) => isMeasured(daily, range)).length
  return { own, pairs, standings: standings.standings(), weeks: weeks.weeks(), keywords }
}

function isMeasured({ ranks }: DailyRanks, { start, end }: DayRange): boolean {
  for (let day = start; day < end; day++) if ((ranks[day] as number) >= 0) return true
  return false
}

function rivalOf({ id, domain }: RankedSubject, mine: Lines, theirs: Lines, range: DayRange): Rival {
  const [own, rival, ownFound, rivalFound] = [new StandingsOf(), new StandingsOf(), new StandingsOf(), new StandingsOf()]
  let ahead = 0
  for (const [key, line] of theirs) {
    const [their, our] = [rankNow(line.daily.ranks, range), rankNow(mine.get(key)?.daily.ranks ?? nothing, range)]
    if (their === null || our === null) continue
    own.add(line.phrase, our, null)
    rival.add(line.phrase, their, null)
    if (their > 0 && our > 0) {
      ownFound.add(line.phrase, our, null)
      rivalFound.add(line.phrase, their, null)
    }
    // 0 means not found, which is worse than every rank.
    if (their > 0 && (our === 0 || their < our)) ahead++
  }
  const [ours, their] = [own.standings().now, rival.standings().now]
  return {
    subjectId: id,
    domain,
    compared: their.pairs,
    ahead,
    visibility: their.visibility,
    ownVisibility: ours.visibility,
    average: rivalFound.standings().now.average,
    ownAverage: ownFound.standings().now.average,
  }
}

const nothing = new Int32Array(0)

function sharedLines(
  mine: Lines,
  all: { readonly own: PositionStats; readonly pairs: number },
  theirs: readonly { readonly rival: RankedSubject; readonly lines: Lines }[],
  range: DayRange,
): SharedLines | null {
  const ranked = theirs.filter(({ lines }) => [...lines].some(([key, line]) => mine.has(key) && isMeasured(line.daily, range)))
  const isShared = (key: string) =>
    [mine, ...ranked.map(({ lines }) => lines)].every((lines) => {
      const line = lines.get(key)
      return line !== undefined && isMeasured(line.daily, range)
    })
  const keys = [...mine.keys()].filter(isShared)
  if (ranked.length === 0 || keys.length === 0) return null
  const statsOf = (lines: Lines) => {
    const stats = new PositionStats(range)
    for (const key of keys) stats.add((lines.get(key) as Line).daily)
    return stats
  }
  return {
    pairs: keys.length,
    own: keys.length === all.pairs ? all.own : statsOf(mine),
    rivals: ranked.map(({ rival, lines }) => ({ domain: rival.domain, stats: statsOf(lines) })),
  }
}

/** Taken from what was read, or else queried, because a site may have been measured long before the period. */
async function lastDay(
  db: Kysely<Tables>,
  site: ShownSite,
  own: number | null,
  { zone, period }: SearchQuestion,
  lines: readonly Line[],
  range: DayRange,
): Promise<string | null> {
  const last = lines.reduce((most, { daily }) => Math.max(most, lastMeasured(daily.ranks, 0, range.end)), -1)
  if (last >= 0 || own === null) return last < 0 ? null : dayText(range.first + last)
  return lastRankedDay(await lastRankedAt(db, site.account_id, [own]), own, zone, period)
}

/** A day after the period is ignored. */
export function lastRankedDay(last: ReadonlyMap<number, number>, subjectId: number, zone: string, { to }: Period): string | null {
  const at = last.get(subjectId)
  if (at === undefined) return null
  const day = dayIn(zone, new Date(at * 1000).toISOString())
  return day <= to ? day : null
}
