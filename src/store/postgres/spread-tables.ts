/** How a table is spread over a Citus cluster, and which tables are. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../rows/tables.ts'

/** All others lie beside it. */
export const firstSpread = 'subjects'

/** Shards of several tables are changed in one transaction, so that they share their connections. */
export const inOneTransaction = "set local citus.multi_shard_modify_mode = 'sequential'"

/** A spread table can have no foreign keys to the directory. */
export function spreadTable(table: string): string {
  const beside = table === firstSpread ? '' : `, colocate_with => '${firstSpread}'`
  return `select create_distributed_table('${table}', 'account_id'${beside})`
}

export async function isDistributed(tx: Kysely<Tables>): Promise<boolean> {
  return (await citusVersion(tx)) !== undefined && (await spreadTables(tx)).size > 0
}

/** Undefined where the extension is not there. */
export async function citusVersion(tx: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`select extversion as version from pg_extension where extname = 'citus'`.execute(tx)
  return rows[0]?.version
}

export async function spreadTables(tx: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where p.partmethod = 'h' and c.relnamespace = current_schema()::regnamespace`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}
