/** Lists in pages by id, with an opaque cursor: the last id seen. */

import { refuse } from '../../lib/failures.ts'

export interface ListPage<R> {
  readonly items: R[]
  /** Where the next page begins; null on the last one. */
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
    .where('id', '>', after === undefined ? 0 : idOf(after))
    .orderBy('id')
    .limit(pageSize + 1)
    .execute()
  const items = rows.slice(0, pageSize)
  return { items, next: rows.length > pageSize ? cursorOf(items.at(-1)?.id ?? 0) : null }
}

/** The whole list, for whoever can use it: the operator, not a client. */
export async function allPages<R>(list: (after?: string) => Promise<ListPage<R>>): Promise<R[]> {
  const items: R[] = []
  for (let after: string | undefined | null; after !== null; ) {
    const next: ListPage<R> = await list(after)
    items.push(...next.items)
    after = next.next
  }
  return items
}

function cursorOf(id: number): string {
  return Buffer.from(`after:${id}`).toString('base64url')
}

function idOf(cursor: string): number {
  const id = Number(/^after:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  return Number.isSafeInteger(id) ? id : refuse('bad_request', 'The cursor is not one this service gave out.')
}
