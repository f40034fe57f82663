/** Deletes a site with everything that belongs to it. */

import { notFound } from '../../lib/failures.ts'
import type { Site } from '../../resources/site.ts'
import { audit } from '../core/audit.ts'
import { renewMeasuredVersions, renewReportVersions } from '../core/report-version.ts'
import type { Managing } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'
import { removeAll } from './removal.ts'
import { findSite } from './sites.ts'

/** However much was measured, this takes a few statements: the rest is cleared later. */
export async function deleteSite(caller: Managing, id: number): Promise<Site> {
  const site = await findSite(caller, id)
  const { account_id } = site
  return change(caller, async (tx) => {
    await renewReportVersions(tx, [account_id])
    await renewMeasuredVersions(tx, [account_id])
    if ((await removeAll(caller.app.store.engine, tx, 'site', account_id, [id])).length === 0) notFound('site')
    await audit(tx, caller, 'site.delete', site, { before: site })
    return site
  })
}
