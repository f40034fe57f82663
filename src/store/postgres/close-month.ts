/**
 * Closes a month: its partition is copied in the order of its keys, without room for growth, and the copy takes its place. Meanwhile a trigger writes every
 * change to both, so that nothing remains to be done when they are swapped, however large the month is. The state lies in the database alone: a copy that was
 * interrupted, even by a crash, is continued.
 */

import { type Kysely, sql } from 'kysely'
import { type ClosedMonth, type MonthTable, monthTables, type StoredMonth } from '../month-tables.ts'
import type { Tables } from '../rows/tables.ts'
import { closedComment, copyOf, exists, lockMonths, lockOutSnapshots, mirrorOf, run, unlessLocked } from './months.ts'
import { type PartitionSpan, partitionBounds, partitionName } from './partition-spans.ts'

const rowsAtOnce = 2_000
/** Shorter than the time after which the server looks for a deadlock, so that it is never a writer that is ended. */
const copyPatience = '300ms'
const swapPatience = '400ms'
const swapAttempts = 10
const pauseMilliseconds = 500

interface Closing {
  readonly table: MonthTable
  readonly month: PartitionSpan
  readonly owner: string
  /** The partition. */
  readonly name: string
  /** Its ordered copy. */
  readonly copy: string
  readonly key: string
}

export async function closeMonth(db: Kysely<Tables>, month: StoredMonth, signal: AbortSignal): Promise<ClosedMonth> {
  const { table } = month
  const name = partitionName(table, month)
  const { owner } = monthTables[table]
  const closing = { table, month, owner, name, copy: copyOf(name), key: `account_id, ${owner}, starts_at` }
  let rows = 0
  const outcome = async (what: ClosedMonth['outcome'], lockedMilliseconds = 0) => ({ outcome: what, rows, lockedMilliseconds })
  if ((await repeatedly(signal, () => inTransaction(db, (tx) => begin(tx, closing)))) === 'busy') return outcome('busy')
  for (;;) {
    if (signal.aborted) return outcome('stopped')
    const copied = await repeatedly(signal, () => inTransaction(db, (tx) => copySome(tx, closing)))
    if (copied === 'busy') return outcome('busy')
    if (copied === 'all') break
    rows += copied
  }
  await run(db, `analyze ${closing.copy}`)
  const locked = await repeatedly(signal, () => inTransaction(db, (tx) => swap(tx, closing)))
  return locked === 'busy' ? outcome('busy') : outcome('closed', locked)
}

function inTransaction<T>(db: Kysely<Tables>, work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(work)
}

/** Waits a short time for others, again and again: while it waits, they queue behind it. */
async function repeatedly<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | 'busy'> {
  for (let attempt = 0; attempt < swapAttempts && !signal.aborted; attempt += 1) {
    const result = await unlessLocked(work)
    if (result !== 'busy') return result
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds))
  }
  return 'busy'
}

/** From its end on, every change of the partition is made to the copy as well. The check saves a look at every row when the copy is attached. */
async function begin(tx: Kysely<Tables>, { table, month, owner, name, copy, key }: Closing): Promise<void> {
  await lockMonths(tx, swapPatience)
  if (await exists(tx, copy)) return
  const { owners } = monthTables[table]
  await run(tx, `create table ${copy} (like ${table} including all)`)
  await run(tx, `alter table ${copy} set (fillfactor = 100, toast_tuple_target = 8160)`)
  await run(tx, `alter table ${copy} add constraint its_month check (starts_at >= ${month.from} and starts_at < ${month.to})`)
  await run(
    tx,
    `alter table ${copy} add constraint ${table}_account_id_${owner}_fkey foreign key (account_id, ${owner}) references ${owners} (account_id, id)`,
  )
  await run(tx, mirror({ name, copy, owner, key }))
  await run(tx, `create trigger mirror after insert or update or delete on ${name} for each row execute function ${mirrorOf(name)}`)
}

function mirror({ name, copy, owner, key }: Pick<Closing, 'name' | 'copy' | 'owner' | 'key'>): string {
  return `create function ${mirrorOf(name)} returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        delete from ${copy} where account_id = old.account_id and ${owner} = old.${owner} and starts_at = old.starts_at;
      else
        insert into ${copy} (${key}, data) values (new.account_id, new.${owner}, new.starts_at, new.data)
          on conflict (${key}) do update set data = excluded.data;
      end if;
      return null;
    end $$`
}

interface Copied {
  readonly count: number
  readonly last: string | null
}

/**
 * Copies the rows after the last one copied, which the comment of the copy names. They are locked against changes until this ends, so that a change is made
 * either before it is copied or to both; a row that the trigger has put into the copy is newer or the same.
 */
async function copySome(tx: Kysely<Tables>, { owner, name, copy, key }: Closing): Promise<number | 'all'> {
  await run(tx, `set local lock_timeout = '${copyPatience}'`)
  await run(tx, `lock table ${copy} in share update exclusive mode`)
  const after = (await sql<{ comment: string | null }>`select obj_description(to_regclass(${copy}), 'pg_class') as comment`.execute(tx))
    .rows[0]?.comment
  const rest = `from ${name} ${after ? `where (${key}) > (${after})` : ''}`
  if (!(await isAny(tx, rest))) return 'all'
  const { rows } = await sql
    .raw<Copied>(
      `with batch as materialized (
        select ${key}, data ${rest} order by ${key} limit ${rowsAtOnce} for share
      ), put as (
        insert into ${copy} (${key}, data) select ${key}, data from batch order by ${key} on conflict do nothing
      )
      select count(*) as count, (select concat_ws(',', ${key}) from batch order by account_id desc, ${owner} desc, starts_at desc limit 1) as last from batch`,
    )
    .execute(tx)
  const { count = 0, last = null } = rows[0] ?? {}
  if (last !== null) await run(tx, `comment on table ${copy} is '${last}'`)
  return count
}

/** A batch may find none of its rows because they were removed while it waited, so only this tells whether all are copied. */
async function isAny(tx: Kysely<Tables>, rest: string): Promise<boolean> {
  return (await sql.raw<{ is: boolean }>(`select exists (select 1 ${rest}) as is`).execute(tx)).rows[0]?.is === true
}

/** Returns for how many milliseconds others were locked out. */
async function swap(tx: Kysely<Tables>, { table, month, name, copy }: Closing): Promise<number> {
  await lockMonths(tx, swapPatience)
  const { rows } = await sql<{ pages: number }>`
    select pg_relation_size(to_regclass(${copy})) / current_setting('block_size')::bigint as pages`.execute(tx)
  const since = performance.now()
  await lockOutSnapshots(tx)
  // Writers take the owners' table first, too.
  await run(tx, `lock table ${monthTables[table].owners} in share row exclusive mode`)
  await run(tx, `lock table only ${table} in access exclusive mode`)
  await run(tx, `alter table ${table} detach partition ${name}`)
  await run(tx, `drop table ${name}`)
  await run(tx, `drop function ${mirrorOf(name)}`)
  await run(tx, `alter table ${table} attach partition ${copy} ${partitionBounds(month)}`)
  await run(tx, `alter table ${copy} drop constraint its_month`)
  await run(tx, `alter table ${copy} rename to ${name}`)
  await run(tx, `alter table ${name} rename constraint ${copy}_pkey to ${name}_pkey`)
  await run(tx, `comment on table ${name} is '${closedComment(rows[0]?.pages ?? 0)}'`)
  return performance.now() - since
}
