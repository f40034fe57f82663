/**
 * Closes a month: its partition is copied in the order of its keys, without room for growth, and the copy takes its place. Meanwhile a trigger writes every
 * change to both, so that nothing remains to be done when they are swapped, however large the month is. The state lies in the database alone: a copy that was
 * interrupted, even by a crash, is continued. On a cluster the same is done on every shard.
 */

import { type Kysely, sql } from 'kysely'
import { type ClosedMonth, monthTables, type StoredMonth } from '../month-tables.ts'
import type { Tables } from '../rows/tables.ts'
import type { MonthTable } from '../series.ts'
import { type Copied, copySome } from './copy-month.ts'
import { closedComment, sizeOfTable } from './month-sizes.ts'
import { copyOf, dropCopy, dropMirror, exists, lockMonths, lockOutSnapshots, mirrorOf, run, unlessLocked } from './months.ts'
import { type PartitionSpan, partitionBounds, partitionName } from './partition-spans.ts'
import { isDistributed, spreadTable } from './spread-tables.ts'

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
  readonly isSpread: boolean
}

export async function closeMonth(db: Kysely<Tables>, month: StoredMonth, signal: AbortSignal): Promise<ClosedMonth> {
  const closing = await closingOf(db, month)
  const attempt = <T>(work: (tx: Kysely<Tables>) => Promise<T>) => repeatedly(signal, () => db.transaction().execute(work))
  if ((await attempt((tx) => begin(tx, closing))) === 'busy') return { outcome: 'busy', rows: 0, lockedMilliseconds: 0 }
  const { outcome, rows } = await copyAll(signal, () => attempt((tx) => copySome(tx, closing)))
  if (outcome !== 'copied') return { outcome, rows, lockedMilliseconds: 0 }
  if (await isMirrored(db, closing)) return { rows, ...(await swapIn(db, closing, attempt)) }
  await attempt((tx) => discard(tx, closing))
  return { outcome: 'moved', rows, lockedMilliseconds: 0 }
}

async function closingOf(db: Kysely<Tables>, month: StoredMonth): Promise<Closing> {
  const { table } = month
  const name = partitionName(table, month)
  return { table, month, owner: monthTables[table].owner, name, copy: copyOf(name), isSpread: await isDistributed(db) }
}

type Attempt = <T>(work: (tx: Kysely<Tables>) => Promise<T>) => Promise<T | 'busy'>

async function copyAll(
  signal: AbortSignal,
  copy: () => Promise<Copied | 'busy'>,
): Promise<{ outcome: 'copied' | 'busy' | 'stopped'; rows: number }> {
  let rows = 0
  while (!signal.aborted) {
    const copied = await copy()
    if (copied === 'busy') return { outcome: 'busy', rows }
    rows += copied.rows
    if (copied.isWhole) return { outcome: 'copied', rows }
  }
  return { outcome: 'stopped', rows }
}

async function swapIn(db: Kysely<Tables>, closing: Closing, attempt: Attempt): Promise<Omit<ClosedMonth, 'rows'>> {
  await run(db, `analyze ${closing.copy}`)
  const bytes = await sizeOfTable(db, closing.copy, closing.isSpread)
  const since = await attempt((tx) => swap(tx, closing, bytes))
  if (since === 'busy') return { outcome: 'busy', lockedMilliseconds: 0 }
  return { outcome: 'closed', lockedMilliseconds: performance.now() - since }
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

/** From its end on, every change of the partition is made to the copy as well. */
async function begin(tx: Kysely<Tables>, closing: Closing): Promise<void> {
  await lockMonths(tx, swapPatience)
  if (await exists(tx, closing.copy)) return
  await makeCopy(tx, closing)
  await run(tx, mirror(closing))
  await run(tx, allowTriggers)
  await run(
    tx,
    `create trigger mirror after insert or update or delete on ${closing.name} for each row execute function ${mirrorOf(closing.name)}`,
  )
}

/** Autovacuum is off until the swap: a vacuum of a large copy would hold the lock for which every batch waits only a moment. */
const copyStorage = 'fillfactor = 100, toast_tuple_target = 8160, autovacuum_enabled = off'

/** On a cluster a trigger runs on the machine of its row, where the copy of the row lies, too. */
const allowTriggers = 'set local citus.enable_unsafe_triggers = on'

/** The check saves a look at every row when the copy is attached. */
async function makeCopy(tx: Kysely<Tables>, { table, month, owner, name, copy, isSpread }: Closing): Promise<void> {
  const key = `constraint ${await freeKeyName(tx, name)} primary key (account_id, ${owner}, starts_at)`
  const check = `constraint its_month check (starts_at >= ${month.from} and starts_at < ${month.to})`
  await run(tx, `create table ${copy} (like ${table} including storage, ${key}, ${check}) with (${copyStorage})`)
  if (isSpread) await run(tx, spreadTable(copy))
}

/** A key keeps its name when its table takes the place of another, because a cluster renames no constraints; so there are two names in turn. */
async function freeKeyName(tx: Kysely<Tables>, name: string): Promise<string> {
  return (await exists(tx, `${name}_pkey`)) ? `${name}_key` : `${name}_pkey`
}

function mirror({ name, copy, owner }: Closing): string {
  const key = `account_id, ${owner}, starts_at`
  return `create function ${mirrorOf(name)} returns trigger language plpgsql set search_path from current as $$
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

/** A shard without its trigger has missed changes. Citus 13 makes the triggers anew where it moves or splits shards; this check is for versions that do not. */
async function isMirrored(db: Kysely<Tables>, { name, isSpread }: Closing): Promise<boolean> {
  if (!isSpread) return true
  const count = "select count(*) from pg_trigger where tgrelid = '%s'::regclass and tgname like 'mirror%%' and tgenabled = 'O'"
  const { rows } = await sql<{ is: boolean }>`
    select bool_and(success and result = '1') as is from run_command_on_shards(to_regclass(${name}), ${count})`.execute(db)
  return rows[0]?.is === true
}

async function discard(tx: Kysely<Tables>, { name }: Closing): Promise<void> {
  await lockMonths(tx, swapPatience)
  await dropCopy(tx, name)
}

/** Returns since when others are locked out. */
async function swap(tx: Kysely<Tables>, { table, month, name, copy }: Closing, bytes: number): Promise<number> {
  await lockMonths(tx, swapPatience)
  const since = performance.now()
  await lockOutSnapshots(tx)
  await run(tx, `lock table only ${table} in access exclusive mode`)
  await run(tx, `alter table ${table} detach partition ${name}`)
  await run(tx, `drop table ${name}`)
  await run(tx, dropMirror(name))
  await run(tx, `alter table ${table} attach partition ${copy} ${partitionBounds(month)}`)
  await run(tx, `alter table ${copy} drop constraint its_month, reset (autovacuum_enabled)`)
  await run(tx, `alter table ${copy} rename to ${name}`)
  await run(tx, `comment on table ${name} is '${closedComment(bytes)}'`)
  return since
}
