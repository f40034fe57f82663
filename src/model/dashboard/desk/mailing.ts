/** One schedule of a customer: what it is about, and what became of its mails. */

import { notFound } from '../../../lib/failures.ts'
import { oneLine } from '../../../lib/one-line.ts'
import type { Release } from '../../../resources/schedule.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import type { RunReason } from '../../mail/run-reasons.ts'
import { findSchedule } from '../../mail/schedules.ts'
import { usualReleaseOf } from '../../mail/usual-release.ts'

const mostSites = 500
const mostMails = 60
const mostRuns = 12

export interface MailedCustomer {
  readonly id: number
  readonly name: string
  /** Who lets the reports of a new schedule go. */
  readonly release: Release
  /** Null where there are more than anybody chooses from. */
  readonly sites: readonly { readonly id: number; readonly domain: string }[] | null
}

export type MailingFile = Awaited<ReturnType<typeof openMailing>>

/** A schedule of a customer whom the caller does not reach does not exist. */
export async function openMailing(caller: StaffCaller, id: number) {
  const { db } = caller.app.store
  const schedules = accountsWithin(caller, db).innerJoin('report_schedules', 'report_schedules.account_id', 'accounts.id')
  const found = await schedules
    .where('report_schedules.id', '=', id)
    .select(['accounts.id as account_id', 'last_period'])
    .executeTakeFirst()
  const { account_id, last_period } = found ?? notFound('schedule')
  const schedule = await findSchedule(caller, account_id, id)
  return {
    customer: await readMailedCustomer(caller, account_id),
    schedule,
    last_period,
    mails: await readMails(caller, account_id, id),
    runs: await readRuns(caller, id),
  }
}

export async function readMailedCustomer(caller: StaffCaller, accountId: number): Promise<MailedCustomer> {
  const { db } = caller.app.store
  const accounts = accountsWithin(caller, db).select(['accounts.id', 'name'])
  const { id, name } = (await accounts.where('accounts.id', '=', accountId).executeTakeFirst()) ?? notFound('customer')
  const sites = await db
    .selectFrom('sites')
    .select(['id', 'domain'])
    .where('account_id', '=', id)
    .orderBy('domain')
    .limit(mostSites + 1)
    .execute()
  return { id, name: oneLine(name), release: await usualReleaseOf(db, id), sites: sites.length > mostSites ? null : sites }
}

/** The newest first. */
async function readRuns({ app }: StaffCaller, scheduleId: number) {
  const runs = app.store.db.selectFrom('report_runs').selectAll().where('schedule_id', '=', scheduleId).where('state', '!=', 'ahead')
  const rows = await runs.orderBy('period_to', 'desc').limit(mostRuns).execute()
  return rows.map(({ reasons, ...run }) => ({ ...run, reasons: JSON.parse(reasons) as RunReason[] }))
}

/** The newest first. The key of a mail begins with what it is about. */
function readMails({ app }: StaffCaller, accountId: number, scheduleId: number) {
  return app.store.db
    .selectFrom('mails')
    .select(['id', 'recipient', 'state', 'error', 'created_at', 'settled_at'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'report')
    .where('key', 'like', `report:${scheduleId}:%`)
    .orderBy('id', 'desc')
    .limit(mostMails)
    .execute()
}
