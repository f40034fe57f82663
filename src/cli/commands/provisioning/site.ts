/** `marquee site`: sites of businesses, and their share links. */

import { text as readAll } from 'node:stream/consumers'
import { allPages } from '../../../model/core/paging.ts'
import { brandOfSite, homeOf } from '../../../model/partners/brands.ts'
import { createSite, listSites } from '../../../model/partners/sites.ts'
import { createShareLink, listShareLinks, revokeShareLink } from '../../../model/people/share-links.ts'
import type { OperatorInput, Output } from '../../command.ts'
import { siteRecord } from '../../records.ts'

export async function create({ caller, number, text }: OperatorInput): Promise<Output> {
  return { document: { site: siteRecord(await createSite(caller, number('business') ?? 0, text('domain') ?? '')) } }
}

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const business_id = number('business')
  const sites = await allPages((after) => listSites(caller, after, business_id === undefined ? {} : { business_id }))
  return { document: { sites: sites.map(siteRecord) }, columns: ['id', 'account_id', 'business_id', 'domain', 'created_at'] }
}

export async function share({ caller, id, number, text, has }: OperatorInput): Promise<Output> {
  const password = has('password-stdin') ? (await readAll(process.stdin)).replace(/\r?\n$/, '') : null
  const { token, ...link } = await createShareLink(caller, id, { label: text('label') ?? '', days: number('days') ?? 30, password })
  const brand = await brandOfSite(caller.app, id)
  const url = `${homeOf(caller.app, brand?.host_name)}/share/${token}`
  return { document: { share_link: { ...link, url } }, note: 'Whoever has the link sees the pages of this site and nothing else.' }
}

export async function shares({ caller, id }: OperatorInput): Promise<Output> {
  const columns = ['id', 'label', 'has_password', 'created_at', 'expires_at', 'revoked_at', 'last_used_at']
  return { document: { share_links: await listShareLinks(caller, id) }, columns }
}

export async function unshare({ caller, id, number }: OperatorInput): Promise<Output> {
  return { document: { share_link: await revokeShareLink(caller, id, number('link') ?? 0) } }
}
