/** How a partner looks at its pages: name, logo, accent colour, and the host name at which its people log in. */

import type { Kysely } from 'kysely'
import { invalid, notFound, refuse } from '../../lib/failures.ts'
import type { BrandRow } from '../../store/rows/people.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { change } from '../core/transaction.ts'

export interface Brand {
  readonly partner_id: number
  readonly name: string
  readonly host_name: string | null
  readonly accent: string | null
  readonly has_logo: boolean
  readonly updated_at: string
}

/** What is undefined stays as it is; null takes it away. */
export interface BrandWishes {
  readonly hostName?: string | null
  readonly accent?: string | null
  readonly logo?: Uint8Array | null
}

type LogoType = 'image/png' | 'image/jpeg' | 'image/webp'

const mostLogoBytes = 200 * 1024

export async function setBrand(operator: OperatorCaller, partnerId: number, wishes: BrandWishes): Promise<Brand> {
  const changes = changesOf(wishes)
  return change(operator, async (tx) => {
    const partner = await tx.selectFrom('partners').select('id').where('id', '=', partnerId).executeTakeFirst()
    if (!partner) return notFound('partner')
    if (changes.host_name) await refuseTaken(tx, partnerId, changes.host_name)
    const updated_at = operator.app.clock.now()
    const fresh = { partner_id: partnerId, host_name: null, accent: null, logo: null, logo_type: null, updated_at }
    const brands = tx.insertInto('brands').values({ ...fresh, ...changes })
    await brands.onConflict((on) => on.column('partner_id').doUpdateSet({ ...changes, updated_at })).execute()
    const { logo: _, ...said } = changes
    await audit(tx, operator, {
      action: 'partner.brand',
      subject_type: 'Partner',
      subject_id: partnerId,
      partner_id: partnerId,
      after: said,
    })
    return (await brandWhere(tx, 'brands.partner_id', partnerId)) ?? notFound('partner')
  })
}

export function brandOfPartner({ store }: App, partnerId: number): Promise<Brand | undefined> {
  return brandWhere(store.db, 'brands.partner_id', partnerId)
}

/** The brand of the partner that manages an account; the account is known to be there. */
export async function brandOfAccount(app: App, accountId: number): Promise<Brand | undefined> {
  const accounts = app.store.db.selectFrom('accounts').select('partner_id').where('id', '=', accountId)
  return brandOfPartner(app, (await accounts.executeTakeFirstOrThrow()).partner_id)
}

/** The brand of the partner that manages a site. */
export async function brandOfSite({ app }: OperatorCaller, siteId: number): Promise<Brand | undefined> {
  const sites = app.store.db.selectFrom('sites').innerJoin('accounts', 'accounts.id', 'sites.account_id').where('sites.id', '=', siteId)
  const site = await sites.select('accounts.partner_id').executeTakeFirst()
  return site && brandOfPartner(app, site.partner_id)
}

export function brandOfHost({ store }: App, hostName: string): Promise<Brand | undefined> {
  return brandWhere(store.db, 'brands.host_name', hostName)
}

export async function logoOfPartner({ store }: App, partnerId: number): Promise<{ bytes: Uint8Array; type: LogoType }> {
  const row = await store.db.selectFrom('brands').select(['logo', 'logo_type']).where('partner_id', '=', partnerId).executeTakeFirst()
  return row?.logo && row.logo_type ? { bytes: row.logo, type: row.logo_type } : notFound('page')
}

/** Where a brand's people find their pages; never taken from a request. */
export function homeOf({ settings }: App, hostName: string | null | undefined): string {
  const base = new URL(settings.baseUrl)
  return hostName ? `${base.protocol}//${hostName}${base.port ? `:${base.port}` : ''}` : base.origin
}

async function brandWhere(
  db: Kysely<Tables>,
  column: 'brands.partner_id' | 'brands.host_name',
  value: number | string,
): Promise<Brand | undefined> {
  const row = await db
    .selectFrom('brands')
    .innerJoin('partners', 'partners.id', 'brands.partner_id')
    .where(column, '=', value)
    .select(['brands.partner_id', 'partners.name', 'host_name', 'accent', 'logo_type', 'brands.updated_at'])
    .executeTakeFirst()
  if (!row) return undefined
  const { logo_type, ...brand } = row
  return { ...brand, has_logo: logo_type !== null }
}

function changesOf({ hostName, accent, logo }: BrandWishes): Partial<Omit<BrandRow, 'partner_id' | 'updated_at'>> {
  return {
    ...(hostName !== undefined && { host_name: hostName === null ? null : checkedHost(hostName) }),
    ...(accent !== undefined && { accent: accent === null ? null : checkedAccent(accent) }),
    ...(logo !== undefined && (logo === null ? { logo, logo_type: null } : { logo, logo_type: checkedLogo(logo) })),
  }
}

function checkedHost(given: string): string {
  const host = URL.parse(`http://${given.trim()}`)?.hostname ?? ''
  const isName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(host)
  if (host === 'localhost' || host.endsWith('.localhost'))
    refuse('bad_request', `${host} leads every browser to its own machine: give a name under which people can reach this service`)
  return isName && host === given.trim().toLowerCase() ? host : invalid([{ field: 'host', code: 'invalid' }])
}

function checkedAccent(given: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(given)) refuse('bad_request', 'The accent colour is written as # and six hexadecimal digits, such as #0a7d5b')
  return given.toLowerCase()
}

function checkedLogo(logo: Uint8Array): LogoType {
  if (logo.length > mostLogoBytes) invalid([{ field: 'logo', code: 'too_long', limit: mostLogoBytes }])
  return logoType(Buffer.from(logo)) ?? invalid([{ field: 'logo', code: 'invalid' }])
}

/** By content, never by name: an SVG could carry a script. */
function logoType(bytes: Buffer): LogoType | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png'
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP' ? 'image/webp' : undefined
}

async function refuseTaken(tx: Kysely<Tables>, partnerId: number, host_name: string): Promise<void> {
  const other = tx.selectFrom('brands').select('partner_id').where('host_name', '=', host_name).where('partner_id', '!=', partnerId)
  if (await other.executeTakeFirst()) invalid([{ field: 'host', code: 'taken' }])
}
