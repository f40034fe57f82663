/** Records that are there: what belongs to a removed site or competitor stays in its tables until it is cleared, and is no longer there for anybody. */

import type { Kysely } from 'kysely'
import { rowsOfEach } from './grouped-rows.ts'
import type { Tables } from './rows/tables.ts'

export type OwnerTable = 'businesses' | 'sites' | 'subjects' | 'keywords' | 'pages'

/** The ids of all owners of series in an account, for what is read by account and not through a subject. */
export function livingIn(db: Kysely<Tables>, table: 'subjects' | 'keywords' | 'pages', accountId: number) {
  const subjects = db.selectFrom('subjects').select('id').where('account_id', '=', accountId)
  if (table === 'subjects') return subjects
  return db.selectFrom(table).select('id').where('account_id', '=', accountId).where('subject_id', 'in', subjects)
}

export async function livingAmong(tx: Kysely<Tables>, table: OwnerTable, accountId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const all = tx.selectFrom(table).select('id').where('account_id', '=', accountId)
  const select = table === 'keywords' || table === 'pages' ? all.where((row) => row.exists(subjectOf(tx, table, accountId))) : all
  const found = (await rowsOfEach(tx, ids, { select, group: 'id', order: [], limit: ids.length }).execute()) as { id: number }[]
  return new Set(found.map(({ id }) => id))
}

/** Looked up for each row, because an account may have many more subjects than there are rows. */
export function subjectOf(tx: Kysely<Tables>, table: 'keywords' | 'pages', accountId: number) {
  const subjects = tx.selectFrom('subjects').select('subjects.id').where('subjects.account_id', '=', accountId)
  return subjects.whereRef('subjects.id', '=', `${table as 'subjects'}.subject_id` as 'subjects.id')
}
