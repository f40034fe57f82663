/** The tables of a database as the server describes them: those that a statement finds by their names alone, whichever schema they are in. */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type FoundColumn, type FoundKey, tablesFound } from '../needs.ts'
import type { Tables } from '../rows/tables.ts'
import type { ColumnKind, TableMap } from '../table-map.ts'

const kinds: Readonly<Record<string, ColumnKind>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  text: 'text',
  varchar: 'text',
  bytea: 'bytes',
  float4: 'real',
  float8: 'real',
}

/** Asks only for the named tables, because a database has hundreds of partitions. */
export async function findServerTables(db: Kysely<Tables>, names: readonly string[]): Promise<TableMap> {
  const { rows: columns } = await sql<FoundColumn>`
    select t.name as "table", a.attname as "column", coalesce(b.typname, y.typname) as type, not a.attnotnull as "isNullable"
    from ${tablesNamed(names)}
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type y on y.oid = a.atttypid left join pg_type b on b.oid = y.typbasetype`.execute(db)
  const { rows: keys } = await sql<FoundKey>`
    select t.name as "table", array(
      select a.attname::text from unnest(i.indkey::int2[]) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number where k.place <= i.indnkeyatts) as columns
    from ${tablesNamed(names)}
    join pg_index i on i.indrelid = c.oid
    where i.indisunique and i.indisvalid and i.indimmediate and i.indpred is null and i.indexprs is null`.execute(db)
  return tablesFound(columns, keys, kinds)
}

function tablesNamed(names: readonly string[]): RawBuilder<unknown> {
  return sql`unnest(${[...names]}::text[]) t (name) join pg_class c on c.oid = to_regclass(quote_ident(t.name)) and c.relkind in ('r', 'p')`
}
