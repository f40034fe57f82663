/** All rows of a database, what differs between two looks at them, and the way back. */
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../src/store/rows/tables.ts'
import type { Store } from '../../../src/store/store.ts'
import type { EngineName } from '../../support/engines.ts'

export type TableName = keyof Tables
export type Row = Readonly<Record<string, unknown>>

/** The rows of each table by the text of their key, with their whole text. */
export type Rows = ReadonlyMap<TableName, ReadonlyMap<string, { readonly row: Row; readonly text: string }>>

export interface Difference {
  readonly table: TableName
  /** Undefined if the row is new. */
  readonly before: Row | undefined
  /** Undefined if the row is gone. */
  readonly after: Row | undefined
}

export interface Rowbook {
  /** Each after the tables it refers to, without those whose rows come and go by themselves. */
  readonly tables: readonly TableName[]
  read(): Promise<Rows>
  /** Makes the database what it was. */
  restore(differences: readonly Difference[]): Promise<void>
}

export async function openRowbook(store: Store, engine: EngineName, isRead: (table: TableName) => boolean = () => true): Promise<Rowbook> {
  const bulk = store.engine.bulk()
  const keys = new Map((await bulk.tables()).map(({ name, key }) => [name as TableName, key]))
  await bulk.close()
  const tables = [...keys.keys()].filter(isRead)
  const rowsOf = async (table: TableName) => {
    const rows: Row[] = await store.db.selectFrom(table).selectAll().execute()
    const keyOf = (row: Row) => (keys.get(table) ?? []).map((column) => row[column]).join(' ')
    return [table, new Map(rows.map((row) => [keyOf(row), { row, text: textOf(row) }]))] as const
  }
  return {
    tables,
    read: async () => new Map(await Promise.all(tables.map(rowsOf))),
    restore: (differences) => store.write((tx) => restore(tx, engine, keys, differences)),
  }
}

export function differencesOf(before: Rows, after: Rows): Difference[] {
  return [...before].flatMap(([table, rows]) => {
    const now: typeof rows = after.get(table) ?? new Map()
    const names = [...rows.keys(), ...[...now.keys()].filter((name) => !rows.has(name))]
    const different = names.filter((name) => rows.get(name)?.text !== now.get(name)?.text)
    return different.map((name) => ({ table, before: rows.get(name)?.row, after: now.get(name)?.row }))
  })
}

export function textOf(row: Row): string {
  return Object.entries(row)
    .map(([name, value]) => `${name}=${value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value}`)
    .join(' ')
}

type Keys = ReadonlyMap<TableName, readonly string[]>

/** What is new goes first, because it may hold a name that an old row needs again. */
async function restore(tx: Kysely<Tables>, engine: EngineName, keys: Keys, differences: readonly Difference[]): Promise<void> {
  if (engine === 'sqlite') await sql`pragma defer_foreign_keys = on`.execute(tx)
  const of = (table: TableName) => differences.filter((one) => one.table === table)
  for (const table of [...keys.keys()].toReversed())
    for (const { before, after } of of(table))
      if (before === undefined && after !== undefined)
        await tx
          .deleteFrom(table as 'facts')
          .where(isRow(keys, table, after))
          .execute()
  for (const table of keys.keys())
    for (const { before, after } of of(table)) {
      if (before === undefined) continue
      if (after === undefined)
        await tx
          .insertInto(table as 'facts')
          .values(before as never)
          .execute()
      else
        await tx
          .updateTable(table as 'facts')
          .set(before as never)
          .where(isRow(keys, table, before))
          .execute()
    }
}

function isRow(keys: Keys, table: TableName, row: Row) {
  const conditions = (keys.get(table) ?? []).map((column) => sql<boolean>`${sql.ref(column)} = ${row[column]}`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}
