/** Reads dated rows (backlinks of subjects, reviews of pages), ordered by day and id. Long texts are read in bounded numbers of bytes. */

import { sql } from 'kysely'
import { type Review, review } from '../../resources/reputation.ts'
import { type Backlink, backlink } from '../../resources/seo-report.ts'
import { readBehind } from '../../store/read-behind.ts'
import { Prefetch } from './prefetch.ts'
import type { ReportDays } from './question.ts'
import { type Building, type SnapshotReader, statement } from './snapshot-reader.ts'

interface DatedTable {
  readonly name: 'backlinks' | 'reviews'
  readonly group: 'subject_id' | 'page_id'
  readonly day: 'found_on' | 'date'
  readonly columns: readonly string[]
  /** Those of the columns that may hold long text. */
  readonly long: readonly string[]
}

interface Asked {
  readonly accountId: number
  readonly last: string
}

/** A row as it is first read: null stands for a text that is too long to be read with hundreds of others; no such text is null in the table. */
type FirstRead = Record<string, unknown> & { readonly id: number; readonly group: number }

const rowsAtOnce = 1_000
const groupsAtFirst = 16
/** Texts up to this size are read with their row. */
const shortTextBytes = 1_000
const longBytesAtOnce = 256 << 10

export interface DatedRows<R> {
  expect(groupIds: readonly number[]): void
  of(groupId: number): AsyncGenerator<R[]>
}

export function readBacklinks(reading: SnapshotReader, days: ReportDays, accountId: number, early: boolean): DatedRows<Backlink> {
  return read<Backlink>(backlinkTable, reading, days, accountId, early)
}

export function readReviews(reading: SnapshotReader, days: ReportDays, accountId: number): DatedRows<Review> {
  return read<Review>(reviewTable, reading, days, accountId, reading.isRemote)
}

const backlinkTable = withStatements({
  name: 'backlinks',
  group: 'subject_id',
  day: 'found_on',
  columns: Object.keys(backlink),
  long: ['anchor_text'],
})
const reviewTable = withStatements({
  name: 'reviews',
  group: 'page_id',
  day: 'date',
  columns: [...Object.keys(review), 'ref'],
  long: ['header', 'detail'],
})

function withStatements(table: DatedTable) {
  const inOrder = { group: table.group, order: [table.day, 'id'], limit: rowsAtOnce }
  return {
    ...table,
    fromStart: statement<Asked & { first: string }, FirstRead>({
      ...inOrder,
      select: (building) => select(table, building).where(dayOf(table), '>=', building.param('first')),
    }),
    restOfDay: statement<Asked & { day: string; id: number }, FirstRead>({
      ...inOrder,
      select: (building) => select(table, building).where(dayOf(table), '=', building.param('day')).where('id', '>', building.param('id')),
    }),
    laterDays: statement<Asked & { day: string }, FirstRead>({
      ...inOrder,
      select: (building) => select(table, building).where(dayOf(table), '>', building.param('day')),
    }),
  }
}

function read<R>(
  table: ReturnType<typeof withStatements>,
  reading: SnapshotReader,
  { first, last }: ReportDays,
  accountId: number,
  early: boolean,
): DatedRows<R> {
  const asked = { accountId, last }
  const ahead = new Prefetch<FirstRead>({
    first: groupsAtFirst,
    early,
    read: (ids) => table.fromStart(reading, ids, { ...asked, first }),
    readOn(group, { [table.day]: day, id }) {
      const behind = { ...asked, day: day as string, id }
      return readBehind(
        rowsAtOnce,
        () => table.restOfDay(reading, [group], behind),
        () => table.laterDays(reading, [group], behind),
      )
    },
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

/** Both tables are queried alike; for the types, `reviews` stands for both. */
function select(table: DatedTable, { db, param }: Building<Asked>) {
  const { name, group, day, columns, long } = table as DatedTable & { name: 'reviews'; group: 'page_id'; day: 'date' }
  const short = columns.filter((column) => column !== 'id' && !long.includes(column))
  return db
    .selectFrom(name)
    .select(['id', `${group} as group`])
    .select(short as ['rating'])
    .select(
      long.map((column) => sql`case when octet_length(${sql.ref(column)}) <= ${shortTextBytes} then ${sql.ref(column)} end`.as(column)),
    )
    .where('account_id', '=', param('accountId'))
    .where(day, '<=', param('last'))
}

function dayOf({ day }: DatedTable): 'date' {
  return day as 'date'
}

/** Yields rows in pieces of a bounded number of bytes; long texts are read by row id and released once they are written. */
async function* withLongTexts<R>(table: DatedTable, reading: SnapshotReader, accountId: number, rows: FirstRead[]): AsyncGenerator<R[]> {
  const wanting = rows.filter((row) => lacksText(table, row))
  if (wanting.length === 0) return yield rows as unknown as R[]
  const bytes = await readLengths(table, reading, accountId, wanting)
  for (const piece of byLongBytes(rows, bytes)) {
    const some = piece.filter(({ id }) => bytes.has(id))
    const texts = some.length === 0 ? null : await readTexts(table, reading, accountId, some)
    yield (texts === null ? piece : piece.map((row) => ({ ...row, ...texts.get(row.id) }))) as R[]
  }
}

function* byLongBytes(rows: FirstRead[], bytes: ReadonlyMap<number, number>): Generator<FirstRead[]> {
  let [start, sum] = [0, 0]
  for (const [index, { id }] of rows.entries()) {
    const more = bytes.get(id) ?? 0
    if (sum > 0 && sum + more > longBytesAtOnce) {
      yield rows.slice(start, index)
      start = index
      sum = 0
    }
    sum += more
  }
  yield start === 0 ? rows : rows.slice(start)
}

function lacksText({ long }: DatedTable, row: FirstRead): boolean {
  return long.some((column) => row[column] === null)
}

async function readLengths({ name, long }: DatedTable, { db, isOneOf }: SnapshotReader, accountId: number, rows: FirstRead[]) {
  const lengths = long.map((column) => sql`octet_length(${sql.ref(column)})`)
  const found = await db
    .selectFrom(name)
    .select(['id', sql<number>`${sql.join(lengths, sql` + `)}`.as('bytes')])
    .where('account_id', '=', accountId)
    .where(isOneOf('id', idsOf(rows)))
    .execute()
  return new Map(found.map(({ id, bytes }) => [id, bytes]))
}

async function readTexts({ name, long }: DatedTable, { db, isOneOf }: SnapshotReader, accountId: number, rows: FirstRead[]) {
  const texts = await db
    .selectFrom(name)
    .select('id')
    .select(long as ['detail'])
    .where('account_id', '=', accountId)
    .where(isOneOf('id', idsOf(rows)))
    .execute()
  return new Map(texts.map((row) => [row.id, row]))
}

function idsOf(rows: readonly FirstRead[]): number[] {
  return rows.map(({ id }) => id)
}
