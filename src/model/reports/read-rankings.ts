/** Reads the keywords of subjects by phrase, each with its rankings in a range of days as spans of packed months. */

import { sql } from 'kysely'
import type { FlowItem, SpanPieces } from '../../fields/streaming.ts'
import type { keywords } from '../../resources/seo-report.ts'
import { firstAfter, firstFrom, monthOf, rankingLayout, wordsOf } from '../../store/packed-months.ts'
import { AccountSeries, type Substitutes } from './account-series.ts'
import { Prefetch } from './prefetch.ts'
import type { RankingChoice, ReportDays } from './question.ts'
import type { DatedRows } from './read-dated-rows.ts'
import { type SnapshotReader, statement } from './snapshot-reader.ts'
import type { PackedRankings } from './write-rankings.ts'

export type KeywordItem = FlowItem<(typeof keywords)['of']>

interface KeywordRow {
  readonly id: number
  readonly subject_id: number
  readonly phrase: string
}

interface RankingMonth {
  readonly keyword_id: number
  readonly starts_at: number
  readonly data: Uint8Array
}

const keywordsAtOnce = 1_000
const subjectsAtFirst = 16
/** A chunk of a month has up to 4 kB; most have far less. */
const monthsAtOnce = 1_000
const bytesAtOnce = 512 << 10
const keywordsAtFirst = 64
const together = 32

export interface RankingQuestion {
  readonly reading: SnapshotReader
  readonly days: ReportDays
  readonly accountId: number
  readonly choice: RankingChoice
}

export function readKeywords(question: RankingQuestion, early: boolean): DatedRows<KeywordItem> {
  const { reading, accountId, choice } = question
  const months = readMonths(question)
  const series = new AccountSeries(reading, accountId, choice)
  const read = (subjectIds: readonly number[], behind = '') => keywordsBehind(reading, subjectIds, { accountId, behind })
  const ahead = new Prefetch<KeywordRow>({
    first: subjectsAtFirst,
    early,
    read: (subjectIds) => read(subjectIds),
    readOn: (subjectId, { phrase }) => read([subjectId], phrase),
    groupOf: ({ subject_id }) => subject_id,
    limit: keywordsAtOnce,
    onRows: (rows) => months.expect(rows.map(({ id }) => id)),
  })
  return {
    expect: (subjectIds) => ahead.expect(subjectIds),
    async *of(subjectId) {
      for await (const phrases of ahead.of(subjectId)) yield* withRankings(phrases, months, question, series)
    },
  }
}

async function* withRankings(
  phrases: readonly KeywordRow[],
  months: Prefetch<RankingMonth>,
  question: RankingQuestion,
  series: AccountSeries,
) {
  let items: KeywordItem[] = []
  for (const { id, phrase } of phrases) {
    const read = months.allIfRead(id) ?? (await months.allOrPieces(id))
    const isLong = !Array.isArray(read)
    const value = isLong ? longSpans(read, id, question, series) : printedSpans(read, question, series)
    // Waiting for what is there costs more than most keywords.
    items.push({ key: phrase, value: value instanceof Promise ? await value : value })
    // A long keyword is written before the next one is read, so that no two are in memory.
    if (items.length < together && !isLong) continue
    yield items
    items = []
  }
  if (items.length > 0) yield items
}

function printedSpans(
  months: readonly RankingMonth[],
  question: RankingQuestion,
  series: AccountSeries,
): readonly PackedRankings[] | Promise<readonly PackedRankings[]> {
  const found = spans(months, question, series)
  const loading = series.know(found)
  return loading === undefined ? series.printed(found) : loading.then(() => series.printed(found))
}

/** A long keyword is read once before, where what is printed of a day depends on all of its rankings. */
async function longSpans(
  pieces: AsyncGenerator<RankingMonth[]>,
  keywordId: number,
  question: RankingQuestion,
  series: AccountSeries,
): Promise<SpanPieces> {
  const substitutes = (await series.mayChoose()) ? await substitutesOf(keywordId, question, series) : series.substitutes()
  return {
    async next() {
      const { value, done } = await pieces.next()
      if (done) return null
      const found = spans(value, question, series)
      await series.know(found)
      return series.printed(found, substitutes)
    },
  }
}

async function substitutesOf(keywordId: number, question: RankingQuestion, series: AccountSeries): Promise<Substitutes> {
  const substitutes = series.substitutes()
  for (const look of ['find', 'findDays'] as const) {
    for await (const months of monthsOf(keywordId, question)) {
      const found = spans(months, question, series)
      await series.know(found)
      substitutes[look](found)
    }
  }
  return substitutes
}

async function* monthsOf(keywordId: number, question: RankingQuestion): AsyncGenerator<RankingMonth[]> {
  const read = monthsReader(question)
  for (let months = await read([keywordId]); months.length > 0; ) {
    yield months
    months = months.length < monthsAtOnce ? [] : await read([keywordId], (months.at(-1) as RankingMonth).starts_at)
  }
}

const keywordsBehind = statement<{ accountId: number; behind: string }, KeywordRow>({
  group: 'subject_id',
  order: ['phrase'],
  limit: keywordsAtOnce,
  select: ({ db, param }) =>
    db
      .selectFrom('keywords')
      .select(['id', 'subject_id', 'phrase'])
      .where('account_id', '=', param('accountId'))
      .where('phrase', '>', param('behind')),
})

function monthsReader({ reading, days: { from, to }, accountId }: RankingQuestion) {
  const first = monthOf(Math.max(from, 0))
  return async (keywordIds: readonly number[], behind = -1): Promise<RankingMonth[]> => {
    const [months] = await monthsFrom(reading, keywordIds, { accountId, first: Math.max(first, behind + 1), to })
    return monthsIn(months as MonthsTogether)
  }
}

function readMonths(question: RankingQuestion): Prefetch<RankingMonth> {
  const read = monthsReader(question)
  return new Prefetch<RankingMonth>({
    first: keywordsAtFirst,
    early: question.reading.isRemote,
    read: (keywordIds) => read(keywordIds),
    readOn: (keywordId, { starts_at }) => read([keywordId], starts_at),
    groupOf: ({ keyword_id }) => keyword_id,
    limit: monthsAtOnce,
    load: bytesAtOnce,
    weightOf: ({ data }) => data.length,
  })
}

/** Many months as one row: a row for each would cost more than its bytes (docs/decisions/2026-11-15-report-thread.md). */
const monthsFrom = statement<{ accountId: number; first: number; to: number }, MonthsTogether>({
  group: 'keyword_id',
  order: ['starts_at'],
  limit: monthsAtOnce,
  select: ({ db, param }) =>
    db
      .selectFrom('ranking_months')
      .select(['keyword_id', 'starts_at', 'data'])
      .where('account_id', '=', param('accountId'))
      .where('starts_at', '>=', param('first'))
      .where('starts_at', '<=', param('to')),
  sum: ({ db, jsonArray, concatBytes }, found) =>
    db
      .selectFrom(found)
      .select([jsonArray(sql.ref('keyword_id')).as('keywordIds'), jsonArray(sql.ref('starts_at')).as('starts')])
      .select([jsonArray(sql`length(data)`).as('lengths'), concatBytes('data').as('data')]),
})

interface MonthsTogether {
  readonly keywordIds: string
  readonly starts: string
  readonly lengths: string
  readonly data: Uint8Array | null
}

function monthsIn({ keywordIds, starts, lengths, data }: MonthsTogether): RankingMonth[] {
  const [ids, times, sizes] = [keywordIds, starts, lengths].map((list) => JSON.parse(list)) as [number[], number[], number[]]
  let end = 0
  return ids.map((keyword_id, index) => {
    const start = end
    end += sizes[index] as number
    return { keyword_id, starts_at: times[index] as number, data: (data as Uint8Array).subarray(start, end) }
  })
}

function spans(months: readonly RankingMonth[], { days: { from, to } }: RankingQuestion, { labels }: AccountSeries): PackedRankings[] {
  const found: PackedRankings[] = []
  for (const { data } of months) {
    const words = wordsOf(data)
    const span = { words, labels, from: firstFrom(words, rankingLayout, from), to: firstAfter(words, rankingLayout, to) }
    if (span.from < span.to) found.push(span)
  }
  return found
}
