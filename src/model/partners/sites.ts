/** Sites of a business: a domain each, kept in one spelling and taken once in an account. */

import { readDomain } from '../../lib/domains.ts'
import { invalid, notFound } from '../../lib/failures.ts'
import { type Site, site } from '../../resources/site.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { type ListPage, page, partnerPages } from '../core/paging.ts'
import { renewReportVersions } from '../core/report-version.ts'
import { businessesWithin, type Managing, sitesOf, sitesWithin } from '../core/tenancy.ts'
import { change } from '../core/transaction.ts'

const columns = Object.keys(site) as (keyof Site)[]

export async function createSite(caller: OperatorCaller, businessId: number, text: string): Promise<Site> {
  const domain = readDomain(text) ?? invalid([{ field: 'domain', code: 'invalid' }])
  return change(caller, async (tx) => {
    const business =
      (await businessesWithin(caller, tx).select(['id', 'account_id']).where('id', '=', businessId).executeTakeFirst()) ??
      notFound('business')
    const now = caller.app.clock.now()
    const created = await tx
      .insertInto('sites')
      .values({ account_id: business.account_id, business_id: business.id, domain, created_at: now, updated_at: now })
      .onConflict((on) => on.columns(['account_id', 'domain']).doNothing())
      .returning(columns)
      .executeTakeFirst()
    if (created === undefined) return invalid([{ field: 'domain', code: 'taken' }])
    // The reports of the account list the site from now on.
    await renewReportVersions(tx, [created.account_id])
    await audit(tx, caller, {
      action: 'site.create',
      subject_type: 'Site',
      subject_id: created.id,
      account_id: created.account_id,
      after: created,
    })
    return created
  })
}

export function listSites(caller: Managing, after?: string, narrow: { business_id?: number } = {}): Promise<ListPage<Site>> {
  if (caller.kind === 'partner' && Object.keys(narrow).length === 0) return everySite(caller, after)
  const sites = sitesWithin(caller).select(columns)
  return page(narrow.business_id === undefined ? sites : sites.where('business_id', '=', narrow.business_id), after)
}

const everySite = partnerPages<Site>((db, partnerId) => sitesOf(partnerId, db).select(columns))
