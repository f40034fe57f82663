/** What a version needs of a database: the tables, columns and keys that its migrations say, and what a database lacks of them. More than that is never a fault. */

import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Tables } from './rows/tables.ts'
import type { ColumnWord, Migration, Schema } from './schema.ts'
import type { ColumnKind, KnownColumn, KnownTable, TableMap } from './table-map.ts'

/** A column as a database describes it, with a type of its own. */
export interface FoundColumn {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly isNullable: boolean | number
}

export interface FoundKey {
  readonly table: string
  readonly columns: readonly string[]
}

/** The tables that a database has; `kinds` maps its types to their classes. */
export function tablesFound(
  columns: readonly FoundColumn[],
  keys: readonly FoundKey[],
  kinds: Readonly<Record<string, ColumnKind>>,
): TableMap {
  const tables = new Map<string, KnownTable>()
  for (const { table, column, type, isNullable } of columns) {
    const found = tables.get(table) ?? { columns: new Map(), keys: [] }
    found.columns.set(column, { kind: kinds[type] ?? type, isNullable: Boolean(isNullable) })
    tables.set(table, found)
  }
  for (const { table, columns } of keys) tables.get(table)?.keys.push(columns)
  return tables
}

/** The record of the steps, which is there before the first of them. */
export function createRecordOfSteps({ createTable }: Schema): Promise<void> {
  return createTable('schema_migrations', { name: 'text', applied_at: 'text' }, { primaryKey: ['name'] })
}

/** What these steps leave in a database. They are only read: what they do to rows they do to none here. */
export async function tablesAfter(steps: readonly Migration[]): Promise<TableMap> {
  const tables = new Map<string, KnownTable>()
  const reading = readingSchema(tables)
  await createRecordOfSteps(reading)
  for (const { up } of steps) await up(reading)
  return tables
}

function readingSchema(tables: Map<string, KnownTable>): Schema {
  return {
    db: listening((statement) => dropColumn(tables, statement)),
    async createTable(name, columns, { primaryKey, unique = [] } = {}) {
      const keys = [...Object.entries(columns).flatMap(keyBy), ...(primaryKey ? [primaryKey] : []), ...unique]
      tables.set(name, { columns: new Map(Object.entries(columns).map(named)), keys })
    },
    async addColumns(name, columns) {
      for (const [column, word] of Object.entries(columns)) tables.get(name)?.columns.set(column, columnBy(word))
    },
    async allowNull(name, column) {
      const known = tables.get(name)?.columns.get(column)
      if (known !== undefined) tables.get(name)?.columns.set(column, { ...known, isNullable: true })
    },
    dropAccountReference: async () => {},
    partitionByMonth: async () => {},
  }
}

/** The language of migrations has no word for this. A test compares what all steps say with what they make. */
function dropColumn(tables: TableMap, statement: string): void {
  const [, table = '', column = ''] = /^alter table "?(\w+)"? drop column "?(\w+)"?$/i.exec(statement.trim()) ?? []
  tables.get(table)?.columns.delete(column)
}

/** Takes every statement and has no rows. */
function listening(hear: (statement: string) => void): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }) => hear(query.sql),
  })
}

function named([name, word]: [string, ColumnWord]): [string, KnownColumn] {
  return [name, columnBy(word)]
}

function columnBy(word: ColumnWord): KnownColumn {
  const kind: ColumnKind = /^(id|account id)$/.test(word) ? 'integer' : (word.replace(/[?=].*/, '') as ColumnKind)
  return { kind, isNullable: word.includes('?') }
}

function keyBy([name, word]: [string, ColumnWord]): (readonly string[])[] {
  if (word === 'id') return [[name]]
  return word === 'account id' ? [['account_id', name]] : []
}

/** Each lacking thing as half a sentence: `sites has no unique key (account_id, id)`. */
export function lackingOf(needed: TableMap, found: TableMap): readonly string[] {
  return [...needed].flatMap(([name, table]) => {
    const there = found.get(name)
    return there === undefined
      ? [`the table ${name} is missing`]
      : [...lackingColumns(name, table, there), ...lackingKeys(name, table, there)]
  })
}

function lackingColumns(table: string, { columns }: KnownTable, found: KnownTable): readonly string[] {
  return [...columns].flatMap(([name, { kind, isNullable }]) => {
    const column = found.columns.get(name)
    if (column === undefined) return [`${table}.${name} is missing`]
    if (column.kind !== kind) return [`${table}.${name} is ${column.kind} instead of ${kind}`]
    if (column.isNullable === isNullable) return []
    return [`${table}.${name} ${isNullable ? 'may not be null, and has to be' : 'may be null, and must not'}`]
  })
}

function lackingKeys(table: string, { keys }: KnownTable, found: KnownTable): readonly string[] {
  const there = new Set(found.keys.map(sameInAnyOrder))
  return keys.filter((key) => !there.has(sameInAnyOrder(key))).map((key) => `${table} has no unique key (${key.join(', ')})`)
}

function sameInAnyOrder(key: readonly string[]): string {
  return key.toSorted().join()
}
