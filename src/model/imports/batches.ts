/** Splits lists into parts of few different sizes, because every size is a separate statement that the database prepares and caches; finds by such statements what was deleted. */

import type { Kysely } from 'kysely'
import { livingAmong, type OwnerTable } from '../../store/living-owners.ts'
import type { Tables } from '../../store/rows/tables.ts'

const sizes = [200, 50, 10, 1]
/** In one transaction: some 15 ms, so that other writes need not wait longer. */
export const rowsPerWrite = 400

/** Parts of 200, then of 50, 10 and 1, in order. */
export function* parts<T>(items: readonly T[]): Generator<readonly T[]> {
  let at = 0
  for (const size of sizes) {
    for (; items.length - at >= size; at += size) yield items.slice(at, at + size)
  }
}

/** For `in (...)`: repeats the last item up to the next power of two. */
export function padded<T>(items: readonly T[]): T[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, items.length)))
  return [...items, ...Array(size - items.length).fill(items.at(-1))]
}

/** Thrown when something that records refer to was deleted after they were checked. */
export class ReferenceGone extends Error {
  /** The intake under which some records were already stored. */
  readonly intakeId: number | undefined

  constructor(intakeId?: number) {
    super('Something that the records refer to was deleted while they were being stored')
    this.intakeId = intakeId
  }
}

/** Call it while the account is locked, so that nothing is deleted before the transaction ends. */
export async function requireExisting(
  tx: Kysely<Tables>,
  table: OwnerTable,
  accountId: number,
  ids: Iterable<number | undefined>,
): Promise<void> {
  const wanted = [...new Set(ids)].map((id) => id ?? 0)
  if ((await livingAmong(tx, table, accountId, wanted)).size < wanted.length) throw new ReferenceGone()
}
