/** Sites of a business: each has a domain in normalized form, unique within its account. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../fields/read.ts'
import { readDomain } from '../../lib/domains.ts'
import { type FieldError, invalid, notFound } from '../../lib/failures.ts'
import { type ChangedSite, changedSite, type NewSite, newSite, type Site, site } from '../../resources/site.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import { nameRecord, recordNarrowed } from '../core/external-ids.ts'
import { type ListPage, page, partnerPages } from '../core/paging.ts'
import { renewReportVersions } from '../core/report-version.ts'
import { businessesWithin, domainsOfDeleted, type Managing, managedBy, reachesAll, sitesWithin } from '../core/tenancy.ts'
import { carriedOut, type ReadyChange, ready } from '../core/transaction.ts'

const columns = Object.keys(site) as (keyof Site)[]

/** Creates a site from a request; a business that the caller does not reach is an error of that field. */
export const addSite = carriedOut(prepareAddedSite)

export async function prepareAddedSite(caller: Managing, draft: Draft<NewSite>, externalId?: string): Promise<ReadyChange<Site>> {
  const { business_id, domain } = complete(newSite, draft, await missingBusiness(caller, draft.values.business_id))
  return prepareSite(caller, business_id, domain, externalId)
}

async function missingBusiness(caller: Managing, id: number | undefined): Promise<FieldError[]> {
  if (id === undefined) return []
  const found = await businessesWithin(caller).select('id').where('id', '=', id).executeTakeFirst()
  return found === undefined ? [{ field: 'business_id', code: 'does_not_exist' }] : []
}

export const createSite = carriedOut(prepareSite)

async function prepareSite(caller: Managing, businessId: number, text: string, externalId?: string): Promise<ReadyChange<Site>> {
  const domain = readDomain(text) ?? invalid([{ field: 'domain', code: 'invalid' }])
  return ready(async (tx) => {
    const business =
      (await businessesWithin(caller, tx).select(['id', 'account_id']).where('id', '=', businessId).executeTakeFirst()) ??
      notFound('business')
    const created = await insertSite(tx, caller, business, domain)
    await nameRecord(tx, caller, 'site', created.id, externalId)
    return created
  })
}

/** The business must be within the caller's reach. */
export async function insertSite(
  tx: Kysely<Tables>,
  caller: Managing,
  business: { id: number; account_id: number },
  domain: string,
): Promise<Site> {
  await refuseOfDeleted(tx, business.account_id, domain)
  const now = caller.app.clock.now()
  const created = await tx
    .insertInto('sites')
    .values({ account_id: business.account_id, business_id: business.id, domain, created_at: now, updated_at: now })
    .onConflict((on) => on.columns(['account_id', 'domain']).doNothing())
    .returning(columns)
    .executeTakeFirst()
  if (created === undefined) return invalid([{ field: 'domain', code: 'taken' }])
  // The reports of the account now contain the site.
  await renewReportVersions(tx, [created.account_id])
  await audit(tx, caller, 'site.create', created, { after: created })
  return created
}

export interface NarrowSites {
  readonly account_id?: number
  readonly business_id?: number
  readonly domain?: string
  readonly external_id?: string
}

export async function listSites(caller: Managing, after?: string, narrow: NarrowSites = {}): Promise<ListPage<Site>> {
  if (reachesAll(caller) && Object.keys(narrow).length === 0) return everySite(caller, after)
  return page(siteRows(caller, narrow, await recordNarrowed(caller, 'site', narrow.external_id)), after)
}

/** `called` is the one of the external id. */
export function siteRows(caller: Managing, { account_id, business_id, domain }: NarrowSites, called?: number) {
  return sitesWithin(caller)
    .select(columns)
    .$if(account_id !== undefined, (rows) => rows.where('account_id', '=', account_id ?? 0))
    .$if(business_id !== undefined, (rows) => rows.where('business_id', '=', business_id ?? 0))
    .$if(domain !== undefined, (rows) => rows.where('domain', '=', readDomain(domain ?? '') ?? ''))
    .$if(called !== undefined, (rows) => rows.where('id', '=', called ?? 0))
}

export async function findSite(caller: Managing, id: number): Promise<Site> {
  return (await sitesWithin(caller).select(columns).where('id', '=', id).executeTakeFirst()) ?? notFound('site')
}

/** A site cannot move to another account, because its measurements cannot. A repetition changes nothing. */
export const changeSite = carriedOut(prepareSiteChange)

export async function prepareSiteChange(caller: Managing, id: number, draft: Draft<ChangedSite>): Promise<ReadyChange<Site>> {
  const known = await findSite(caller, id)
  const input = complete(changedSite, draft, await foreignBusiness(caller, known, draft.values.business_id))
  const wanted = { business_id: input.business_id ?? known.business_id, domain: readDomain(input.domain ?? known.domain) ?? known.domain }
  return ready(async (tx) => {
    await caller.app.store.lock(tx, 'sites', id)
    const before = await sitesWithin(caller, tx).select(columns).where('id', '=', id).executeTakeFirst()
    if (before === undefined) return notFound('site')
    return before.business_id === wanted.business_id && before.domain === wanted.domain ? before : update(tx, caller, before, wanted)
  })
}

async function update(tx: Kysely<Tables>, caller: Managing, before: Site, wanted: Pick<Site, 'business_id' | 'domain'>): Promise<Site> {
  const { id, account_id } = before
  const others = tx.selectFrom('sites').select('id').where('account_id', '=', account_id).where('domain', '=', wanted.domain)
  if ((await others.where('id', '!=', id).executeTakeFirst()) !== undefined) invalid([{ field: 'domain', code: 'taken' }])
  if (wanted.domain !== before.domain) await refuseOfDeleted(tx, account_id, wanted.domain)
  const changed = { ...wanted, updated_at: caller.app.clock.now() }
  const after = await tx.updateTable('sites').set(changed).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()
  await renewReportVersions(tx, [account_id])
  await audit(tx, caller, 'site.change', after, { before, after })
  return after
}

async function foreignBusiness(caller: Managing, { account_id }: Site, id: number | undefined): Promise<FieldError[]> {
  if (id === undefined) return []
  const found = await businessesWithin(caller).select('account_id').where('id', '=', id).executeTakeFirst()
  if (found === undefined) return [{ field: 'business_id', code: 'does_not_exist' }]
  return found.account_id === account_id ? [] : [{ field: 'business_id', code: 'invalid' }]
}

const everySite = partnerPages<Site>((db, partnerId) => managedBy(partnerId, 'sites', db).select(columns))

/** The domains of a deleted account of the partner stay taken, because it may come back. */
async function refuseOfDeleted(tx: Kysely<Tables>, accountId: number, domain: string): Promise<void> {
  const { partner_id } = await tx.selectFrom('accounts').select('partner_id').where('id', '=', accountId).executeTakeFirstOrThrow()
  const taken = await domainsOfDeleted(tx, partner_id, [domain]).executeTakeFirst()
  if (taken !== undefined) invalid([{ field: 'domain', code: 'taken' }])
}
