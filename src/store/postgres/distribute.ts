/** Spreads the measured tables over the workers of a Citus cluster, by account and side by side; the directory stays where it is. */

import { type Kysely, sql } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { Distribution } from '../engine.ts'
import { placement } from '../placement.ts'
import type { Tables } from '../rows/tables.ts'
import { dropCopies, run } from './months.ts'
import { citusVersion, firstSpread, inOneTransaction, spreadTable, spreadTables } from './spread-tables.ts'

const measured = Object.keys(placement).filter((name) => placement[name as keyof Tables] === 'measured')

/** One transaction: the cluster is laid out or it is not. What is laid out already stays as it is. */
export async function distribute(tx: Kysely<Tables>): Promise<Distribution> {
  const { version, workers } = await clusterOf(tx)
  const there = await spreadTables(tx)
  const made = await madeTables(tx)
  const missing = [firstSpread, ...made.filter((name) => name !== firstSpread)].filter((name) => !there.has(name))
  if (missing.length > 0) await prepare(tx)
  const keys = (await foreignKeys(tx)).filter(({ table }) => missing.includes(table))
  for (const { table, name } of keys) await run(tx, `alter table "${table}" drop constraint "${name}"`)
  for (const table of missing) await run(tx, spreadTable(table))
  const kept = keys.filter(({ to }) => measured.includes(to))
  for (const { table, name, definition } of kept) await run(tx, `alter table "${table}" add constraint "${name}" ${definition}`)
  const dropped = keys.filter(({ to }) => !measured.includes(to)).map(({ table, to }) => `${table} to ${to}`)
  return { version, workers, tables: made.map((table) => ({ table, was: there.has(table) ? 'spread before' : 'spread now' })), dropped }
}

/** A table with a trigger, or to which another one refers that is not spread, cannot be spread: months that are being closed are begun anew the next night. */
async function prepare(tx: Kysely<Tables>): Promise<void> {
  await run(tx, inOneTransaction)
  await dropCopies(tx)
}

async function clusterOf(tx: Kysely<Tables>): Promise<{ version: string; workers: number }> {
  const version = await citusVersion(tx)
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
