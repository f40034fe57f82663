/** Share links of every site that a partner reaches, for the API. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../fields/read.ts'
import { notFound } from '../../lib/failures.ts'
import { newShareLink, type ShareLinkRecord, type WantedShareLink } from '../../resources/share-link.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { PartnerCaller } from '../core/caller.ts'
import { showing } from '../core/idempotency.ts'
import { type ListPage, page } from '../core/paging.ts'
import { sitesWithin } from '../core/tenancy.ts'
import { brandOfSite, homeOf } from '../partners/brands.ts'
import { createShareLink, revokeShareLink, type ShareLink, shownLink } from './share-links.ts'

const usualDays = 30

/** Valid, expired and revoked links, by id. */
export async function listManagedLinks(
  caller: PartnerCaller,
  after: string | undefined,
  { site_id }: { readonly site_id?: number },
): Promise<ListPage<ShareLinkRecord>> {
  const all = within(caller)
  const { items, next } = await page<Parameters<typeof shownLink>[0]>(
    site_id === undefined ? all : all.where('site_id', '=', site_id),
    after,
  )
  return { items: items.map(shownLink), next }
}

export async function findShareLink(caller: PartnerCaller, id: number): Promise<ShareLinkRecord> {
  const found = await within(caller).where('id', '=', id).executeTakeFirst()
  return found === undefined ? notFound('share link') : shownLink(found)
}

export async function shareSite(caller: PartnerCaller, draft: Draft<WantedShareLink>): Promise<ShareLinkRecord & { url: string }> {
  const { site_id: siteId } = draft.values
  const sites = sitesWithin(caller).select('id')
  const isMissing = siteId !== undefined && (await sites.where('id', '=', siteId).executeTakeFirst()) === undefined
  const wanted = complete(newShareLink, draft, isMissing ? [{ field: 'site_id', code: 'does_not_exist' }] : [])
  const { label = '', days = usualDays, password = null } = wanted
  const home = homeOf(caller.app, (await brandOfSite(caller.app, wanted.site_id))?.host_name)
  const shown = ({ token, ...link }: ShareLink & { readonly token: string }) => ({ url: `${home}/share/${token}`, ...link })
  return shown(await createShareLink(showing(caller, shown), wanted.site_id, { label, days, password }))
}

export async function revokeManagedLink(caller: PartnerCaller, id: number): Promise<ShareLinkRecord> {
  const { site_id } = await findShareLink(caller, id)
  return revokeShareLink(caller, site_id, id)
}

function within(caller: PartnerCaller, db: Kysely<Tables> = caller.app.store.db) {
  return (
    db
      .selectFrom('share_links')
      .selectAll()
      // The one site of the row is looked up: a list of all sites would be made for a foreign id, and not for an absent one.
      .where((row) => row.exists(sitesWithin(caller, db).select('sites.id').whereRef('sites.id', '=', row.ref('share_links.site_id'))))
  )
}
