/** Changes a schedule: rhythm, sites and recipients; absent fields stay unchanged, and a fault changes nothing. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'
import { change } from '../core/transaction.ts'
import { lastPeriod } from './periods.ts'
import {
  addRecipients,
  findSchedule,
  foldEmails,
  type ReportSchedule,
  recordSchedule,
  refuseFaults,
  type ScheduleWishes,
  type Scheduling,
} from './schedules.ts'

export function changeSchedule(
  caller: Scheduling,
  accountId: number,
  id: number,
  wishes: Partial<ScheduleWishes>,
): Promise<ReportSchedule> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'report_schedules', id)
    const before = await findSchedule(caller, accountId, id, tx)
    const rhythm = wishes.rhythm ?? before.rhythm
    const siteIds = wishes.siteIds === undefined ? before.site_ids : wishes.siteIds && [...new Set(wishes.siteIds)]
    const emails = wishes.recipients === undefined ? before.recipients.map(({ email }) => email) : foldEmails(wishes.recipients)
    await refuseFaults(tx, before, rhythm, siteIds, emails)
    const now = caller.app.clock.now()
    const values = { rhythm, site_ids: siteIds === null ? null : JSON.stringify(siteIds), updated_at: now }
    // After a change of rhythm, the first mail is about the first period that ends from now on.
    const period = rhythm === before.rhythm ? {} : { last_period: lastPeriod(rhythm, now.slice(0, 10)).to }
    await tx
      .updateTable('report_schedules')
      .set({ ...values, ...period })
      .where('id', '=', id)
      .execute()
    await replaceRecipients(tx, caller, before, emails)
    await recordSchedule(tx, caller, 'schedule.change', before, { rhythm, site_ids: siteIds, recipients: emails.length })
    return findSchedule(caller, accountId, id, tx)
  })
}

/** Recipients who stay keep their state: active, unconfirmed or unsubscribed. */
async function replaceRecipients(tx: Kysely<Tables>, caller: Scheduling, before: ReportSchedule, emails: readonly string[]): Promise<void> {
  const gone = before.recipients.filter(({ email }) => !emails.includes(email)).map(({ id }) => id)
  if (gone.length > 0) await tx.deleteFrom('report_recipients').where('id', 'in', gone).execute()
  const held = before.recipients.map(({ email }) => email)
  const added = emails.filter((email) => !held.includes(email))
  await addRecipients(tx, caller, before, added)
}
