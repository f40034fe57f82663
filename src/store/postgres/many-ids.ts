/** How PostgreSQL is asked for the rows of many ids: the ids are one parameter, an array. */

import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ManyIds } from '../engine.ts'
import { type AnySelect, firstInOrder, type GroupedRows } from '../grouped-rows.ts'
import type { Tables } from '../rows/tables.ts'

export const serverIds = { idList, isOneOf }

function idList(ids: readonly number[]): ManyIds {
  return ids
}

function isOneOf(column: string, ids: ManyIds): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any(${ids}::bigint[])`
}

/**
 * Each id is looked up by itself. Asked for the rows of many ids in order, the planner may read the whole account in that order and leave out the other rows,
 * which takes quadratic time for all ids of an account together (docs/decisions/2026-11-17-rows-of-many-groups.md).
 */
export function serverRowsOfEach(db: Kysely<Tables>, ids: ManyIds, { select, group, order, limit }: GroupedRows): AnySelect {
  const column = sql.ref(group)
  // The key of an account is in the order of ids, too. Where one group has nearly all rows, the planner would follow it, past those rows, for each of the others.
  const isById = order[0] === 'id'
  const own = isById
    ? firstInOrder(select.where(sql<SqlBool>`${column} between asked.id and asked.id`), [group, ...order], limit)
    : firstInOrder(select.where(sql<SqlBool>`${column} = asked.id`), order, limit)
  const each = db
    .selectFrom(sql`unnest(${ids}::bigint[]) with ordinality`.as<'asked'>(sql`asked(id, nth)`))
    .innerJoinLateral(own.as('own'), (join) => join.onTrue())
    .selectAll('own')
  return firstInOrder(each as AnySelect, ['asked.nth', ...order.map((column) => `own.${column}`)], limit)
}
