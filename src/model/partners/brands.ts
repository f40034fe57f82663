/** The brand of pages, mails and sheets: an account's over its partner's, field by field, and Marquee's own by default. */

import type { Kysely } from 'kysely'
import { notFound } from '../../lib/failures.ts'
import { oneLine } from '../../lib/one-line.ts'
import type { BrandPictureRow } from '../../store/rows/people.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'

export interface Brand {
  readonly partner_id: number
  /** The account whose own brand is part of this; null if it is the partner's alone. */
  readonly account_id: number | null
  readonly name: string
  /** The sender's name in mails. */
  readonly sender_name: string
  /** An email address or an https address. */
  readonly support: string | null
  readonly host_name: string | null
  readonly accent: string | null
  /** Ids of pictures, as `findPicture` takes them. */
  readonly logo_id: string | null
  readonly dark_logo_id: string | null
  readonly favicon_id: string | null
  readonly updated_at: string
  /** Whether it is of a test partner, which every page and mail says. */
  readonly is_test: boolean
}

/** How a test is called, wherever a name stands. */
export const testMark = '(test)'

/** What pages and mails call the service where no brand has another name. */
export const ownName = 'Marquee'

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

/** An account's brand over that of its partner; the account must belong to the partner. */
export function brandOf({ store }: App, { partnerId, accountId }: { partnerId: number; accountId: number }): Promise<Brand | undefined> {
  return brandWhere(store.db, 'partners.id', partnerId, accountId)
}

/** Like `brandOf`, given only the account, which must exist. */
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

/** Serves a picture to everyone who knows its random id, because the login page must show it before anybody has logged in. */
export async function findPicture({ store }: App, id: string): Promise<Picture> {
  const row = await store.db.selectFrom('brand_pictures').select(['type', 'bytes']).where('id', '=', id).executeTakeFirst()
  return row ?? notFound('page')
}

/** The base address of a brand's pages; never taken from a request. */
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
  const row = await db
    .selectFrom('partners')
    .leftJoin('brands', 'brands.partner_id', 'partners.id')
    .leftJoin('test_partners', 'test_partners.partner_id', 'partners.id')
    .leftJoin('account_brands', (join) => join.on('account_brands.account_id', '=', accountId))
    .where(column, '=', value)
    .select([
      'partners.id as partner_id',
      'partners.name as partner_name',
      'host_name',
      'account_brands.account_id',
      'test_partners.state as test',
    ])
    .select(fields.map((field) => `brands.${field} as ${field}` as const))
    .select(fields.map((field) => `account_brands.${field} as own_${field}` as const))
    .executeTakeFirst()
  const isNone = row === undefined || (row.test === null && row.updated_at === null && row.own_updated_at === null)
  return isNone ? undefined : merged(row)
}

type Look = { readonly [field in (typeof fields)[number]]: string | null }
type BothLooks = Look & { readonly [field in keyof Look as `own_${field}`]: string | null } & Pick<
    Brand,
    'partner_id' | 'account_id' | 'host_name'
  > & { readonly partner_name: string; readonly test: string | null }

/** The light and the dark logo come from the same brand; mixing them would change the brand with the theme. */
function merged(row: BothLooks): Brand {
  const hasOwnLogo = row.own_logo_id !== null
  const is_test = row.test !== null
  const marked = (name: string) => (is_test && !name.endsWith(testMark) ? `${name} ${testMark}` : name)
  const name = marked(row.own_name ?? row.name ?? oneLine(row.partner_name))
  return {
    partner_id: row.partner_id,
    account_id: row.account_id,
    name,
    sender_name: marked(row.own_sender_name ?? row.own_name ?? row.sender_name ?? name),
    support: row.own_support ?? row.support,
    host_name: row.host_name,
    accent: row.own_accent ?? row.accent,
    logo_id: hasOwnLogo ? row.own_logo_id : row.logo_id,
    dark_logo_id: hasOwnLogo ? row.own_dark_logo_id : row.dark_logo_id,
    favicon_id: row.own_favicon_id ?? (hasOwnLogo ? null : row.favicon_id),
    updated_at: row.own_updated_at ?? row.updated_at ?? '',
    is_test,
  }
}
