/** Asks a recipient once more who has not confirmed yet. */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import { change } from '../core/transaction.ts'
import { askRecipient } from './schedule-recipients.ts'
import { findSchedule, type Scheduling } from './schedules.ts'
import { suppressedAmong } from './suppressions.ts'

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
    await refuseSuppressed(tx, app, account_id, email)
    await askRecipient(tx, caller, { id, account_id, email }, `confirmation:${id}:${app.clock.now()}`)
    await audit(tx, caller, 'schedule.ask_again', schedule)
  })
}

async function refuseSuppressed(tx: Kysely<Tables>, app: App, accountId: number, email: string): Promise<void> {
  const { partner_id } = await tx.selectFrom('accounts').select('partner_id').where('id', '=', accountId).executeTakeFirstOrThrow()
  if ((await suppressedAmong(tx, app, partner_id ?? 0, [email])).has(email))
    refuse('conflict', `${email} is on the list of suppressed addresses: take it off the list to ask again`)
}
