/** A change: one durable transaction that holds the work, its audit entry and, where the caller asked for it, the answer kept for a repeat. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import type { Caller } from './caller.ts'

export function change<T>(caller: Caller, work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return caller.app.store.write(async (tx) => {
    await caller.repeat?.claim(tx)
    const result = await work(tx)
    await caller.repeat?.keep(tx, result)
    return result
  })
}
