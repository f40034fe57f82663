/** A change: one durable transaction with the work, its audit entry and, on request, the answer stored for a repetition. */

import type { Kysely } from 'kysely'
import { inSlices } from '../../store/in-slices.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Caller } from './caller.ts'

export function change<T>(caller: Caller, work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
  if (caller.batch !== undefined) return caller.batch.enlist(work)
  return caller.isDryRun ? tryOut(caller, work) : commit(caller, work)
}

/** A change of many statements: other requests may work between them. */
export function changeInSlices<T>(caller: Caller, work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return change(caller, (tx) => work(inSlices(tx)))
}

function commit<T>(caller: Caller, work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return caller.app.store.write(async (tx) => {
    await caller.repeat?.claim(tx)
    const result = await work(tx)
    await caller.repeat?.keep(tx, result)
    return result
  })
}

/** Carries the result out of the transaction that it rolls back. */
class RolledBack extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('A dry run is rolled back.')
    this.result = result
  }
}

/** Applies every rule to the current data and finds every fault, then rolls back. */
async function tryOut<T>({ app }: Caller, work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
  const outcome: unknown = await app.store
    .write(async (tx) => {
      throw new RolledBack(await work(tx))
    })
    .catch((error: unknown) => error)
  if (outcome instanceof RolledBack) return outcome.result as T
  throw outcome
}
