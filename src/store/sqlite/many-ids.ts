/** How SQLite is asked for the rows of many ids: the ids are one parameter, a JSON text. */

import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ManyIds } from '../engine.ts'
import { type AnySelect, firstInOrder, type GroupedRows } from '../grouped-rows.ts'
import type { Tables } from '../rows/tables.ts'

export const fileIds = { idList, isOneOf }

function idList(ids: readonly number[]): ManyIds {
  return JSON.stringify(ids)
}

function isOneOf(column: string, ids: ManyIds): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${ids}))`
}

export function fileRowsOfEach(_db: Kysely<Tables>, ids: ManyIds, { select, group, order, limit }: GroupedRows): AnySelect {
  return firstInOrder(select.where(isOneOf(group, Array.isArray(ids) ? idList(ids) : ids)), [group, ...order], limit)
}
