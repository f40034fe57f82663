/** `marquee site`: the domains of businesses. */

import { allPages } from '../../model/core/paging.ts'
import { createSite, listSites } from '../../model/partners/sites.ts'
import type { OperatorInput, Output } from '../command.ts'
import { siteRecord } from '../records.ts'

export async function create({ caller, number, text }: OperatorInput): Promise<Output> {
  return { document: { site: siteRecord(await createSite(caller, number('business') ?? 0, text('domain') ?? '')) } }
}

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const business_id = number('business')
  const sites = await allPages((after) => listSites(caller, after, business_id === undefined ? {} : { business_id }))
  return { document: { sites: sites.map(siteRecord) }, columns: ['id', 'account_id', 'business_id', 'domain', 'created_at'] }
}
