/** Removes rows that an intake made, except pages that something hangs on and locations that have pages. */

import { type Kysely, sql } from 'kysely'
import { batchesOf } from '../../../lib/work/batches.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { RowTouch } from '../../core/steps.ts'
import type { Managing } from '../../core/tenancy.ts'
import { padded, parts } from '../../imports/batches.ts'
import { type RowKind, rowKinds } from '../../imports/row-kinds.ts'
import type { RowKindName } from '../../imports/spools.ts'
import { heldAmong } from '../../partners/dependents.ts'
import { removeAll } from '../../partners/removal.ts'
import type { Trial } from './trial.ts'

const rowsPerDelete = 50

interface NeededRow<T> {
  readonly touch: T
  readonly why: string
}

/** Returns those that are still needed, and by what. A trial takes none. */
export async function removeRows<T extends RowTouch>(
  caller: Managing,
  tx: Kysely<Tables>,
  accountId: number,
  name: RowKindName,
  touches: readonly T[],
  trial?: Trial,
): Promise<NeededRow<T>[]> {
  if (touches.length === 0 || (trial !== undefined && name !== 'location' && name !== 'page')) return []
  if (name === 'page') return removePages(caller, tx, accountId, touches, trial)
  const held = name === 'location' ? await sitesWithPages(caller, accountId, touches, trial) : new Set()
  const free = touches.filter(({ owner }) => !held.has(owner))
  if (trial === undefined) for (const some of batchesOf(free, rowsPerDelete)) await deleteNamed(tx, rowKinds[name], accountId, some)
  return touches.filter(({ owner }) => held.has(owner)).map((touch) => ({ touch, why: 'it has a page' }))
}

async function deleteNamed(
  tx: Kysely<Tables>,
  { table, owner, second }: RowKind,
  accountId: number,
  some: readonly RowTouch[],
): Promise<void> {
  const names = some.map((touch) => {
    const isOwned = sql<boolean>`${sql.ref(owner)} = ${touch.owner}`
    return second === undefined ? isOwned : sql<boolean>`(${isOwned} and ${sql.ref(second)} = ${touch.key})`
  })
  await tx
    .deleteFrom(table)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(${sql.join(names, sql` or `)})`)
    .execute()
}

async function removePages<T extends RowTouch>(
  { app }: Managing,
  tx: Kysely<Tables>,
  accountId: number,
  touches: readonly T[],
  trial: Trial | undefined,
): Promise<NeededRow<T>[]> {
  const { engine } = app.store
  const needed: NeededRow<T>[] = []
  for (const some of parts(touches)) {
    const found = await findPages(tx, accountId, some)
    const ids = found.map(({ id }) => id)
    const held = await heldAmong(engine, tx, 'page', accountId, ids, trial?.going)
    const free = ids.filter((id) => !held.has(id))
    if (trial === undefined) await removeAll(engine, tx, 'page', accountId, free)
    else for (const id of free) trial.going.get('pages')?.add(id)
    for (const { id, touch } of found) {
      const why = held.get(id)
      if (why !== undefined) needed.push({ touch, why })
    }
  }
  return needed
}

async function findPages<T extends RowTouch>(
  tx: Kysely<Tables>,
  accountId: number,
  some: readonly T[],
): Promise<{ id: number; touch: T }[]> {
  const byName = new Map(some.map((touch) => [`${touch.owner} ${touch.key}`, touch]))
  const pages = tx.selectFrom('pages').select(['id', 'subject_id', 'key_hash']).where('account_id', '=', accountId)
  const named = pages
    .where('subject_id', 'in', padded(some.map(({ owner }) => owner)))
    .where('key_hash', 'in', padded(some.map(({ key }) => key)))
  return (await named.execute()).flatMap(({ id, subject_id, key_hash }) => {
    const touch = byName.get(`${subject_id} ${key_hash}`)
    return touch === undefined ? [] : [{ id, touch }]
  })
}

/** Measured tables may lie elsewhere, so they are not asked within the transaction. */
async function sitesWithPages(
  { app }: Managing,
  accountId: number,
  touches: readonly RowTouch[],
  trial: Trial | undefined,
): Promise<Set<number>> {
  const pages = app.store.db
    .selectFrom('pages')
    .innerJoin('subjects', (on) => on.onRef('subjects.account_id', '=', 'pages.account_id').onRef('subjects.id', '=', 'pages.subject_id'))
    .select(['subjects.site_id', 'pages.id'])
    .where('pages.account_id', '=', accountId)
  const rows = await pages.where('subjects.site_id', 'in', padded(touches.map(({ owner }) => owner))).execute()
  return new Set(rows.flatMap(({ id, site_id }) => (trial?.going.get('pages')?.has(id) ? [] : [site_id])))
}
