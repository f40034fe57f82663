/** Packed months as partitions of their tables: made before or when they are needed, listed, and removed. */

import { type Kysely, sql } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { monthTableNames, monthTables, type StoredMonth } from '../month-tables.ts'
import { monthOf } from '../packed-months.ts'
import type { Tables } from '../rows/tables.ts'
import type { MonthTable } from '../series.ts'
import { stateOf } from './outages.ts'
import { type PartitionSpan, partitionBounds, partitionName, spanAround, spanOf } from './partition-spans.ts'
import { inOneTransaction, spreadTable } from './spread-tables.ts'

/** Of a partition that still grows: leaves room for the next version of a row on the same page. */
const openStorage = 'fillfactor = 70, toast_tuple_target = 8160'

/** An arbitrary fixed number: whoever makes, swaps or removes partitions takes the same advisory lock. */
const takeMonths = 'select pg_advisory_xact_lock(7302015)'
const noPartition = '23514'
/** Somebody held a lock for too long; or, on a cluster, which looks for deadlocks every other second, waited for this transaction at the same time. */
const busy = ['55P03', '40P01']
const attempts = 5

/** The ordered copy that takes the place of a partition when it is closed. */
export function copyOf(partition: string): string {
  return `${partition}_copy`
}

/** The trigger function that repeats changes of a partition on its copy. */
export function mirrorOf(partition: string): string {
  return `${partition}_mirror()`
}

/** With its triggers: a cluster keeps the shards that it has moved away for a while. */
export function dropMirror(partition: string): string {
  return `drop function if exists ${mirrorOf(partition)} cascade`
}

export async function run(tx: Kysely<Tables>, text: string): Promise<void> {
  await sql.raw(text).execute(tx)
}

/** Must come first in a transaction that changes partitions. */
export async function lockMonths(tx: Kysely<Tables>, timeout: string): Promise<void> {
  await run(tx, inOneTransaction)
  await waitAtMost(tx, timeout)
  await run(tx, takeMonths)
}

/** Others queue behind whoever waits for a table, so nobody waits long here, on the workers of a cluster either. */
export async function waitAtMost(tx: Kysely<Tables>, timeout: string): Promise<void> {
  await run(tx, "set local citus.propagate_set_commands = 'local'")
  await run(tx, `set local lock_timeout = '${timeout}'`)
}

/**
 * Snapshots hold this table from before their beginning. Whoever replaces or removes a partition locks it exclusively, because a snapshot that is older than
 * the rows of a new partition would not see them.
 */
export const holdSchema = 'lock table schema_migrations in access share mode'

export async function lockOutSnapshots(tx: Kysely<Tables>): Promise<void> {
  await run(tx, 'lock table schema_migrations in access exclusive mode')
}

export async function unlessLocked<T>(work: () => Promise<T>): Promise<T | 'busy'> {
  try {
    return await work()
  } catch (error) {
    if (!busy.includes(stateOf(error))) throw error
    return 'busy'
  }
}

export async function makeMonth(db: Kysely<Tables>, table: MonthTable, month: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if ((await unlessLocked(() => db.transaction().execute((tx) => makeIn(tx, table, month)))) !== 'busy') return
  }
  refuse('unavailable', 'The database is busy', { 'Retry-After': '1' })
}

async function makeIn(tx: Kysely<Tables>, table: MonthTable, month: number): Promise<void> {
  await lockMonths(tx, '1s')
  const isThere = (await listMonths(tx)).some((stored) => stored.table === table && stored.from <= month && month < stored.to)
  if (!isThere) await makePartition(tx, table, spanAround(month, Date.now() / 1000))
}

/** Attaching a table to its parent lets others go on reading and writing; making it as a partition would not. */
async function makePartition(tx: Kysely<Tables>, table: MonthTable, span: PartitionSpan): Promise<void> {
  const name = partitionName(table, span)
  await run(tx, `create table ${name} (like ${table} including all)`)
  await run(tx, `alter table ${name} set (${openStorage})`)
  await run(tx, `alter table ${table} attach partition ${name} ${partitionBounds(span)}`)
}

export async function exists(tx: Kysely<Tables>, name: string): Promise<boolean> {
  return (await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(tx)).rows[0]?.found === true
}

/** Repeats a write that found no partition for a month, once it is made. */
export async function makingMonths<T>(db: Kysely<Tables>, write: () => Promise<T>): Promise<T> {
  for (let made = 0; ; made += 1) {
    try {
      return await write()
    } catch (error) {
      const missing = missingMonth(error)
      if (missing === undefined || made === mostMonths) throw error
      await makeMonth(db, missing.table, missing.month)
    }
  }
}

/** More than the partitions of all four tables. */
const mostMonths = 2_000

/** The month for which a write found no partition; on a cluster the error names a shard, which has a number after its name. */
function missingMonth(error: unknown): { table: MonthTable; month: number } | undefined {
  if (stateOf(error) !== noPartition || !(error instanceof Error)) return undefined
  const [, time] = /\(starts_at\) = \((\d+)\)/.exec('detail' in error ? String(error.detail) : '') ?? []
  const [, named = ''] = /"(\w+?_months)(?:_\d+)?"/.exec(error.message) ?? []
  const table = monthTableNames.find((name) => name === named)
  return time === undefined || table === undefined ? undefined : { table, month: monthOf(Number(time)) }
}

export async function listMonths(db: Kysely<Tables>): Promise<readonly StoredMonth[]> {
  const { rows } = await sql<{ table: MonthTable; name: string }>`
    select p.relname as "table", c.relname as name ${partitions} order by 1, 2`.execute(db)
  return rows.map(({ table, name }) => ({ table, ...spanOf(name) }))
}

/** The partitions of all tables of months as `c`, with their table as `p`. */
export const partitions = sql`
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.relnamespace = current_schema()::regnamespace and p.relkind = 'p' and p.relname = any(${[...monthTableNames]})`

/** Every writer of measurements locks or renews the version of its account. */
export async function lockWriters(tx: Kysely<Tables>): Promise<void> {
  await lockMonths(tx, removalPatience)
  await run(tx, 'lock table measured_versions in exclusive mode')
}

/** An operator waits for this, and reports that have begun may take their time. */
const removalPatience = '15s'

/** Partitions are removed whole, with an unfinished copy if there is one. */
export async function removeMonths(tx: Kysely<Tables>, months: readonly StoredMonth[]): Promise<void> {
  await lockOutSnapshots(tx)
  for (const month of months) {
    const { table } = month
    const name = partitionName(table, month)
    await run(tx, `alter table ${table} detach partition ${name}`)
    await run(tx, `drop table ${name}`)
    await dropCopy(tx, name)
  }
}

/** Throws away what is copied of a month that is being closed. */
export async function dropCopy(tx: Kysely<Tables>, partition: string): Promise<void> {
  await run(tx, dropMirror(partition))
  await run(tx, `drop table if exists ${copyOf(partition)}`)
}

/** The same for all months; nobody begins to close one until the transaction ends. */
export async function dropCopies(tx: Kysely<Tables>): Promise<void> {
  await run(tx, takeMonths)
  for (const month of await listMonths(tx)) await dropCopy(tx, partitionName(month.table, month))
}

/**
 * Turns a table of packed months into a partitioned one with the same rows, name, key and foreign keys. The constraint of the key gets another name, because a
 * cluster renames none.
 */
export async function partitionByMonth(tx: Kysely<Tables>, table: MonthTable, isSpread: boolean): Promise<void> {
  const whole = `${table}_whole`
  const key = `account_id, ${monthTables[table].owner}, starts_at`
  await run(tx, `alter table ${table} rename to ${whole}`)
  await run(
    tx,
    `create table ${table} (like ${whole} including storage, constraint ${table}_key primary key (${key})) partition by range (starts_at)`,
  )
  if (isSpread) await run(tx, spreadTable(table))
  const { rows } = await sql<{ starts_at: number }>`
    select distinct extract(epoch from date_trunc('month', to_timestamp(starts_at) at time zone 'UTC'))::bigint as starts_at
    from ${sql.table(whole)}`.execute(tx)
  const spans = rows.map(({ starts_at }) => spanAround(starts_at, Date.now() / 1000))
  for (const span of new Map(spans.map((one) => [one.from, one])).values()) await makePartition(tx, table, span)
  if (rows.length > 0) await run(tx, `insert into ${table} select * from ${whole} order by ${key}`)
  for (const { name, definition } of await foreignKeysOf(tx, whole))
    await run(tx, `alter table ${table} add constraint ${name} ${definition}`)
  await run(tx, `drop table ${whole}`)
}

/** Months that are being closed are begun anew: their copies would keep the key. */
export async function dropForeignKey(tx: Kysely<Tables>, table: string, key: string): Promise<void> {
  if (monthTableNames.some((name) => name === table)) await dropCopies(tx)
  await run(tx, `alter table ${table} drop constraint ${key}`)
}

async function foreignKeysOf(tx: Kysely<Tables>, table: string): Promise<readonly { name: string; definition: string }[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and conrelid = to_regclass(${table})`.execute(tx)
  return rows
}
