/** A change: one durable transaction with the work, its audit entry and, on request, the answer stored for a repetition. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Caller } from './caller.ts'

type Work<T> = (tx: Kysely<Tables>) => Promise<T>

/** A change of which only the transaction is left: it is carried out by itself, or with others in one. Nothing of it can come after that. */
export interface ReadyChange<T> {
  readonly work: Work<T>
}

export function ready<T>(work: Work<T>): ReadyChange<T> {
  return { work }
}

/** The verb that prepares a change and carries it out. */
export function carriedOut<C extends Caller, A extends readonly unknown[], T>(
  prepare: (caller: C, ...given: A) => Promise<ReadyChange<T>>,
): (caller: C, ...given: A) => Promise<T> {
  return async (caller, ...given) => change(caller, (await prepare(caller, ...given)).work)
}

export function change<T>(caller: Caller, work: Work<T>): Promise<T> {
  return caller.isDryRun ? tryOut(caller, work) : commit(caller, work)
}

function commit<T>(caller: Caller, work: Work<T>): Promise<T> {
  return caller.app.store.write(async (tx) => {
    await caller.repeat?.claim(tx)
    const result = await work(tx)
    await caller.repeat?.keep(tx, result)
    return result
  })
}

/** For a form whose page shows what is no longer so. */
export function refuseMeanwhile(): never {
  return refuse('conflict', 'Somebody else has changed this meanwhile. Please look at it again.')
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
async function tryOut<T>({ app }: Caller, work: Work<T>): Promise<T> {
  const outcome: unknown = await app.store
    .write(async (tx) => {
      throw new RolledBack(await work(tx))
    })
    .catch((error: unknown) => error)
  if (outcome instanceof RolledBack) return outcome.result as T
  throw outcome
}
