/** The brand that pages, mails and sheets are in: an account's over its partner's, field by field; without one they are in ours. */

import type { Kysely } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import type { BrandPictureRow } from '../../store/rows/people.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'

export interface Brand {
  readonly partner_id: number
  /** The account whose own brand is part of this; null where it is the partner's alone. */
  readonly account_id: number | null
  readonly name: string
  /** Whom mails are from. */
  readonly sender_name: string
  /** An email address or an https address. */
  readonly support: string | null
  readonly host_name: string | null
  readonly accent: string | null
  /** Names of pictures, as `findPicture` takes them. */
  readonly logo_id: string | null
  readonly dark_logo_id: string | null
  readonly favicon_id: string | null
  readonly updated_at: string
}

export interface Picture {
  readonly type: BrandPictureRow['type']
  readonly bytes: Uint8Array
}

export function brandOfPartner({ store }: App, partnerId: number): Promise<Brand | undefined> {
  return brandWhere(store.db, 'partners.id', partnerId, null)
}

export function brandOfHost({ store }: App, hostName: string): Promise<Brand | undefined> {
  return brandWhere(store.db, 'brands.host_name', hostName, null)
}

/** An account's brand over that of its partner; the account is known to be the partner's. */
export function brandOf({ store }: App, { partnerId, accountId }: { partnerId: number; accountId: number }): Promise<Brand | undefined> {
  return brandWhere(store.db, 'partners.id', partnerId, accountId)
}

/** The same by the account alone, which is known to be there. */
export async function brandOfAccount(app: App, accountId: number): Promise<Brand | undefined> {
  const accounts = app.store.db.selectFrom('accounts').select('partner_id').where('id', '=', accountId)
  return brandOf(app, { partnerId: (await accounts.executeTakeFirstOrThrow()).partner_id, accountId })
}

/** The brand of the account that a site belongs to. */
export async function brandOfSite(app: App, siteId: number): Promise<Brand | undefined> {
  const sites = app.store.db.selectFrom('sites').innerJoin('accounts', 'accounts.id', 'sites.account_id').where('sites.id', '=', siteId)
  const site = await sites.select(['accounts.id as accountId', 'accounts.partner_id as partnerId']).executeTakeFirst()
  return site && brandOf(app, site)
}

/** To whoever knows its random name: a login page must show it before anybody has logged in. */
export async function findPicture({ store }: App, id: string): Promise<Picture> {
  const row = await store.db.selectFrom('brand_pictures').select(['type', 'bytes']).where('id', '=', id).executeTakeFirst()
  return row ?? notFound('page')
}

/** Where a brand's people find their pages; never taken from a request. */
export function homeOf({ settings }: App, hostName: string | null | undefined): string {
  const base = new URL(settings.baseUrl)
  return hostName ? `${base.protocol}//${hostName}${base.port ? `:${base.port}` : ''}` : base.origin
}

const fields = ['name', 'accent', 'sender_name', 'support', 'logo_id', 'dark_logo_id', 'favicon_id', 'updated_at'] as const

export async function brandWhere(
  db: Kysely<Tables>,
  column: 'partners.id' | 'brands.host_name',
  value: number | string,
  accountId: number | null,
): Promise<Brand | undefined> {
  const partner = await db
    .selectFrom('partners')
    .leftJoin('brands', 'brands.partner_id', 'partners.id')
    .where(column, '=', value)
    .select(['partners.id', 'partners.name as partner_name', 'host_name'])
    .select(fields.map((field) => `brands.${field}` as const))
    .executeTakeFirst()
  const own = accountId === null ? undefined : await ownBrand(db, accountId)
  if (partner === undefined || (partner.updated_at === null && own === undefined)) return undefined
  const { id: partner_id, partner_name, ...look } = partner
  return merged({ ...look, partner_id, name: look.name ?? partner_name }, own)
}

function ownBrand(db: Kysely<Tables>, accountId: number) {
  return db
    .selectFrom('account_brands')
    .select([...fields, 'account_id'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

type Look = Omit<Brand, 'account_id' | 'sender_name' | 'updated_at'> & { sender_name: string | null; updated_at: string | null }

/** The two logos go together: one of the account beside one of the partner would change with the theme. */
function merged(base: Look, own: Awaited<ReturnType<typeof ownBrand>>): Brand {
  const logos = own?.logo_id ? own : base
  const name = own?.name ?? base.name
  return {
    partner_id: base.partner_id,
    account_id: own?.account_id ?? null,
    name,
    sender_name: own?.sender_name ?? own?.name ?? base.sender_name ?? name,
    support: own?.support ?? base.support,
    host_name: base.host_name,
    accent: own?.accent ?? base.accent,
    logo_id: logos.logo_id,
    dark_logo_id: logos.dark_logo_id,
    favicon_id: own?.favicon_id ?? (own?.logo_id ? null : base.favicon_id),
    updated_at: own?.updated_at ?? base.updated_at ?? '',
  }
}
