/** Pagination: lists ordered by id, with an opaque cursor that holds the last id. */

import type { Compilable, Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Param } from '../../store/store.ts'
import { perApp } from './app.ts'
import type { WholePartner } from './tenancy.ts'

export interface ListPage<R> {
  readonly items: R[]
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null
}

export const pageSize = 100

interface ById<R> {
  where(column: 'id', operator: '>', value: number): ById<R>
  orderBy(column: 'id'): ById<R>
  limit(count: number): ById<R>
  execute(): Promise<R[]>
}

export async function page<R extends { id: number }>(query: unknown, after?: string): Promise<ListPage<R>> {
  const rows = await (query as ById<R>)
    .where('id', '>', after === undefined ? 0 : idOfCursor(after))
    .orderBy('id')
    .limit(pageSize + 1)
    .execute()
  return pageOf(rows)
}

function pageOf<R extends { id: number }>(rows: R[]): ListPage<R> {
  const items = rows.slice(0, pageSize)
  return { items, next: rows.length > pageSize ? cursorOf(items.at(-1)?.id ?? 0) : null }
}

interface PageParams {
  readonly partnerId: number
  readonly after: number
  readonly most: number
}

/** Lists up to this many rows are cached until the next commit; most lists of a partner are this short. */
const mostKept = 20

/**
 * A list of a partner, prepared once; its first rows are cached until the next commit, because clients read them very often. See
 * docs/decisions/2026-11-15-small-reads.md.
 */
export function partnerPages<R extends { id: number }>(
  build: (db: Kysely<Tables>, partnerId: number) => unknown,
): (caller: WholePartner, after?: string) => Promise<ListPage<R>> {
  const statement = (db: Kysely<Tables>, param: Param<PageParams>) =>
    (build(db, param('partnerId')) as ById<R>)
      .where('id', '>', param('after'))
      .orderBy('id')
      .limit(param('most')) as unknown as Compilable<R>
  const first = perApp(({ store }) => store.cacheUntilCommit(statement))
  const further = perApp(({ store }) => store.prepare(statement))
  return async ({ app, partnerId }, cursor) => {
    const after = cursor === undefined ? 0 : idOfCursor(cursor)
    const some = await first(app)({ partnerId, after, most: mostKept + 1 })
    if (some.length <= mostKept) return { items: some as R[], next: null }
    const rest = await further(app)({ partnerId, after: some.at(-1)?.id ?? 0, most: pageSize - mostKept })
    return pageOf([...some, ...rest])
  }
}

/** Reads the whole list; for the operator, not for clients. */
export async function allPages<R>(list: (after?: string) => Promise<ListPage<R>>): Promise<R[]> {
  const items: R[] = []
  for (let after: string | undefined | null; after !== null; ) {
    const next: ListPage<R> = await list(after)
    items.push(...next.items)
    after = next.next
  }
  return items
}

export function cursorOf(id: number): string {
  return Buffer.from(`after:${id}`).toString('base64url')
}

export function idOfCursor(cursor: string): number {
  const id = Number(/^after:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  return Number.isSafeInteger(id) ? id : refuse('bad_request', 'The cursor is not one this service gave out.')
}
