/** Clears what belonged to removed records: rows that nobody sees any more, some at a time. A task that was killed goes on with what is left. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { batchesOf } from '../../lib/work/batches.ts'
import type { Engine } from '../../store/engine.ts'
import { placement } from '../../store/placement.ts'
import type { RemovalRow } from '../../store/rows/measurements.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { type Dependent, dependentsOf, type Narrowing, narrowed, type Removable, removableTables } from './dependents.ts'

type Db = Kysely<Tables>

export type Removed = Pick<RemovalRow, 'kind' | 'id'>

/** What belongs to so many records is deleted by one statement. */
const ownersAtOnce = 25
const rowsAtOnce = 200
const removalsAtOnce = 100
/** Between two transactions, so that other writes come first. */
const pauseMilliseconds = 5

export async function isAnythingRemoved({ store }: App): Promise<boolean> {
  return (await store.db.selectFrom('removals').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Until nothing is left. */
export async function clearRemovals(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await clearNext(app))) await sleep(pauseMilliseconds)
}

async function clearNext({ store }: App): Promise<boolean> {
  const all = store.db.selectFrom('removals').selectAll().orderBy('account_id').orderBy('kind').orderBy('id')
  const some = await all.limit(removalsAtOnce).execute()
  const [first] = some
  if (first === undefined) return false
  const { account_id } = first
  const own = some.filter((removal) => removal.account_id === account_id)
  await store.write((tx) => clearSome({ engine: store.engine, tx, accountId: account_id }, own, rowsAtOnce))
  return true
}

export interface Clearing {
  readonly engine: Engine
  readonly tx: Db
  readonly accountId: number
}

/** Stops after about so many rows; the rest waits for the next time. */
export async function clearSome(clearing: Clearing, removed: readonly Removed[], most: number): Promise<void> {
  let rows = 0
  for (const kind of kinds) {
    const all = removed.filter((one) => one.kind === kind).map(({ id }) => id)
    for (const ids of batchesOf(all, ownersAtOnce)) {
      rows += await clearBelow(clearing, kind, ids, most - rows)
      if (rows >= most) return
      await forget(clearing, kind, ids)
      rows += ids.length
    }
  }
}

const kinds = ['subject', 'keyword', 'page'] as const

/** Measured data, as opposed to what a removal takes at once. */
export function isCleared({ of, table }: Dependent): boolean {
  return of !== 'site' && placement[table] === 'measured'
}

/** The number of deleted rows; as many as `most` mean that there may be more. */
async function clearBelow(clearing: Clearing, kind: Removable, ids: readonly number[], most: number): Promise<number> {
  let rows = 0
  for (const dependent of dependentsOf(kind).filter(isCleared))
    for (let some = 1; some > 0 && rows < most; rows += some) some = await deleteSome(clearing, dependent, ids, most - rows)
  return rows
}

async function deleteSome(clearing: Clearing, dependent: Dependent, ids: readonly number[], most: number): Promise<number> {
  const below = kindIn(dependent.table)
  if (below === undefined && !hasIds.has(dependent.table)) return deleteOf(clearing, dependent, ids, most)
  const found = await idsBelow(clearing, dependent, ids, below === undefined ? most : Math.min(ownersAtOnce, most))
  if (found.length === 0) return 0
  const rows = below === undefined ? 0 : await clearBelow(clearing, below, found, most)
  if (rows < most) await deleteRows(clearing, dependent.table, found)
  return rows < most ? rows + found.length : rows
}

/** Tables whose rows are named by an id; where there may be very many rows of one owner, they are found by it first. */
const hasIds: ReadonlySet<keyof Tables> = new Set(['backlinks', 'reviews'])

function kindIn(table: keyof Tables): Removable | undefined {
  return (Object.keys(removableTables) as Removable[]).find((kind) => removableTables[kind] === table)
}

async function idsBelow(
  { engine, tx, accountId }: Clearing,
  dependent: Dependent,
  ids: readonly number[],
  most: number,
): Promise<number[]> {
  const rows = tx.selectFrom(dependent.table as 'keywords').select('id') as never as Narrowing
  const some = narrowed(rows, dependent, accountId)
    .where(engine.isOneOf(dependent.column, engine.idList(ids)))
    .limit(most)
  return ((await some.execute()) as { id: number }[]).map(({ id }) => id)
}

async function deleteRows({ engine, tx, accountId }: Clearing, table: keyof Tables, ids: readonly number[]): Promise<void> {
  const rows = tx.deleteFrom(table as 'keywords').where('account_id', '=', accountId)
  await rows.where(engine.isOneOf('id', engine.idList(ids))).execute()
}

/** A server deletes all rows of these owners at once: none of them has many here, and nobody waits for it. */
async function deleteOf({ engine, tx, accountId }: Clearing, dependent: Dependent, ids: readonly number[], most: number): Promise<number> {
  const rows = tx.deleteFrom(dependent.table as 'keywords') as never as Narrowing
  const all = narrowed(rows, dependent, accountId).where(engine.isOneOf(dependent.column, engine.idList(ids)))
  const some = engine.rowsPerDelete === null ? all : all.limit(most)
  return Number(((await some.executeTakeFirst()) as { numDeletedRows: bigint }).numDeletedRows)
}

async function forget({ engine, tx, accountId }: Clearing, kind: Removed['kind'], ids: readonly number[]): Promise<void> {
  const removals = tx.deleteFrom('removals').where('account_id', '=', accountId).where('kind', '=', kind)
  await removals.where(engine.isOneOf('id', engine.idList(ids))).execute()
}
