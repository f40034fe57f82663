/** Annotations of every site that a partner reaches, for the API. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../fields/read.ts'
import { notFound } from '../../lib/failures.ts'
import { newAnnotation, type SiteAnnotation, type WantedAnnotation } from '../../resources/annotation.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { PartnerCaller } from '../core/caller.ts'
import { type ListPage, page } from '../core/paging.ts'
import { accountsWithin, sitesWithin } from '../core/tenancy.ts'
import { addAnnotation, removeAnnotation } from './annotations.ts'

export interface AnnotationFilters {
  readonly site_id?: number
  readonly start_date?: string
  readonly end_date?: string
}

export function listManagedAnnotations(
  caller: PartnerCaller,
  after: string | undefined,
  { site_id, start_date, end_date }: AnnotationFilters,
): Promise<ListPage<SiteAnnotation>> {
  const all = within(caller)
  const ofSite = site_id === undefined ? all : all.where('site_id', '=', site_id)
  const since = start_date === undefined ? ofSite : ofSite.where('day', '>=', start_date)
  return page(end_date === undefined ? since : since.where('day', '<=', end_date), after)
}

export async function findAnnotation(caller: PartnerCaller, id: number): Promise<SiteAnnotation> {
  const found = await within(caller).where('id', '=', id).executeTakeFirst()
  return (found as SiteAnnotation | undefined) ?? notFound('annotation')
}

export async function pinAnnotation(caller: PartnerCaller, draft: Draft<WantedAnnotation>): Promise<SiteAnnotation> {
  const isMissing = draft.values.site_id !== undefined && !(await siteExists(caller, draft.values.site_id))
  const { site_id, ...wanted } = complete(newAnnotation, draft, isMissing ? [{ field: 'site_id', code: 'does_not_exist' }] : [])
  return addAnnotation(caller, site_id, wanted)
}

export async function unpinAnnotation(caller: PartnerCaller, id: number): Promise<SiteAnnotation> {
  const { site_id } = await findAnnotation(caller, id)
  return removeAnnotation(caller, site_id, id)
}

async function siteExists(caller: PartnerCaller, id: number): Promise<boolean> {
  return (await sitesWithin(caller).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Annotations for all sites of an account have no site id, so the API does not list them. */
function within(caller: PartnerCaller, db: Kysely<Tables> = caller.app.store.db) {
  return (
    db
      .selectFrom('annotations')
      .select(['id', 'site_id', 'day', 'text', 'created_at'])
      .where('site_id', 'is not', null)
      // The one account of the row is looked up: a list of all accounts would be made for a foreign id, and not for an absent one.
      .where((row) =>
        row.exists(accountsWithin(caller, db).select('accounts.id').whereRef('accounts.id', '=', row.ref('annotations.account_id'))),
      )
  )
}
