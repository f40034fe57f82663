/** Removes records with everything that refers to them, in statements over sets: the one way in which a site, competitor, keyword or page goes. */

import type { Kysely } from 'kysely'
import type { Engine } from '../../store/engine.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { type Dependent, dependentsOf, type Narrowing, narrowed, type Removable, removableTables, schedulesOfSites } from './dependents.ts'

type Db = Kysely<Tables>

/** The records are all of this account; returns those that were still there. What hangs on them goes first, because the database refuses to leave it behind. */
export async function removeAll(engine: Engine, tx: Db, owner: Removable, accountId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  for (const dependent of dependentsOf(owner)) await releaseFrom(engine, tx, dependent, accountId, ids)
  const removed = tx
    .deleteFrom(removableTables[owner] as 'keywords')
    .where('account_id', '=', accountId)
    .where(engine.isOneOf('id', engine.idList(ids)))
  return (await removed.returning('id').execute()).map(({ id }) => id)
}

async function releaseFrom(engine: Engine, tx: Db, dependent: Dependent, accountId: number, ids: readonly number[]): Promise<void> {
  if (dependent.rows === 'get shorter') return leaveSchedules(engine, tx, accountId, new Set(ids))
  const below = ownerOf(dependent.table)
  if (below !== undefined) return removeBelow(engine, tx, below, dependent, accountId, ids)
  if (dependent.rows === 'are set to 0') return void (await resetOf(engine, tx, dependent, accountId, ids).execute())
  const { rowsPerDelete: most } = engine
  if (most === null) return void (await rowsOf(engine, tx, dependent, accountId, ids).execute())
  for (let deleted = most; deleted === most; ) {
    const result = (await rowsOf(engine, tx, dependent, accountId, ids).limit(most).executeTakeFirst()) as { numDeletedRows: bigint }
    deleted = Number(result.numDeletedRows)
  }
}

function ownerOf(table: keyof Tables): Removable | undefined {
  return (Object.keys(removableTables) as Removable[]).find((owner) => removableTables[owner] === table)
}

/** As many at a time as `rowsPerDelete` allows. */
async function removeBelow(
  engine: Engine,
  tx: Db,
  owner: Removable,
  dependent: Dependent,
  accountId: number,
  ids: readonly number[],
): Promise<void> {
  const rows = tx.selectFrom(dependent.table as 'keywords').select('id') as never as Narrowing
  const all = narrowed(rows, dependent, accountId).where(engine.isOneOf(dependent.column, engine.idList(ids)))
  const some = engine.rowsPerDelete === null ? all : all.limit(ownersPerDelete)
  for (let found = ownersPerDelete; found === ownersPerDelete; ) {
    const part = ((await some.execute()) as { id: number }[]).map(({ id }) => id)
    await removeAll(engine, tx, owner, accountId, part)
    found = engine.rowsPerDelete === null ? 0 : part.length
  }
}

const ownersPerDelete = 100

function rowsOf(engine: Engine, tx: Db, dependent: Dependent, accountId: number, ids: readonly number[]): Narrowing {
  const rows = tx.deleteFrom(dependent.table as 'keywords') as never as Narrowing
  return narrowed(rows, dependent, accountId).where(engine.isOneOf(dependent.column, engine.idList(ids)))
}

function resetOf(engine: Engine, tx: Db, dependent: Dependent, accountId: number, ids: readonly number[]): Narrowing {
  const rows = tx.updateTable(dependent.table as 'users').set({ [dependent.column]: 0 }) as never as Narrowing
  return narrowed(rows, dependent, accountId).where(engine.isOneOf(dependent.column, engine.idList(ids)))
}

/** A schedule of several sites continues without these; a schedule of these alone is deleted. */
async function leaveSchedules(engine: Engine, tx: Db, accountId: number, gone: ReadonlySet<number>): Promise<void> {
  for (const { id, sites } of await schedulesOfSites(tx, accountId)) {
    const left = sites.filter((site) => !gone.has(site))
    if (left.length === 0) await removeAll(engine, tx, 'schedule', accountId, [id])
    else if (left.length < sites.length) await shortenSchedule(tx, id, left)
  }
}

async function shortenSchedule(tx: Db, id: number, sites: readonly number[]): Promise<void> {
  await tx
    .updateTable('report_schedules')
    .set({ site_ids: JSON.stringify(sites) })
    .where('id', '=', id)
    .execute()
}
