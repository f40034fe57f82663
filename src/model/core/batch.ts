/** Runs the many operations of one bulk request, each in a transaction of its own, or all in one atomic transaction. */

import type { Kysely } from 'kysely'
import { atMost } from '../../lib/work/batches.ts'
import { endOfSlice } from '../../lib/work/slices.ts'
import { mostOperations } from '../../resources/bulk.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { PartnerCaller } from './caller.ts'
import { change, type ReadyChange } from './transaction.ts'

export type Verb<T> = (caller: PartnerCaller) => Promise<T>
export type VerbOutcome<T> = { readonly value: T } | { readonly error: unknown }

/** The outcome of an operation that was not carried out because another one failed. */
export class NotDone extends Error {}

/** A few at a time, so that one request does not take more than its share. */
const atOnce = 4

/** Starts the operations in the order of the list; one that fails does not affect the others. */
export async function eachByItself<T>(caller: PartnerCaller, verbs: readonly Verb<T>[]): Promise<VerbOutcome<T>[]> {
  const outcomes: VerbOutcome<T>[] = []
  await fewAtOnce(verbs, async (verb, index) => {
    outcomes[index] = await outcomeOf(verb(caller))
  })
  return outcomes
}

/**
 * Carries all changes out in one transaction, which begins when each is ready and none has failed; what takes long, such as hashing a password, is done by then.
 * `finish` turns the outcomes into the answer that is stored for a repeated request.
 */
export async function allOrNone<T, R>(
  caller: PartnerCaller,
  prepares: readonly Verb<ReadyChange<T>>[],
  finish: (outcomes: readonly VerbOutcome<T>[]) => R,
): Promise<R> {
  const { repeat: _outer, isDryRun: _whole, ...alone } = caller
  const ready = await eachByItself(alone, prepares)
  if (ready.some(hasFailed)) return finish(ready.map(undone))
  const failures: VerbOutcome<T>[] = []
  try {
    return await change(caller, async (tx) => finish(await runAll(tx, ready, failures)))
  } catch (error) {
    if (failures.length === 0) throw error
    return finish(ready.map((_, index) => failures[index] ?? { error: new NotDone() }))
  }
}

/** Ends with the first that fails, which is put in its place among the failures. */
async function runAll<T>(
  tx: Kysely<Tables>,
  ready: readonly VerbOutcome<ReadyChange<T>>[],
  failures: VerbOutcome<T>[],
): Promise<readonly VerbOutcome<T>[]> {
  const outcomes: VerbOutcome<T>[] = []
  for (const [index, one] of atMost([...ready.entries()], mostOperations)) {
    const outcome = 'value' in one ? await outcomeOf(one.value.work(tx)) : one
    outcomes.push(outcome)
    if ('value' in outcome) continue
    failures[index] = outcome
    throw outcome.error
  }
  return outcomes
}

function hasFailed(outcome: VerbOutcome<unknown>): boolean {
  return 'error' in outcome
}

/** Those that did not fail are not done because of those that did. */
function undone<T>(outcome: VerbOutcome<ReadyChange<T>>): VerbOutcome<T> {
  return 'error' in outcome ? outcome : { error: new NotDone() }
}

function outcomeOf<T>(promise: Promise<T>): Promise<VerbOutcome<T>> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
}

async function fewAtOnce<I>(items: readonly I[], work: (item: I, index: number) => Promise<void>): Promise<void> {
  const left = items.entries()
  const one = async () => {
    for (const [index, item] of left) {
      await work(item, index)
      await endOfSlice()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}
