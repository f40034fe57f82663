/** Rows that belong to groups (the keywords of a subject, the months of a keyword), read for several groups at a time. */

import { type Compilable, type DialectAdapter, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { ManyIds } from './engine.ts'
import type { Tables } from './rows/tables.ts'

/** A select, whatever it reads. */
export type AnySelect = SelectQueryBuilder<Tables, keyof Tables, object>

export interface GroupedRows {
  /** The rows of all groups, in any order. */
  readonly select: AnySelect
  /** The column with the id of the group. */
  readonly group: string
  /** The columns by which the rows of a group are ordered. */
  readonly order: readonly string[]
  readonly limit: number
}

export function firstInOrder(select: AnySelect, order: readonly string[], limit: number): AnySelect {
  return order.reduce((some, column) => some.orderBy(sql.ref(column)), select).limit(limit)
}

/** The part of a dialect that asks for the rows of several groups as its database does it best. */
export interface GroupedReads extends DialectAdapter {
  rowsOfEach(db: Kysely<Tables>, ids: ManyIds, rows: GroupedRows): AnySelect
}

/** The type of a select names its tables, of which nothing is known here. */
type AnyGroupedRows = Omit<GroupedRows, 'select'> & { readonly select: Compilable }

/** Rows of each of these groups: by id, then in their own order, and no more than the limit in all. A parameter that stands for the ids must be given them `ascending`. */
export function rowsOfEach(db: Kysely<Tables>, ids: ManyIds, rows: AnyGroupedRows): AnySelect {
  const asked = Array.isArray(ids) ? ascending(ids) : ids
  return (db.getExecutor().adapter as GroupedReads).rowsOfEach(db, asked, rows as GroupedRows)
}

/** Each id once. */
export function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
