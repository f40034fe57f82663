/**
 * Removes records: the one way in which a site, competitor, keyword or page goes. What anybody can see of them goes at once; what was measured of them is
 * hidden by that, and cleared later (docs/decisions/2026-11-19-removals.md).
 */

import type { Kysely } from 'kysely'
import { inBatches } from '../../lib/work/batches.ts'
import type { Engine } from '../../store/engine.ts'
import { subjectOf } from '../../store/living-owners.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { clearSome, isCleared, type Removed } from './clearing.ts'
import { type Dependent, dependentsOf, type Narrowing, narrowed, type Removable, removableTables, schedulesOfSites } from './dependents.ts'

type Db = Kysely<Tables>

/** So much is cleared with its removal, so that a small record leaves nothing behind. */
const rowsAtOnce = 200
const rowsPerInsert = 200

/** The records are all of this account; returns those that were still there. */
export async function removeAll(engine: Engine, tx: Db, owner: Removable, accountId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  // Whoever adds something to a site that refers to it locks it too.
  if (owner === 'site') await engine.lockRows(tx, 'sites', ids)
  const removing: Removing = { engine, tx, accountId, removed: [] }
  const gone = await hide(removing, owner, ids)
  const { removed } = removing
  await inBatches(removed, rowsPerInsert, (some) => noteRemovals(tx, accountId, some))
  await clearSome(removing, removed, rowsAtOnce + ids.length)
  return gone
}

interface Removing {
  readonly engine: Engine
  readonly tx: Db
  readonly accountId: number
  /** What has to be cleared by now. */
  readonly removed: Removed[]
}

/** What hangs on them goes first, because the database refuses to leave it behind. */
async function hide(removing: Removing, owner: Removable, ids: readonly number[]): Promise<number[]> {
  const { engine, tx, accountId, removed } = removing
  for (const dependent of dependentsOf(owner)) if (!isCleared(dependent)) await releaseFrom(removing, dependent, ids)
  const rows = tx
    .deleteFrom(removableTables[owner] as 'keywords')
    .where('account_id', '=', accountId)
    .where(engine.isOneOf('id', engine.idList(ids)))
  const there =
    owner === 'keyword' || owner === 'page' ? rows.where((row) => row.exists(subjectOf(tx, removableTables[owner], accountId))) : rows
  const gone = (await there.returning('id').execute()).map(({ id }) => id)
  if (owner === 'subject' || owner === 'keyword' || owner === 'page') for (const id of gone) removed.push({ kind: owner, id })
  return gone
}

function noteRemovals(tx: Db, account_id: number, removed: readonly Removed[]): Promise<object[]> {
  const rows = removed.map((one) => ({ account_id, ...one }))
  return tx.insertInto('removals').values(rows).execute()
}

async function releaseFrom(removing: Removing, dependent: Dependent, ids: readonly number[]): Promise<void> {
  const { engine, tx, accountId } = removing
  if (dependent.table === 'sites') return hideBelow(removing, 'site', dependent, ids)
  if (dependent.table === 'subjects') return hideBelow(removing, 'subject', dependent, ids)
  if (dependent.rows === 'get shorter') return leaveSchedules(removing, new Set(ids))
  const own = (rows: unknown) =>
    narrowed(rows as Narrowing, dependent, accountId).where(engine.isOneOf(dependent.column, engine.idList(ids)))
  if (dependent.rows === 'are set to 0')
    return void (await own(tx.updateTable(dependent.table as 'users').set({ [dependent.column]: 0 })).execute())
  const all = own(tx.deleteFrom(dependent.table as 'keywords'))
  const { rowsPerDelete: most } = engine
  if (most === null) return void (await all.execute())
  for (let deleted = most; deleted === most; )
    deleted = Number(((await all.limit(most).executeTakeFirst()) as { numDeletedRows: bigint }).numDeletedRows)
}

async function hideBelow(removing: Removing, owner: 'site' | 'subject', dependent: Dependent, ids: readonly number[]): Promise<void> {
  const { engine, tx, accountId } = removing
  const rows = tx.selectFrom(dependent.table as 'keywords').select('id') as never as Narrowing
  const all = narrowed(rows, dependent, accountId).where(engine.isOneOf(dependent.column, engine.idList(ids)))
  const below = ((await all.execute()) as { id: number }[]).map(({ id }) => id)
  if (below.length > 0) await hide(removing, owner, below)
}

/** A schedule of several sites continues without these; a schedule of these alone is deleted. */
async function leaveSchedules(removing: Removing, gone: ReadonlySet<number>): Promise<void> {
  const { tx, accountId } = removing
  for (const { id, sites } of await schedulesOfSites(tx, accountId)) {
    const left = sites.filter((site) => !gone.has(site))
    if (left.length === 0) await hide(removing, 'schedule', [id])
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
