/** Removes what belongs to a site: keywords, competitors, pages, and the site itself with all its measurements. */

import type { Kysely } from 'kysely'
import type { Site } from '../../resources/site.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import { forgetExternalId } from '../core/external-ids.ts'
import { renewMeasuredVersions, renewReportVersions } from '../core/report-version.ts'
import type { Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { findSite } from './sites.ts'

type Db = Kysely<Tables>

/** Deletes the site with its measurements, the abilities on it and the links to it. */
export async function deleteSite(caller: Managing, id: number): Promise<Site> {
  const site = await findSite(caller, id)
  const { account_id } = site
  return change(caller, async (tx) => {
    await renewReportVersions(tx, [account_id])
    await renewMeasuredVersions(tx, [account_id])
    const subjects = await tx.selectFrom('subjects').select('id').where('account_id', '=', account_id).where('site_id', '=', id).execute()
    for (const subject of subjects) await removeSubject(tx, account_id, subject.id)
    await tx.deleteFrom('locations').where('account_id', '=', account_id).where('site_id', '=', id).execute()
    await tx.deleteFrom('share_links').where('site_id', '=', id).execute()
    await tx.deleteFrom('annotations').where('account_id', '=', account_id).where('site_id', '=', id).execute()
    await leaveSchedules(tx, account_id, id)
    await tx.deleteFrom('abilities').where('scope_type', '=', 'Site').where('scope_id', '=', id).execute()
    await tx.updateTable('users').set({ current_site_id: 0 }).where('current_site_id', '=', id).execute()
    await forgetExternalId(tx, 'site', id)
    await tx.deleteFrom('old_ids').where('kind', 'in', ['site', 'copied site']).where('new_id', '=', id).execute()
    await tx.deleteFrom('sites').where('id', '=', id).execute()
    await audit(tx, caller, { action: 'site.delete', subject_type: 'Site', subject_id: id, account_id, before: site })
    return site
  })
}

/** A schedule of several sites continues without this one; a schedule of this site alone is deleted. */
async function leaveSchedules(tx: Db, account_id: number, siteId: number): Promise<void> {
  const schedules = tx.selectFrom('report_schedules').select(['id', 'site_ids']).where('account_id', '=', account_id)
  for (const { id, site_ids } of await schedules.where('site_ids', 'is not', null).execute()) {
    const left = (JSON.parse(site_ids ?? '[]') as number[]).filter((other) => other !== siteId)
    if (left.length > 0)
      await tx
        .updateTable('report_schedules')
        .set({ site_ids: JSON.stringify(left) })
        .where('id', '=', id)
        .execute()
    else await endSchedule(tx, id)
  }
}

async function endSchedule(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('report_recipients').where('schedule_id', '=', id).execute()
  await tx.deleteFrom('report_schedules').where('id', '=', id).execute()
}

/** Removes a site's own subject or a competitor, with everything below it. */
export async function removeSubject(tx: Db, account_id: number, id: number): Promise<void> {
  for (const keyword of await below(tx, 'keywords', account_id, id)) await removeKeyword(tx, account_id, keyword)
  for (const page of await below(tx, 'pages', account_id, id)) await removePage(tx, account_id, page)
  for (const table of ['ranked_urls', 'backlinks', 'snapshots'] as const) {
    await tx
      .deleteFrom(table as 'backlinks')
      .where('account_id', '=', account_id)
      .where('subject_id', '=', id)
      .execute()
  }
  await tx.deleteFrom('old_ids').where('kind', '=', 'competitor').where('new_id', '=', id).execute()
  await tx.deleteFrom('subjects').where('account_id', '=', account_id).where('id', '=', id).execute()
}

/** Removes the keyword with its rankings, its ranked pages and its clicks. */
export async function removeKeyword(tx: Db, account_id: number, id: number): Promise<void> {
  for (const table of ['ranking_months', 'ranked_url_months', 'click_count_months'] as const) {
    await tx
      .deleteFrom(table as 'ranking_months')
      .where('account_id', '=', account_id)
      .where('keyword_id', '=', id)
      .execute()
  }
  await tx.deleteFrom('keywords').where('account_id', '=', account_id).where('id', '=', id).execute()
}

/** Removes the page with its reviews and counts. */
export async function removePage(tx: Db, account_id: number, id: number): Promise<void> {
  await tx.deleteFrom('reviews').where('account_id', '=', account_id).where('page_id', '=', id).execute()
  await tx.deleteFrom('review_count_months').where('account_id', '=', account_id).where('page_id', '=', id).execute()
  await tx.deleteFrom('pages').where('account_id', '=', account_id).where('id', '=', id).execute()
}

async function below(tx: Db, table: 'keywords' | 'pages', account_id: number, subject_id: number): Promise<number[]> {
  const rows = tx
    .selectFrom(table as 'keywords')
    .select('id')
    .where('account_id', '=', account_id)
    .where('subject_id', '=', subject_id)
  return (await rows.execute()).map(({ id }) => id)
}
