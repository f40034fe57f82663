/** Reads rankings as rows in a reader thread: keyword by keyword, by time, until the page is full. */

import type { Kysely } from 'kysely'
import { notFound } from '../../../lib/failures.ts'
import { dayNumber } from '../../../lib/time/days.ts'
import { readingApp } from '../../../readers/reading-app.ts'
import type { Maker } from '../../../readers/serve.ts'
import type { RankingRowRecord } from '../../../resources/figures/ranking-row.ts'
import { deviceIn } from '../../../resources/tracked.ts'
import { decodeRanking, firstAfter, firstFrom, monthOf, rankingLayout, wordsOf } from '../../../store/packed-months.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { trackedIn } from '../../../store/series.ts'
import { sourcePieces } from '../../core/source-pieces.ts'
import { sitesWithin } from '../../core/tenancy.ts'
import { monthPieces } from '../month-pieces.ts'
import type { Source } from '../ranking-series.ts'
import { cursorAt, type RankingFilters, type RowPlace, type rankingsWork } from './rankings-work.ts'

type Db = Kysely<Tables>

/** Few, because the rows of one may fill a page. */
const keywordsPerRead = 50
const secondsPerDay = 86_400
const latest = 0xffff_ffff

interface Row {
  readonly place: RowPlace
  readonly record: RankingRowRecord
}

export const makeRankings: Maker<NonNullable<(typeof rankingsWork)['asked']>, NonNullable<(typeof rankingsWork)['head']>> = async (
  { caller, siteId, filters, after, limit, now },
  { database, settings, tell },
) =>
  tell(
    await database.snapshot(async (db) => {
      const asking = { ...caller, app: readingApp(db, settings, now) }
      const sites = sitesWithin(asking, db).select(['sites.id', 'sites.account_id'])
      const site = (await sites.where('sites.id', '=', siteId).executeTakeFirst()) ?? notFound('site')
      const rows: Row[] = []
      for await (const row of rowsBehind(db, site, filters, after)) {
        if (rows.push(row) > limit) break
      }
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const next = rows.length > limit && last !== undefined ? cursorAt(last.place) : null
      return { items: shown.map(({ record }) => record), next }
    }),
  )

type Place = { readonly id: number; readonly account_id: number }

async function* rowsBehind(db: Db, site: Place, filters: RankingFilters, after: RowPlace): AsyncGenerator<Row> {
  const sources = await chosenSources(db, site.account_id, filters)
  if (sources.size === 0) return
  let from = after[0]
  for (let keywords = await keywordsFrom(db, site, filters, from); keywords.length > 0; ) {
    yield* entriesAmong(db, site.account_id, keywords, sources, filters, after)
    from = (keywords.at(-1)?.id ?? from) + 1
    keywords = keywords.length < keywordsPerRead ? [] : await keywordsFrom(db, site, filters, from)
  }
}

async function chosenSources(db: Db, accountId: number, filters: RankingFilters): Promise<Map<number, Source>> {
  const chosen = new Map<number, Source>()
  for await (const rows of sourcePieces(db, accountId))
    for (const row of rows) {
      const source = { ...row, ...trackedIn(row.engine) }
      if (row.locale !== '' && isWanted(source, filters)) chosen.set(row.code, source)
    }
  return chosen
}

function isWanted({ engine, locale, device, location }: Source, filters: RankingFilters): boolean {
  return (
    (filters.search_engine ?? engine) === engine &&
    (filters.locale ?? locale) === locale &&
    (filters.device === undefined || deviceIn(filters.device) === device) &&
    (filters.location === undefined || filters.location.trim() === location)
  )
}

interface Keyword {
  readonly id: number
  readonly phrase: string
  readonly tags: string | null
}

/** Those of the site itself, by id. Tags are compared in code, because they are kept as one text. */
async function keywordsFrom(db: Db, site: Place, { phrase }: RankingFilters, from: number): Promise<Keyword[]> {
  const own = db.selectFrom('subjects').select('subjects.id').where('account_id', '=', site.account_id).where('site_id', '=', site.id)
  const all = db
    .selectFrom('keywords')
    .select(['id', 'phrase', 'tags'])
    .where('account_id', '=', site.account_id)
    .where('subject_id', 'in', own.where('domain', '=', ''))
  const some = phrase === undefined ? all : all.where('phrase', '=', phrase.trim())
  return some.where('id', '>=', from).orderBy('id').limit(keywordsPerRead).execute()
}

async function* entriesAmong(
  db: Db,
  accountId: number,
  keywords: readonly Keyword[],
  sources: ReadonlyMap<number, Source>,
  { tag, start_date, end_date }: RankingFilters,
  after: RowPlace,
): AsyncGenerator<Row> {
  const tagged = new Map(keywords.filter(({ tags }) => tag === undefined || tags?.split(',').includes(tag)).map((one) => [one.id, one]))
  const first = start_date === undefined ? 0 : dayNumber(start_date) * secondsPerDay
  const last = end_date === undefined ? latest : (dayNumber(end_date) + 1) * secondsPerDay - 1
  const order = [...sources.keys()]
  /** Entries of one time are in the order of their sources' names. */
  const isReached = ([owner, time, code]: RowPlace) =>
    owner === after[0] && time === after[1] && order.indexOf(code) <= order.indexOf(after[2])
  const query = { table: 'ranking_months', accountId, from: monthOf(first), before: last + 1 } as const
  for await (const months of monthPieces(db, query, [...tagged.keys()]))
    for (const { owner, data } of months) {
      const words = wordsOf(data)
      const end = firstAfter(words, rankingLayout, last)
      const start = firstFrom(words, rankingLayout, owner === after[0] ? Math.max(first, after[1]) : first)
      for (let index = start; index < end; index += rankingLayout.words) {
        const { time, source: code, rank } = decodeRanking(words, index)
        const [source, keyword] = [sources.get(code), tagged.get(owner)]
        if (source === undefined || keyword === undefined || isReached([owner, time, code])) continue
        yield { place: [owner, time, code], record: rowOf(keyword, source, time, rank) }
      }
    }
}

function rowOf({ id, phrase, tags }: Keyword, source: Source, time: number, rank: number | null): RankingRowRecord {
  const { engine, locale, device, location } = source
  const ranked_at = new Date(time * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return { keyword_id: id, phrase, tags, search_engine: engine, locale, device, location, ranked_at, rank }
}
