/** Rows that bear a day (backlinks of subjects, reviews of pages), by day and id. Long texts are read by their bytes, not by the number of their rows. */

import { sql } from 'kysely'
import { type Review, review } from '../../resources/reputation.ts'
import { type Backlink, backlink } from '../../resources/seo-report.ts'
import { Prefetch, type SnapshotReader } from './prefetch.ts'
import type { ReportDays } from './question.ts'

interface DatedTable {
  readonly name: 'backlinks' | 'reviews'
  readonly group: 'subject_id' | 'page_id'
  readonly day: 'found_on' | 'date'
  readonly columns: readonly string[]
  /** Those of the columns that may hold more than a line. */
  readonly long: readonly string[]
}

const backlinks: DatedTable = {
  name: 'backlinks',
  group: 'subject_id',
  day: 'found_on',
  columns: Object.keys(backlink),
  long: ['anchor_text'],
}
const reviews: DatedTable = { name: 'reviews', group: 'page_id', day: 'date', columns: Object.keys(review), long: ['header', 'detail'] }

/** A row as it is first read: null stands for a text that is too long to be read together with hundreds of others. */
type FirstRead = Record<string, unknown> & { readonly id: number; readonly group: number; readonly day: string; readonly longBytes: number }

const rowsAtOnce = 500
const groupsAtFirst = 4
/** Texts up to here come with their row. */
const shortTextBytes = 1_000
const longBytesAtOnce = 256 << 10

export interface DatedRows<R> {
  expect(groupIds: readonly number[]): void
  of(groupId: number): AsyncGenerator<R[]>
}

export function readBacklinks(reading: SnapshotReader, days: ReportDays, accountId: number, early: boolean): DatedRows<Backlink> {
  return read<Backlink>(backlinks, reading, days, accountId, early)
}

export function readReviews(reading: SnapshotReader, days: ReportDays, accountId: number): DatedRows<Review> {
  return read<Review>(reviews, reading, days, accountId, reading.isRemote)
}

function read<R>(table: DatedTable, reading: SnapshotReader, days: ReportDays, accountId: number, early: boolean): DatedRows<R> {
  const ahead = new Prefetch<FirstRead>({
    first: groupsAtFirst,
    early,
    read: (ids) => select(table, reading, days, accountId, ids).execute(),
    readOn: (id, last) => readOn(table, reading, days, accountId, id, last),
    groupOf: ({ group }) => group,
    limit: rowsAtOnce,
  })
  return {
    expect: (ids) => ahead.expect(ids),
    async *of(id) {
      for await (const rows of ahead.of(id)) yield* withLongTexts<R>(table, reading, accountId, rows)
    },
  }
}

/** The day and the id are compared together, so that a piece begins in the index where the one before it ended. */
function readOn(table: DatedTable, reading: SnapshotReader, days: ReportDays, accountId: number, id: number, last: FirstRead) {
  const behind = sql<boolean>`(${sql.ref(table.day)}, id) > (${last.day}, ${last.id})`
  return select(table, reading, days, accountId, [id]).where(behind).execute()
}

/** Both tables are asked alike; the types are told of one of them. */
function select(table: DatedTable, { db, isOneOf }: SnapshotReader, days: ReportDays, accountId: number, ids: readonly number[]) {
  const { name, group, day, columns, long } = table as DatedTable & { name: 'reviews'; group: 'page_id'; day: 'date' }
  const short = columns.filter((column) => column !== 'id' && !long.includes(column))
  return db
    .selectFrom(name)
    .select(['id', `${group} as group`, `${day} as day`])
    .select(short as ['rating'])
    .select(
      long.map((column) => sql`case when octet_length(${sql.ref(column)}) <= ${shortTextBytes} then ${sql.ref(column)} end`.as(column)),
    )
    .select(
      sql<number>`${sql.join(
        long.map((column) => sql`octet_length(${sql.ref(column)})`),
        sql` + `,
      )}`.as('longBytes'),
    )
    .where('account_id', '=', accountId)
    .where(isOneOf(group, ids))
    .where(day, '>=', days.first)
    .where(day, '<=', days.last)
    .orderBy(group)
    .orderBy(day)
    .orderBy('id')
    .limit(rowsAtOnce)
    .$castTo<FirstRead>()
}

/** The rows in pieces of a bounded number of bytes; long texts are read by the ids of their rows, and nothing holds them once they are written. */
async function* withLongTexts<R>(table: DatedTable, reading: SnapshotReader, accountId: number, rows: FirstRead[]): AsyncGenerator<R[]> {
  for (const piece of byLongBytes(table, rows)) {
    const wanting = piece.filter((row) => lacksText(table, row))
    const texts = wanting.length === 0 ? null : await readTexts(table, reading, accountId, wanting)
    yield (texts === null ? piece : piece.map((row) => ({ ...row, ...texts.get(row.id) }))) as R[]
  }
}

function* byLongBytes(table: DatedTable, rows: FirstRead[]): Generator<FirstRead[]> {
  let [start, bytes] = [0, 0]
  for (const [index, row] of rows.entries()) {
    if (!lacksText(table, row)) continue
    if (bytes > 0 && bytes + row.longBytes > longBytesAtOnce) {
      yield rows.slice(start, index)
      start = index
      bytes = 0
    }
    bytes += row.longBytes
  }
  yield start === 0 ? rows : rows.slice(start)
}

function lacksText({ long }: DatedTable, row: FirstRead): boolean {
  return row.longBytes > shortTextBytes && long.some((column) => row[column] === null)
}

async function readTexts({ name, long }: DatedTable, { db, isOneOf }: SnapshotReader, accountId: number, rows: FirstRead[]) {
  const ids = rows.map(({ id }) => id)
  const texts = await db
    .selectFrom(name as 'reviews')
    .select('id')
    .select(long as ['detail'])
    .where('account_id', '=', accountId)
    .where(isOneOf('id', ids))
    .execute()
  return new Map(texts.map((row) => [row.id, row]))
}
