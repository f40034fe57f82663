/** Counts what belongs to a record that is about to be removed, so that nobody removes more than intended. */

import type { Managing } from '../core/tenancy.ts'
import { type Dependent, dependentsOf, type Narrowing, narrowed, type Removable } from './dependents.ts'
import { findSite } from './sites.ts'

type Counts = Readonly<Record<string, number>>

/** Counts the competitors of a site and all measurements of both. */
export async function countBelowSite(caller: Managing, siteId: number): Promise<Counts> {
  const { account_id } = await findSite(caller, siteId)
  const subjects = await caller.app.store.db
    .selectFrom('subjects')
    .select(['id', 'domain'])
    .where('account_id', '=', account_id)
    .where('site_id', '=', siteId)
    .execute()
  const competitors = subjects.filter(({ domain }) => domain !== '').length
  const ids = subjects.map(({ id }) => id)
  return { competitors, ...(await countBelow(caller, account_id, 'subject', ids)) }
}

export async function countBelowCompetitor(caller: Managing, siteId: number, id: number): Promise<Counts> {
  const { account_id } = await findSite(caller, siteId)
  return countBelow(caller, account_id, 'subject', [id])
}

export async function countBelowKeyword(caller: Managing, siteId: number, id: number): Promise<Counts> {
  const { account_id } = await findSite(caller, siteId)
  return countBelow(caller, account_id, 'keyword', [id])
}

export async function countBelowPage(caller: Managing, siteId: number, id: number): Promise<Counts> {
  const { account_id } = await findSite(caller, siteId)
  return countBelow(caller, account_id, 'page', [id])
}

async function countBelow(caller: Managing, accountId: number, owner: Removable, ids: readonly number[]): Promise<Counts> {
  const named = dependentsOf(owner).flatMap((dependent) =>
    dependent.counted === undefined ? [] : [[dependent.counted, dependent] as const],
  )
  const counts = await Promise.all(named.map(async ([name, dependent]) => [name, await count(caller, dependent, accountId, ids)] as const))
  return Object.fromEntries(counts)
}

async function count({ app }: Managing, dependent: Dependent, accountId: number, ids: readonly number[]): Promise<number> {
  const { db, engine } = app.store
  // Whatever the table is, its rows are only counted.
  const rows = db.selectFrom(dependent.table as 'keywords').select(({ fn }) => fn.countAll<number>().as('many')) as never as Narrowing
  const named = narrowed(rows, dependent, accountId).where(engine.isOneOf(dependent.column, engine.idList(ids)))
  const { many } = (await named.executeTakeFirst()) as { many: number }
  return Number(many)
}
