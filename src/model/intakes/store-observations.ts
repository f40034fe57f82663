/** Imports records all or not at all where something that they refer to is deleted meanwhile: what was stored by then is taken back. */

import { refuse } from '../../lib/failures.ts'
import { draftEvents } from '../core/events/drafts.ts'
import type { Managing } from '../core/tenancy.ts'
import { ReferenceGone } from '../imports/batches.ts'
import { importObservations } from '../imports/import.ts'
import { moveIntake } from '../imports/journal/intake-states.ts'
import type { ImportSummary } from '../imports/summary.ts'
import { findIntake } from './intakes.ts'
import { revertIntake } from './undo.ts'

/** A repetition tells which records refer to what is gone, because they are then refused by the check. */
export async function storeObservations(...given: Parameters<typeof importObservations>): Promise<ImportSummary> {
  try {
    return await importObservations(...given)
  } catch (error) {
    if (!(error instanceof ReferenceGone)) throw error
    if (error.intakeId !== undefined) await takeBack(given[0], error.intakeId)
    return refuse('unavailable', `${error.message}; nothing was stored: send them again`, { 'retry-after': '1' })
  }
}

async function takeBack(caller: Managing, id: number): Promise<void> {
  const { store, clock } = caller.app
  // As the operator: a key that is limited to some accounts does not see an intake of all accounts.
  const operator: Managing = { kind: 'operator', app: caller.app, requestId: caller.requestId }
  await revertIntake(operator, await findIntake(operator, id))
  await store.write(async (tx) => {
    if (await moveIntake(tx, id, 'refused', { ended_at: clock.now() }))
      await draftEvents(tx, [{ type: 'intake.failed', record_id: id, at: clock.now() }])
  })
}
