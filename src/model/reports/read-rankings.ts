/** Keywords of subjects by phrase, each with its rankings in a range of days, as spans of packed months. */

import { sql } from 'kysely'
import type { FlowItem } from '../../fields/streaming.ts'
import type { keywords } from '../../resources/seo-report.ts'
import { firstAfter, firstFrom, monthOf, rankingLayout, wordsOf } from '../../store/packed-months.ts'
import type { ReportDays } from './days.ts'
import { isOneOrMore, Prefetch, type SnapshotReader } from './prefetch.ts'
import type { SubjectInReport } from './subjects.ts'
import type { Label, Labels, PackedRankings } from './write-rankings.ts'

export type KeywordItem = FlowItem<(typeof keywords)['of']>

interface Keyword {
  readonly id: number
  readonly subject_id: number
  readonly phrase: string
}

interface Month {
  readonly keyword_id: number
  readonly starts_at: number
  readonly data: Uint8Array
}

const keywordsAtOnce = 2_000
const bytesAtOnce = 512 << 10
const subjectsAtFirst = 16
const together = 32

export function readKeywords(
  reading: SnapshotReader,
  days: ReportDays,
  subjects: readonly SubjectInReport[],
  labels: ReadonlyMap<number, Labels>,
  early: boolean,
) {
  const accountIds = new Set(subjects.map(({ account_id }) => account_id))
  const months = monthsAhead(reading, days, accountIds)
  const ahead = new Prefetch<Keyword>({
    ids: subjects.map(({ id }) => id),
    first: subjectsAtFirst,
    early,
    async read(ids) {
      const rows = await readPhrases(reading, accountIds, ids)
      months.expect(inOrderOf(ids, rows))
      return rows
    },
    groupOf: ({ subject_id }) => subject_id,
    load: keywordsAtOnce,
  })
  return async function* (subject: SubjectInReport): AsyncGenerator<KeywordItem[]> {
    const phrases = (await ahead.of(subject.id)) ?? []
    const names = labels.get(subject.account_id) ?? []
    for (let start = 0; start < phrases.length; start += together) {
      const items: KeywordItem[] = []
      for (const { id, phrase } of phrases.slice(start, start + together))
        items.push({ key: phrase, value: spans((await months.of(id)) ?? [], days, names) })
      yield items
    }
  }
}

/** Sources by account and code. */
export async function readLabels(reading: SnapshotReader, accountIds: ReadonlySet<number>): Promise<Map<number, Labels>> {
  const rows = await reading.db
    .selectFrom('sources')
    .selectAll()
    .where(isOneOrMore(reading, 'account_id', accountIds))
    .execute()
  const labels = new Map<number, Label[]>()
  for (const { account_id, code, engine, locale } of rows) {
    const known = labels.get(account_id) ?? []
    known[code] = { locale, search_engine: engine }
    labels.set(account_id, known)
  }
  return labels
}

function monthsAhead(reading: SnapshotReader, { from, to }: ReportDays, accountIds: ReadonlySet<number>): Prefetch<Month> {
  const { jsonArray, concatBytes } = reading
  const read = async (some: readonly number[]) => {
    const found = await reading.db
      .selectFrom('ranking_months')
      .select([jsonArray(sql.ref('keyword_id')).as('keywordIds'), jsonArray(sql.ref('starts_at')).as('starts')])
      .select([jsonArray(sql`length(data)`).as('lengths'), concatBytes('data').as('data')])
      .where(isOneOrMore(reading, 'account_id', accountIds))
      .where(reading.isOneOf('keyword_id', some))
      .where('starts_at', '>=', monthOf(Math.max(from, 0)))
      .where('starts_at', '<=', to)
      .executeTakeFirstOrThrow()
    return monthsIn(found)
  }
  return new Prefetch({
    ids: [],
    first: together,
    early: reading.isRemote,
    read,
    groupOf: ({ keyword_id }) => keyword_id,
    load: bytesAtOnce,
    weightOf: ({ data }) => data.length,
  })
}

interface MonthsTogether {
  readonly keywordIds: string
  readonly starts: string
  readonly lengths: string
  readonly data: Uint8Array | null
}

function monthsIn({ keywordIds, starts, lengths, data }: MonthsTogether): Month[] {
  const [ids, times, sizes] = [keywordIds, starts, lengths].map((list) => JSON.parse(list)) as [number[], number[], number[]]
  let end = 0
  return ids.map((keyword_id, index) => {
    const start = end
    end += sizes[index] as number
    return { keyword_id, starts_at: times[index] as number, data: (data as Uint8Array).subarray(start, end) }
  })
}

/** Chunks of a keyword come in any order from the database, and in most cases in the right one. */
function spans(months: Month[], { from, to }: ReportDays, labels: Labels): PackedRankings[] {
  const found: PackedRankings[] = []
  for (const { data } of months.sort((a, b) => a.starts_at - b.starts_at)) {
    const words = wordsOf(data)
    const span = { words, labels, from: firstFrom(words, rankingLayout, from), to: firstAfter(words, rankingLayout, to) }
    if (span.from < span.to) found.push(span)
  }
  return found
}

function readPhrases(reading: SnapshotReader, accountIds: ReadonlySet<number>, ids: readonly number[]): Promise<Keyword[]> {
  return reading.db
    .selectFrom('keywords')
    .select(['id', 'subject_id', 'phrase'])
    .where(isOneOrMore(reading, 'account_id', accountIds))
    .where(reading.isOneOf('subject_id', ids))
    .orderBy('subject_id')
    .orderBy('phrase')
    .execute()
}

/** The order of printing: subject by subject as asked for, not by their ids. */
function inOrderOf(subjectIds: readonly number[], rows: readonly Keyword[]): number[] {
  const bySubject = Map.groupBy(rows, ({ subject_id }) => subject_id)
  return subjectIds.flatMap((id) => (bySubject.get(id) ?? []).map((keyword) => keyword.id))
}
