/** What a site's search page shows: positions of its keywords and of its competitors', links and figures of the site itself. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { ReaderCaller } from '../core/caller.ts'
import type { ShownSite } from '../people/visible-sites.ts'
import { dayRangeOf, type KeywordPosition, keywordPositionOf, type Period, PositionStats, placeNow, WeekStats } from './positions.ts'
import { eachRanking, readSources, type Source } from './ranking-series.ts'

export interface SearchQuestion {
  readonly period: Period
  /** Null: all of them. */
  readonly engine: string | null
  readonly locale: string | null
}

export interface KeywordLine extends KeywordPosition {
  readonly keywordId: number
  readonly phrase: string
  readonly engine: string
  readonly locale: string
}

export interface Rival {
  readonly subjectId: number
  readonly domain: string
  readonly tally: PositionStats
  /** Keywords measured for both in which it stands before the site. */
  readonly ahead: number
  readonly compared: number
}

export interface SearchFigures {
  readonly sources: readonly Source[]
  readonly own: PositionStats
  readonly weeks: readonly { readonly week: string; readonly amounts: readonly number[] }[]
  readonly keywords: readonly KeywordLine[]
  readonly rivals: readonly Rival[]
}

export interface RankedSubject {
  readonly id: number
  readonly domain: string
}

export const bandBounds = [1, 3, 10, 20, 50, Number.POSITIVE_INFINITY]

/** The site itself first; it has no subject before its first measurement. */
export async function readRankedSubjects(db: Kysely<Tables>, site: ShownSite): Promise<{ own: number | null; rivals: RankedSubject[] }> {
  const subjects = db
    .selectFrom('subjects')
    .select(['id', 'domain'])
    .where('account_id', '=', site.account_id)
    .where('site_id', '=', site.id)
  const rows = await subjects.orderBy('id').execute()
  return { own: rows.find((row) => row.domain === '')?.id ?? null, rivals: rows.filter((row) => row.domain !== '') }
}

export async function searchFigures(person: ReaderCaller, site: ShownSite, question: SearchQuestion): Promise<SearchFigures> {
  const { db } = person.app.store
  const [sources, subjects] = [await readSources(db, site.account_id), await readRankedSubjects(db, site)]
  const { period } = question
  const stretch = dayRangeOf(period)
  const [own, weeks] = [new PositionStats(stretch), new WeekStats(stretch, bandBounds)]
  const keywords: KeywordLine[] = []
  const places = new Map<number, Map<string, number>>()
  const tallies = new Map(subjects.rivals.map((rival) => [rival.id, new PositionStats(stretch)]))
  const subjectIds = [...(subjects.own === null ? [] : [subjects.own]), ...tallies.keys()]
  const reach = { accountId: site.account_id, subjectIds, from: period.before.from, to: period.to, isWanted: wantedBy(question) }
  await eachRanking(db, reach, sources, (keyword, source, ranks) => {
    const now = placeNow(ranks, stretch)
    if (keyword.subject_id === subjects.own) {
      own.add(ranks)
      weeks.add(ranks)
      keywords.push({
        keywordId: keyword.id,
        phrase: keyword.phrase,
        engine: source.engine,
        locale: source.locale,
        ...keywordPositionOf(ranks, stretch),
      })
    } else tallies.get(keyword.subject_id)?.add(ranks)
    if (now !== null) placesOf(places, keyword.subject_id).set(`${source.code} ${keyword.phrase}`, now)
  })
  const mine = placesOf(places, subjects.own ?? -1)
  const rivals = subjects.rivals.map((rival) => rivalOf(rival, tallies, mine, placesOf(places, rival.id)))
  return { sources, own, weeks: weeks.weeks(), keywords, rivals }
}

function wantedBy({ engine, locale }: SearchQuestion): (source: Source) => boolean {
  return (source) => (engine === null || source.engine === engine) && (locale === null || source.locale === locale)
}

function placesOf(places: Map<number, Map<string, number>>, subjectId: number): Map<string, number> {
  const known = places.get(subjectId) ?? new Map<string, number>()
  places.set(subjectId, known)
  return known
}

function rivalOf(
  rival: RankedSubject,
  tallies: ReadonlyMap<number, PositionStats>,
  mine: Map<string, number>,
  theirs: Map<string, number>,
): Rival {
  let [ahead, compared] = [0, 0]
  for (const [key, place] of theirs) {
    const own = mine.get(key)
    if (own === undefined) continue
    compared++
    // 0 is not found: behind every place.
    if (place > 0 && (own === 0 || place < own)) ahead++
  }
  return { subjectId: rival.id, domain: rival.domain, tally: tallies.get(rival.id) as PositionStats, ahead, compared }
}
