/** Counts what belongs to a record that is about to be removed, so that nobody removes more than intended. */

import type { Tables } from '../../store/rows/tables.ts'
import type { Managing } from '../core/tenancy.ts'
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
  const below: Record<string, number> = { competitors: subjects.filter(({ domain }) => domain !== '').length }
  for (const { id } of subjects) {
    for (const [name, many] of Object.entries(await belowSubject(caller, account_id, id))) below[name] = (below[name] ?? 0) + many
  }
  return below
}

export async function countBelowCompetitor(caller: Managing, siteId: number, id: number): Promise<Counts> {
  const { account_id } = await findSite(caller, siteId)
  return belowSubject(caller, account_id, id)
}

export async function countBelowKeyword(caller: Managing, siteId: number, id: number): Promise<Counts> {
  const { account_id } = await findSite(caller, siteId)
  return { months_of_rankings: await count(caller, 'ranking_months', account_id, 'keyword_id', id) }
}

export async function countBelowPage(caller: Managing, siteId: number, id: number): Promise<Counts> {
  const { account_id } = await findSite(caller, siteId)
  return {
    reviews: await count(caller, 'reviews', account_id, 'page_id', id),
    months_of_counts: await count(caller, 'review_count_months', account_id, 'page_id', id),
  }
}

async function belowSubject(caller: Managing, accountId: number, id: number): Promise<Counts> {
  const tables = ['keywords', 'pages', 'backlinks', 'snapshots'] as const
  const counts = await Promise.all(tables.map(async (table) => [table, await count(caller, table, accountId, 'subject_id', id)] as const))
  return Object.fromEntries(counts)
}

// The tables have different columns, which the callers name; for the types, `keywords` stands for all of them.
async function count({ app }: Managing, table: keyof Tables, accountId: number, column: string, id: number): Promise<number> {
  const { many } = await app.store.db
    .selectFrom(table as 'keywords')
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .where('account_id', '=', accountId)
    .where(column as 'subject_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(many)
}
