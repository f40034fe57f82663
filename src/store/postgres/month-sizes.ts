/** How much room each month takes, on all machines of a cluster together, and whether it is closed. */

import { type Kysely, sql } from 'kysely'
import type { SizedMonth } from '../month-tables.ts'
import type { Tables } from '../rows/tables.ts'
import type { MonthTable } from '../series.ts'
import { partitions } from './months.ts'
import { spanOf } from './partition-spans.ts'
import { isDistributed } from './spread-tables.ts'

/** A closed month that late data has made larger by this factor is to be closed again. */
const mostGrowth = 1.2
/** Of each part: the server itself adds this much to a table that it vacuums. */
const smallGrowth = 64 * 1024

interface SizedPartition {
  readonly table: MonthTable
  readonly name: string
  readonly bytes: number
  readonly parts: number
  readonly comment: string | null
}

export async function sizesOfMonths(db: Kysely<Tables>): Promise<readonly SizedMonth[]> {
  const sizes = (await isDistributed(db)) ? sizesOfShards : sizesOfTables
  const { rows } = await sql<SizedPartition>`
    select "table", name, comment, bytes, parts from (
      select p.relname as "table", c.relname as name, c.oid as id, obj_description(c.oid, 'pg_class') as comment ${partitions}
    ) months join (${sizes}) sizes using (id) order by 1, 2`.execute(db)
  return rows.map(({ table, name, bytes, parts, comment }) => ({
    table,
    ...spanOf(name),
    bytes,
    parts,
    state: stateIn(comment, bytes, parts),
  }))
}

const sizesOfTables = sql`
  select c.oid as id, pg_total_relation_size(c.oid) as bytes, 1::bigint as parts ${partitions}`

const sizesOfShards = sql`
  select table_name::oid as id, sum(shard_size)::bigint as bytes, count(*) as parts from citus_shards group by table_name`

/** A closed partition says so in its comment, with its bytes at that time. */
export function closedComment(bytes: number): string {
  return `closed with ${bytes} bytes`
}

function stateIn(comment: string | null, bytes: number, parts: number): SizedMonth['state'] {
  const [, then] = /^closed with (\d+) bytes$/.exec(comment ?? '') ?? []
  return then !== undefined && bytes <= Number(then) * mostGrowth + smallGrowth * parts ? 'closed' : 'open'
}

export async function sizeOfTable(db: Kysely<Tables>, name: string, isSpread: boolean): Promise<number> {
  const size = isSpread ? sql`citus_total_relation_size` : sql`pg_total_relation_size`
  return (await sql<{ bytes: number }>`select ${size}(to_regclass(${name})) as bytes`.execute(db)).rows[0]?.bytes ?? 0
}
