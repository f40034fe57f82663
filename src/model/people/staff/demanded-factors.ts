/** Whether the staff of a partner may go on without a second factor, decided by who decides about the staff. */

import { audit } from '../../core/audit.ts'
import type { Managing } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import { refuseUnlessOverStaff } from './staff-rules.ts'

/** A repetition changes nothing and records nothing. */
export function demandSecondFactor(caller: Managing, partnerId: number, isDemanded: boolean): Promise<void> {
  refuseUnlessOverStaff(caller, partnerId)
  const [before, after] = isDemanded ? ([0, 1] as const) : ([1, 0] as const)
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'partners', partnerId)
    const changed = await tx
      .updateTable('partners')
      .set({ demands_second_factor: after, updated_at: caller.app.clock.now() })
      .where('id', '=', partnerId)
      .where('demands_second_factor', '=', before)
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) return
    const detail = { before: { demands_second_factor: before }, after: { demands_second_factor: after } }
    await audit(tx, caller, 'partner.set', { id: partnerId, partner_id: partnerId }, detail)
  })
}
