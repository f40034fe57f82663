/** Whose report it is, and which sites it is about. */

import type { App } from '../core/app.ts'
import type { ReportedPeriod } from './queue-reports.ts'

export function accountOfSchedule({ store }: App, scheduleId: number) {
  return store.db
    .selectFrom('report_schedules')
    .innerJoin('accounts', 'accounts.id', 'report_schedules.account_id')
    .where('report_schedules.id', '=', scheduleId)
    .select(['accounts.id', 'accounts.partner_id', 'accounts.name'])
    .executeTakeFirst()
}

/** The chosen sites or all, of businesses that are active now. */
export async function sitesOfSchedule({ store }: App, scheduleId: number): Promise<number[]> {
  const sites = await store.db
    .selectFrom('report_schedules')
    .innerJoin('sites', 'sites.account_id', 'report_schedules.account_id')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .where('report_schedules.id', '=', scheduleId)
    .where('businesses.aasm_state', '=', 'active')
    .select(['sites.id', 'report_schedules.site_ids'])
    .orderBy('sites.domain')
    .execute()
  const chosen = sites[0]?.site_ids ? new Set(JSON.parse(sites[0].site_ids) as number[]) : null
  return sites.map(({ id }) => id).filter((id) => chosen === null || chosen.has(id))
}

/** What staff have written to the recipients of the report about a period; empty if nothing. */
export async function sentenceOfRun({ store }: App, { schedule_id, to }: ReportedPeriod): Promise<string> {
  const runs = store.db.selectFrom('report_runs').select('sentence').where('schedule_id', '=', schedule_id)
  return (await runs.where('period_to', '=', to).executeTakeFirst())?.sentence ?? ''
}
