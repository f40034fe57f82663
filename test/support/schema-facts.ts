/** The schema as the database itself describes it: columns, unique keys and foreign keys of every table. */
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/store/rows/tables.ts'
import type { EngineName } from './engines.ts'

export interface ColumnFact {
  readonly name: string
  readonly kind: string
  readonly isNullable: boolean
  readonly isGiven: boolean
}

export interface KeyFact {
  readonly table: string
  readonly columns: readonly string[]
}

export interface ForeignKeyFact extends KeyFact {
  readonly to: string
}

const kinds: Readonly<Record<string, string>> = {
  integer: 'integer',
  int8: 'integer',
  text: 'text',
  blob: 'bytes',
  bytea: 'bytes',
  real: 'real',
  float8: 'real',
}

export async function columnFacts(db: Kysely<Tables>): Promise<Map<string, ColumnFact[]>> {
  const tables = await db.introspection.getTables()
  return new Map(
    tables.map(({ name, columns }) => [
      name,
      columns.map((column) => ({
        name: column.name,
        kind: kinds[column.dataType.toLowerCase()] ?? column.dataType,
        isNullable: column.isNullable && !column.isAutoIncrementing,
        // SQLite would give any integer that is a key alone; only an id is meant to be given.
        isGiven: column.hasDefaultValue || (column.isAutoIncrementing && column.name === 'id'),
      })),
    ]),
  )
}

interface KeyRow {
  readonly name: string
  readonly table: string
  readonly column: string
  readonly to: string
}

/** Primary keys are unique keys; an id that SQLite alone gives as a key of one column is left out, because it is the only one it can give. */
export async function uniqueKeys(db: Kysely<Tables>, engine: EngineName): Promise<KeyFact[]> {
  const { rows } = await (engine === 'sqlite'
    ? sql<KeyRow>`select l.name, t.name as "table", c.name as "column", '' as "to" from sqlite_schema t
        join pragma_index_list(t.name) l join pragma_index_info(l.name) c where t.type = 'table' and l."unique" = 1 order by l.name, c.seqno`
    : sql<KeyRow>`select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as "table", a.attname as "column", '' as "to"
        from pg_index i cross join unnest(i.indkey) with ordinality as k(attnum, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indisunique and i.indrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
        order by 1, k.place`
  ).execute(db)
  return grouped(rows)
}

export async function foreignKeys(db: Kysely<Tables>, engine: EngineName): Promise<ForeignKeyFact[]> {
  const { rows } = await (engine === 'sqlite'
    ? sql<KeyRow>`select t.name || f.id as name, t.name as "table", f."from" as "column", f."table" as "to" from sqlite_schema t
        join pragma_foreign_key_list(t.name) f where t.type = 'table' order by t.name, f.id, f.seq`
    : sql<KeyRow>`select c.conname as name, c.conrelid::regclass::text as "table", a.attname as "column", c.confrelid::regclass::text as "to"
        from pg_constraint c cross join unnest(c.conkey) with ordinality as k(attnum, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
        where c.contype = 'f' and c.connamespace = current_schema()::regnamespace order by 1, k.place`
  ).execute(db)
  return grouped(rows)
}

function grouped(rows: readonly KeyRow[]): ForeignKeyFact[] {
  const byKey = Map.groupBy(rows, ({ table, name }) => `${table} ${name}`)
  return [...byKey.values()].map((columns) => {
    const { table, to } = columns[0] as KeyRow
    return { table, to, columns: columns.map(({ column }) => column) }
  })
}
