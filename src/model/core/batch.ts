/** Runs the many operations of one bulk request, each in a transaction of its own, or all in one atomic transaction. */

import type { Kysely } from 'kysely'
import { atMost } from '../../lib/work/sliced-lists.ts'
import { endOfSlice } from '../../lib/work/slices.ts'
import { mostOperations } from '../../resources/bulk.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { BatchOfWork, PartnerCaller } from './caller.ts'
import { change } from './transaction.ts'

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
 * Runs all operations in one transaction. What each does before its own transaction, such as hashing a password, is done beforehand; the common transaction
 * begins when all have reached theirs and none has failed. `finish` turns the outcomes into the answer that is stored for a repeated request.
 */
export async function allOrNone<T, R>(
  caller: PartnerCaller,
  verbs: readonly Verb<T>[],
  finish: (outcomes: readonly VerbOutcome<T>[]) => R,
): Promise<R> {
  const gathered = new Gathered<T>()
  const { repeat: _outer, isDryRun: _whole, ...alone } = caller
  await fewAtOnce(verbs, (verb, index) => gathered.gather(index, (batch) => verb({ ...alone, batch })))
  if (gathered.hasFailed) return finish(gathered.abandon())
  try {
    return await change(caller, async (tx) => finish(await gathered.run(tx)))
  } catch (error) {
    if (!gathered.hasFailed) throw error
    return finish(gathered.abandon())
  }
}

type Work<T> = (tx: Kysely<Tables>) => Promise<T>

class Gathered<T> {
  readonly #works = new Map<number, Work<T>>()
  readonly #outcomes: VerbOutcome<T>[] = []
  hasFailed = false

  /** Resolves when the operation has reached its transaction, or has ended without one. */
  async gather(index: number, begin: (batch: BatchOfWork) => Promise<T>): Promise<void> {
    const { promise: enlisted, resolve } = Promise.withResolvers<void>()
    const enlist = <W>(work: Work<W>): Promise<W> => {
      this.#works.set(index, work as unknown as Work<T>)
      resolve()
      // Never resolves: the operation ends here, and its result is that of its transaction.
      return new Promise(() => {})
    }
    const ended = outcomeOf(begin({ enlist })).then((outcome) => this.#settle(index, outcome))
    await Promise.race([enlisted, ended])
  }

  async run(tx: Kysely<Tables>): Promise<readonly VerbOutcome<T>[]> {
    for (const [index, work] of atMost(
      [...this.#works].toSorted(([a], [b]) => a - b),
      mostOperations,
    )) {
      const outcome = await outcomeOf(work(tx))
      this.#settle(index, outcome)
      if ('error' in outcome) throw outcome.error
      await endOfSlice()
    }
    return this.#outcomes
  }

  /** The outcomes after a failure: the operations that did not fail are marked as not done. */
  abandon(): readonly VerbOutcome<T>[] {
    const places = [...this.#works.keys(), ...this.#outcomes.keys()]
    return Array.from({ length: Math.max(...places) + 1 }, (_, index) => {
      const outcome = this.#outcomes[index]
      return outcome !== undefined && 'error' in outcome ? outcome : { error: new NotDone() }
    })
  }

  #settle(index: number, outcome: VerbOutcome<T>): void {
    this.#outcomes[index] = outcome
    if ('error' in outcome) this.hasFailed = true
  }
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
