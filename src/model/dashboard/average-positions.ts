/** Average positions as a search console tells them: of one keyword on each engine, or the mean over the keywords of a site by day. They are no ranks. */

import { type Kysely, sql } from 'kysely'
import { dayNumber, dayText } from '../../lib/time/days.ts'
import { byPreference } from '../../resources/tracked.ts'
import { readFigure } from '../../store/figures.ts'
import { firstAfter, firstFrom, monthOf, sourceAt, timeAt, wordsOf } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { series, trackedIn } from '../../store/series.ts'
import { padded } from '../imports/batches.ts'
import { monthPieces } from './month-pieces.ts'
import type { DaySpan } from './positions.ts'
import { isChosen, type Source, type SourceChoice } from './ranking-series.ts'

type Db = Kysely<Tables>

export interface AverageDay {
  readonly day: string
  readonly average: number
  /** How many it is the mean of: each keyword counts once for each engine and locale. */
  readonly measured: number
}

export interface AverageLine {
  readonly source: Source
  readonly days: readonly AverageDay[]
}

/** The subject whose keywords are read, or a single keyword. */
interface AveragesOf {
  readonly accountId: number
  readonly subjectId: number
  readonly keywordId?: number
}

interface Entry {
  readonly time: number
  readonly source: Source
  readonly average: number
}

export async function keywordAverages(db: Db, of: AveragesOf & { readonly keywordId: number }, span: DaySpan): Promise<AverageLine[]> {
  const lines = new Map<number, { source: Source; days: AverageDay[] }>()
  for await (const entries of monthsOf(db, of, span))
    for (const { time, source, average } of entries) {
      const line = lines.get(source.code) ?? { source, days: [] }
      lines.set(source.code, line)
      line.days.push({ day: dayText(time / secondsADay), average, measured: 1 })
    }
  return [...lines.values()].toSorted((a, b) => byPreference(a.source, b.source))
}

export async function siteAverages(db: Db, of: AveragesOf, span: DaySpan, choice: SourceChoice): Promise<AverageDay[]> {
  const sums = new Map<number, { sum: number; measured: number }>()
  for await (const entries of monthsOf(db, of, span))
    for (const { time, average } of oneOfEach(entries.filter(({ source }) => isChosen(source, choice)))) {
      const { sum, measured } = sums.get(time) ?? { sum: 0, measured: 0 }
      sums.set(time, { sum: sum + average, measured: measured + 1 })
    }
  return [...sums]
    .toSorted(([a], [b]) => a - b)
    .map(([time, { sum, measured }]) => ({ day: dayText(time / secondsADay), average: sum / measured, measured }))
}

const secondsADay = 86_400

/** Of a day, one entry for each engine and locale: that without device and location, or the one that stands for it. */
function oneOfEach(entries: readonly Entry[]): Iterable<Entry> {
  const chosen = new Map<string, Entry>()
  for (const entry of entries) {
    const key = `${entry.time} ${entry.source.locale} ${entry.source.engine}`
    const other = chosen.get(key)
    if (other === undefined || byPreference(entry.source, other.source) < 0) chosen.set(key, entry)
  }
  return chosen.values()
}

/** The entries of one keyword in one month after the other. */
async function* monthsOf(db: Db, of: AveragesOf, { from, to }: DaySpan): AsyncGenerator<readonly Entry[]> {
  const [first, last] = [dayNumber(from) * secondsADay, (dayNumber(to) + 1) * secondsADay - 1]
  const { table, layout } = series.average_position
  const names = new Map<number, Source>()
  for await (const ids of keywordIds(db, of))
    for await (const months of monthPieces(db, { table, accountId: of.accountId, from: monthOf(first), before: last + 1 }, ids)) {
      const all = months.map(({ data }) => wordsOf(data))
      await learnNames(db, of.accountId, names, all)
      for (const words of all) {
        const entries: Entry[] = []
        const end = firstAfter(words, layout, last)
        for (let at = firstFrom(words, layout, first); at < end; at += layout.words) {
          const source = names.get(sourceAt(words, at))
          if (source !== undefined)
            entries.push({ time: timeAt(words, at), source, average: readFigure.decimal(words, at, at + 2) as number })
        }
        yield entries
      }
    }
}

const keywordsPerRead = 500

async function* keywordIds(db: Db, { accountId, subjectId, keywordId }: AveragesOf): AsyncGenerator<readonly number[]> {
  if (keywordId !== undefined) return yield [keywordId]
  const all = db.selectFrom('keywords').select('id').where('account_id', '=', accountId).where('subject_id', '=', subjectId)
  const measured = db.selectFrom('average_position_months').select('starts_at').where('account_id', '=', accountId)
  const some = all
    .where(({ exists }) => exists(measured.where('keyword_id', '=', sql.ref<number>('keywords.id'))))
    .orderBy('id')
    .limit(keywordsPerRead)
  for (let ids = await idsOf(some); ids.length > 0; ) {
    yield ids
    ids = ids.length < keywordsPerRead ? [] : await idsOf(some.where('id', '>', ids.at(-1) as number))
  }
}

async function idsOf(query: { execute(): Promise<{ id: number }[]> }): Promise<number[]> {
  return (await query.execute()).map(({ id }) => id)
}

async function learnNames(db: Db, accountId: number, names: Map<number, Source>, months: readonly Uint32Array[]): Promise<void> {
  const codes = new Set<number>()
  for (const words of months)
    for (let at = 0; at < words.length; at += series.average_position.layout.words)
      if (!names.has(sourceAt(words, at))) codes.add(sourceAt(words, at))
  if (codes.size === 0) return
  const rows = db.selectFrom('sources').select(['code', 'engine', 'locale']).where('account_id', '=', accountId)
  for (const row of await rows.where('code', 'in', padded([...codes])).execute()) names.set(row.code, { ...row, ...trackedIn(row.engine) })
}
