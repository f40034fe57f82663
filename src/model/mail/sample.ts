/** Mails somebody of the staff the report of a schedule, to see what its recipients get. */

import { notFound, refuse } from '../../lib/failures.ts'
import { sendsMail } from '../../lib/network/smtp.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import { audit } from '../core/audit.ts'
import type { StaffCaller } from '../core/caller.ts'
import { change } from '../core/transaction.ts'
import { foldEmail } from './addresses.ts'
import { lastPeriod } from './periods.ts'
import { queueMail } from './queue.ts'
import type { ReportPayload } from './queue-reports.ts'
import { findSchedule } from './schedules.ts'

const mostADay = 10

/** Goes to the own address of the caller and to no other. */
export function sendSample(caller: StaffCaller, accountId: number, scheduleId: number): Promise<void> {
  const { app, userId } = caller
  if (!sendsMail(app.settings)) refuse('conflict', 'This service sends no mail')
  return change(caller, async (tx) => {
    await app.store.lock(tx, 'users', userId)
    const schedule = await findSchedule(caller, accountId, scheduleId, tx)
    const { email } = (await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()) ?? notFound('user')
    const [recipient, now] = [foldEmail(email), app.clock.now()]
    const sent = tx.selectFrom('mails').select('id').where('recipient', '=', recipient).where('key', 'like', 'sample:%')
    if ((await sent.where('created_at', '>', secondsAfter(now, -86_400)).execute()).length >= mostADay)
      refuse('conflict', `You have sent yourself ${mostADay} reports within a day: wait until tomorrow`)
    const payload: ReportPayload = { schedule_id: scheduleId, recipient_id: null, ...lastPeriod(schedule.rhythm, now.slice(0, 10)) }
    const key = `sample:${scheduleId}:${userId}:${now}`
    await queueMail(tx, app, { key, kind: 'report', account_id: accountId, recipient, payload })
    await audit(tx, caller, 'schedule.sample', schedule)
  })
}
