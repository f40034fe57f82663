/** Whose report it is, and which sites it is about. */

import { oneLine } from '../../lib/one-line.ts'
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

export interface ReportedSite {
  readonly id: number
  readonly account_id: number
  readonly domain: string
  readonly business_name: string
  /** In which the days of the account are counted. */
  readonly time_zone: string
}

/** The chosen sites or all, of businesses that are active now. */
export async function sitesOfSchedule({ store }: App, scheduleId: number): Promise<ReportedSite[]> {
  const sites = await store.db
    .selectFrom('report_schedules')
    .innerJoin('sites', 'sites.account_id', 'report_schedules.account_id')
    .innerJoin('accounts', 'accounts.id', 'sites.account_id')
    .innerJoin('businesses', 'businesses.id', 'sites.business_id')
    .where('report_schedules.id', '=', scheduleId)
    .where('businesses.aasm_state', '=', 'active')
    .select(['sites.id', 'sites.account_id', 'sites.domain', 'businesses.name as business_name', 'report_schedules.site_ids'])
    .select(({ fn, val }) => fn.coalesce('accounts.time_zone', val('UTC')).as('time_zone'))
    .orderBy('sites.domain')
    .execute()
  const chosen = sites[0]?.site_ids ? new Set(JSON.parse(sites[0].site_ids) as number[]) : null
  return sites
    .filter(({ id }) => chosen === null || chosen.has(id))
    .map(({ site_ids: _, ...site }) => ({ ...site, business_name: oneLine(site.business_name) }))
}

/** What staff have written to the recipients of the report about a period; empty if nothing. */
export async function sentenceOfRun({ store }: App, { schedule_id, to }: ReportedPeriod): Promise<string> {
  const runs = store.db.selectFrom('report_runs').select('sentence').where('schedule_id', '=', schedule_id)
  return (await runs.where('period_to', '=', to).executeTakeFirst())?.sentence ?? ''
}
