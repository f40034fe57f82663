/** Steps that came after another one and are about the same owners and times, in order. */

import type { Kysely } from 'kysely'
import { batchesOf } from '../../../lib/work/batches.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StepRange } from '../../core/packed-steps.ts'
import { tableOfSteps } from '../../core/steps.ts'

export interface LaterStep {
  readonly step: number
  readonly intake_id: number
  readonly kind: string
  readonly data: Uint8Array
}

export interface Asked extends StepRange {
  readonly accountId: number
  readonly kind: string
  /** Of a step of an earlier version, all that have a place in the order are later. */
  readonly after: number
  /** In a trial, the intake itself, whose steps are still there. */
  readonly besides?: number
}

const stepsAtOnce = 8

/** Ends with the first of which `take` says that there is nothing left to ask. */
export async function eachLater(tx: Kysely<Tables>, asked: Asked, take: (later: LaterStep) => Promise<boolean>): Promise<void> {
  const table = tableOfSteps(asked.kind)
  const [owners, times] = [asked.owners, asked.times]
  const places = await tx
    .selectFrom(table)
    .select('step')
    .where('account_id', '=', asked.accountId)
    .where('step', '>', asked.after)
    .where('kind', '=', asked.kind)
    .where('first_owner', '<=', owners[1])
    .where('last_owner', '>=', owners[0])
    .where('first_time', '<=', times[1])
    .where('last_time', '>=', times[0])
    .$if(asked.besides !== undefined, (query) => query.where('intake_id', '!=', asked.besides as number))
    .orderBy('step')
    .execute()
  for (const some of batchesOf(places, stepsAtOnce)) {
    const steps = tx.selectFrom(table).select(['step', 'intake_id', 'kind', 'data']).where('account_id', '=', asked.accountId)
    const placed = steps.where('last_owner', 'is not', null).orderBy('step')
    const inPlaces = placed.where(
      'step',
      'in',
      some.map(({ step }) => step),
    )
    for (const later of await inPlaces.execute()) if (!(await take(later))) return
  }
}

/** Gives a later step what it must know now that an earlier one is gone. */
export async function rewriteStep(
  tx: Kysely<Tables>,
  accountId: number,
  { step, intake_id, kind }: LaterStep,
  data: Uint8Array,
): Promise<void> {
  const steps = tx.updateTable(tableOfSteps(kind)).set({ data }).where('account_id', '=', accountId)
  await steps.where('intake_id', '=', intake_id).where('step', '=', step).execute()
}
