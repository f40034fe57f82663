/** The figures of a site's search page: the current and past positions of its keywords, compared with its competitors. */

import type { Kysely } from 'kysely'
import { dayIn } from '../../lib/time/days.ts'
import { isPlain } from '../../resources/tracked.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { OpenedSite, SiteReader } from '../people/visible-sites.ts'
import type { Course } from './attention/course.ts'
import { type AverageDay, siteAverages } from './average-positions.ts'
import { type KeywordFacts, readClickDays, readKeywordFacts } from './keyword-facts.ts'
import { type OwnFigure, readOwnFigures, type ValueDay } from './own-figures.ts'
import { type KeywordLine, type LineChoice, OwnLines, pairOf } from './own-lines.ts'
import { type DaySpan, dayRangeOf, firstDayOf, type Period, type PositionStats } from './positions.ts'
import { eachRanking, isChosen, lastRankedAt, type OnRankings, readSources, type Source } from './ranking-series.ts'
import { type RankedSubject, type Rival, RivalLines, SharedDays, type SharedLines } from './rivals.ts'
import type { Standings } from './standing.ts'
import type { VisibilityTrend } from './visibility-trend.ts'
import type { WeekBands } from './week-bands.ts'

export interface SearchQuestion extends LineChoice {
  readonly period: Period
  readonly zone: string
}

export interface SearchFigures {
  /** The sources at which the site was measured, whatever was requested. */
  readonly sources: readonly Source[]
  /** Those that stand for an engine and locale in the figures, although they are of one device or location. */
  readonly standing: readonly Source[]
  readonly own: PositionStats
  /** The number of pairs of keyword and source measured in the period. */
  readonly pairs: number
  readonly standings: Standings
  readonly course: Course
  readonly trend: VisibilityTrend
  readonly weeks: readonly WeekBands[]
  /** At most `mostLines`; the figures count all. */
  readonly keywords: readonly KeywordLine[]
  readonly rivals: readonly Rival[]
  readonly shared: SharedLines | null
  /** The mean of the average positions that are told, by day. */
  readonly averages: readonly AverageDay[]
  /** The clicks of all keywords, by day, of the period and of the one it is compared with; both are empty where the period has none. */
  readonly clicks: { readonly now: readonly ValueDay[]; readonly before: readonly ValueDay[] }
  readonly ownFigures: readonly OwnFigure[]
  /** The last day on which any ranking was measured, in any period. */
  readonly measuredOn: string | null
}

/** A page compares at most this many competitors, the oldest ones; reports contain all. */
export const mostRivals = 200

/** As many competitors as a chart can distinguish. */
export const mostRivalLines = 3

/** The site's own subject (null before its first measurement) and its competitors. */
export async function readRankedSubjects(db: Kysely<Tables>, site: OpenedSite): Promise<{ own: number | null; rivals: RankedSubject[] }> {
  const subjects = db
    .selectFrom('subjects')
    .select(['id', 'domain'])
    .where('account_id', '=', site.account_id)
    .where('site_id', '=', site.id)
  const own = await subjects.where('domain', '=', '').executeTakeFirst()
  const rivals = subjects.where('domain', '!=', '').orderBy('id').limit(mostRivals)
  return { own: own?.id ?? null, rivals: await rivals.execute() }
}

export async function searchFigures(reader: SiteReader, site: OpenedSite, question: SearchQuestion): Promise<SearchFigures> {
  const db = reader.app.store.db
  const { period, zone, ...lines } = question
  const { isSplit: _, ...choice } = lines
  const [sources, subjects] = [await readSources(db, site.account_id, choice), await readRankedSubjects(db, site)]
  const [range, own] = [dayRangeOf(period), subjects.own ?? -1]
  const facts = await readKeywordFacts(db, { accountId: site.account_id, subjectId: own, choice }, period)
  const mine = new OwnLines(range, facts, lines)
  const theirs = new RivalLines(range, mine.ranks, subjects.rivals)
  const shared = new SharedDays(range, own, subjects.rivals.slice(0, mostRivalLines))
  const read = (subjectIds: readonly number[], visit: OnRankings) =>
    eachRanking(db, { accountId: site.account_id, subjectIds, from: firstDayOf(period), to: period.to, zone, choice }, sources, visit)
  // The site comes first, because each competitor is compared with it at once.
  await read([own], (keyword, source, daily, isHeadline) => {
    mine.add(keyword, source, daily, isHeadline)
    if (isHeadline && isChosen(source, choice)) shared.add(own, pairOf(keyword.phrase, source), daily)
  })
  mine.addClicked()
  const rivalIds = subjects.rivals.map(({ id }) => id)
  await read(rivalIds, ({ subject_id, phrase }, source, daily) => {
    const pair = pairOf(phrase, source)
    // A competitor is compared on the same device and from the same location.
    if (!isChosen(source, choice) || !(mine.ranks.has(pair) || isPlain(source))) return
    theirs.add(subject_id, pair, daily)
    shared.add(subject_id, pair, daily)
  })
  const figures = mine.figures()
  return {
    ...figures,
    standing: [...mine.standing.values()],
    sources: sources.filter(({ code }) => mine.measuredAt.has(code)),
    rivals: subjects.rivals.map((rival) => theirs.of(rival)),
    shared: shared.lines(figures),
    averages: await siteAverages(db, { accountId: site.account_id, subjectId: own }, period, choice),
    clicks: await clicksOf(db, { accountId: site.account_id, subjectId: own, choice }, facts, period),
    ownFigures: await readOwnFigures(db, { accountId: site.account_id, subjectId: own }, period),
    // A site may have been measured long before the period.
    measuredOn: mine.lastDay() ?? lastRankedDay(await lastRankedAt(db, site.account_id, [own]), own, zone, period),
  }
}

/** Read only where there are some. */
async function clicksOf(
  db: Kysely<Tables>,
  of: Parameters<typeof readClickDays>[1],
  facts: ReadonlyMap<number, KeywordFacts>,
  period: Period,
) {
  const isClicked = facts.values().some(({ clicks }) => clicks !== null)
  const read = (span: DaySpan | null) => (isClicked && span !== null ? readClickDays(db, of, span) : [])
  return { now: await read(period), before: await read(period.before) }
}

/** A day after the period is ignored. */
export function lastRankedDay(last: ReadonlyMap<number, number>, subjectId: number, zone: string, { to }: Period): string | null {
  const at = last.get(subjectId)
  if (at === undefined) return null
  const day = dayIn(zone, new Date(at * 1000).toISOString())
  return day <= to ? day : null
}
