/** The tables of a file as SQLite describes them. */

import { type Kysely, sql } from 'kysely'
import { type FoundColumn, type FoundKey, tablesFound } from '../needs.ts'
import type { Tables } from '../rows/tables.ts'
import type { ColumnKind, TableMap } from '../table-map.ts'

const kinds: Readonly<Record<string, ColumnKind>> = { INTEGER: 'integer', INT: 'integer', TEXT: 'text', BLOB: 'bytes', REAL: 'real' }

export async function findFileTables(db: Kysely<Tables>): Promise<TableMap> {
  const { rows: columns } = await sql<FoundColumn & { place: number }>`
    select t.name as "table", c.name as "column", upper(c.type) as type, c."notnull" = 0 and c.pk = 0 as "isNullable", c.pk as place
    from sqlite_schema t join pragma_table_info(t.name) c where t.type = 'table'`.execute(db)
  const { rows: keys } = await sql<{ table: string; columns: string }>`
    select t.name as "table", json_group_array(c.name) as columns
    from sqlite_schema t join pragma_index_list(t.name) k join pragma_index_info(k.name) c
    where t.type = 'table' and k."unique" and not k.partial
    group by t.name, k.name having count(c.name) = count(*)`.execute(db)
  const listed = keys.map((key): FoundKey => ({ table: key.table, columns: JSON.parse(key.columns) }))
  return tablesFound(columns, [...listed, ...primaryKeys(columns)], kinds)
}

/** The number by which a table keeps its rows is a key without an index. */
function primaryKeys(columns: readonly (FoundColumn & { place: number })[]): FoundKey[] {
  const ofKeys = columns.filter(({ place }) => place > 0)
  return [...Map.groupBy(ofKeys, ({ table }) => table)].map(([table, its]) => ({ table, columns: its.map(({ column }) => column) }))
}
