/** Spreads the measured tables over the workers of a Citus cluster, by account and side by side; the directory stays where it is. */

import { type Kysely, sql } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { Distribution } from '../engine.ts'
import { placement } from '../placement.ts'
import type { Tables } from '../rows/tables.ts'

const measured = Object.keys(placement).filter((name) => placement[name as keyof Tables] === 'measured')
/** All others lie beside it. */
const first = 'subjects'

/** One transaction: the cluster is laid out or it is not. What is laid out already stays as it is. */
export async function distribute(tx: Kysely<Tables>): Promise<Distribution> {
  const { version, workers } = await clusterOf(tx)
  const there = await spreadTables(tx)
  const made = await madeTables(tx)
  const missing = [first, ...made.filter((name) => name !== first)].filter((name) => !there.has(name))
  const keys = (await foreignKeys(tx)).filter(({ table }) => missing.includes(table))
  if (missing.length > 0) await run(tx, inOneTransaction)
  for (const { table, name } of keys) await run(tx, `alter table "${table}" drop constraint "${name}"`)
  for (const table of missing) await run(tx, spread(table))
  const kept = keys.filter(({ to }) => measured.includes(to))
  for (const { table, name, definition } of kept) await run(tx, `alter table "${table}" add constraint "${name}" ${definition}`)
  const dropped = keys.filter(({ to }) => !measured.includes(to)).map(({ table, to }) => `${table} to ${to}`)
  return { version, workers, tables: made.map((table) => ({ table, was: there.has(table) ? 'spread before' : 'spread now' })), dropped }
}

/** For a table that is made in a database whose tables are spread: its keys to the directory cannot be. */
export function spreadNewTable(table: string): readonly string[] {
  return [spread(table)]
}

export async function isDistributed(tx: Kysely<Tables>): Promise<boolean> {
  return (await extension(tx)) !== undefined && (await spreadTables(tx)).size > 0
}

/** Shards of several tables are changed in one transaction, so that they share their connections. */
export const inOneTransaction = "set local citus.multi_shard_modify_mode = 'sequential'"

function spread(table: string): string {
  const beside = table === first ? '' : `, colocate_with => '${first}'`
  return `select create_distributed_table('${table}', 'account_id'${beside})`
}

async function clusterOf(tx: Kysely<Tables>): Promise<{ version: string; workers: number }> {
  const version = await extension(tx)
  if (version === undefined)
    refuse(
      'conflict',
      'This database has no extension citus: run `create extension citus` on every node and add the workers with `citus_add_node` first.',
    )
  const { rows } = await sql<{ workers: number }>`
    select count(*) as workers from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'`.execute(tx)
  const workers = rows[0]?.workers ?? 0
  if (workers === 0) refuse('conflict', 'No node of the cluster takes data: add the workers with `citus_add_node` first.')
  return { version, workers }
}

async function extension(tx: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`select extversion as version from pg_extension where extname = 'citus'`.execute(tx)
  return rows[0]?.version
}

async function spreadTables(tx: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where p.partmethod = 'h' and c.relnamespace = current_schema()::regnamespace`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}

/** Measured tables that the schema has by now: `marquee migrate` may have steps to take. */
async function madeTables(tx: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname = any(${measured})`.execute(
    tx,
  )
  return measured.filter((name) => rows.some((row) => row.name === name))
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly to: string
  readonly definition: string
}

async function foreignKeys(tx: Kysely<Tables>): Promise<readonly ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select o.relname as "table", c.conname as name, t.relname as "to", pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class o on o.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and o.relname = any(${measured}) order by 1, 2`.execute(tx)
  return rows
}

async function run(tx: Kysely<Tables>, text: string): Promise<void> {
  await sql.raw(text).execute(tx)
}
