/** Asks a recipient once more who has not confirmed yet. */

import { notFound, refuse } from '../../lib/failures.ts'
import { audit } from '../core/audit.ts'
import { change } from '../core/transaction.ts'
import { askRecipient } from './schedule-recipients.ts'
import { findSchedule, type Scheduling } from './schedules.ts'

/** Asking twice within a second asks once. */
export function askAgain(caller: Scheduling, accountId: number, scheduleId: number, recipientId: number): Promise<void> {
  return change(caller, async (tx) => {
    const { app } = caller
    await app.store.lock(tx, 'report_schedules', scheduleId)
    const schedule = await findSchedule(caller, accountId, scheduleId, tx)
    const { account_id, recipients } = schedule
    const { id, email, state } = recipients.find((one) => one.id === recipientId) ?? notFound('recipient')
    if (state !== 'unconfirmed')
      refuse('conflict', `${email} ${state === 'active' ? 'has confirmed meanwhile' : 'has unsubscribed meanwhile'}`)
    await askRecipient(tx, caller, { id, account_id, email }, `confirmation:${id}:${app.clock.now()}`)
    await audit(tx, caller, 'schedule.ask_again', schedule)
  })
}
